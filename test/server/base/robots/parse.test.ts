import { expect } from 'chai';
import fc from 'fast-check';
import {
  compilePattern,
  decidingRule,
  matchesPath,
  type PathRule,
  parseRobots,
  rank,
} from '../../../../src/server/base/robots/parse.js';

/** The groups in short form: agents, then rules as written. */
const groupsOf = (text: string): [string[], string[]][] =>
  parseRobots(text).map(({ agents, rules }) => [
    agents.map((agent) => agent.token),
    rules.map((rule) => `${rule.type} ${rule.path}`),
  ]);

describe('the robots.txt parser', () => {
  it('puts consecutive agent lines into one group, and begins a new one after a rule', () => {
    const text = 'User-agent: A\nUser-agent: B\nDisallow: /x\nAllow: /y\nUser-agent: C\nDisallow:\n';
    expect(groupsOf(text)).to.deep.equal([
      [
        ['a', 'b'],
        ['disallow /x', 'allow /y'],
      ],
      [['c'], ['disallow ']],
    ]);
  });

  it('does not end a group at other directives and blank lines', () => {
    const text =
      'User-agent: A\nSitemap: https://x.example/s.xml\n\nUser-agent: B\nCrawl-delay: 5\n\nDisallow: /\nHost: x\nAllow: /a';
    expect(groupsOf(text)).to.deep.equal([
      [
        ['a', 'b'],
        ['disallow /', 'allow /a'],
      ],
    ]);
  });

  const tolerated: [what: string, text: string][] = [
    ['a missing colon', 'User-agent A\nDisallow /x'],
    ['white space around the colon', '  User-agent :  A  \n\tDisallow\t:\t/x\t'],
    ['names in any case', 'USER-AGENT: a\ndisALLOW: /x'],
    ['a byte order mark', '\ufeffUser-agent: A\nDisallow: /x'],
    ['CR line ends', 'User-agent: A\rDisallow: /x\r'],
    ['CRLF line ends', 'User-agent: A\r\nDisallow: /x\r\n'],
    ['comments', '# all\nUser-agent: A # that one\nDisallow: /x#y'],
    ['the name useragent', 'Useragent: A\nDisallow: /x'],
    ['the name user agent', 'User agent: A\nDisallow: /x'],
    ['a version after the token', 'User-agent: A/2.1\nDisallow: /x'],
  ];
  for (const [what, text] of tolerated) {
    it(`accepts ${what}`, () => expect(groupsOf(text)).to.deep.equal([[['a'], ['disallow /x']]]));
  }

  for (const name of ['dissallow', 'dissalow', 'disalow', 'diasllow', 'disallaw']) {
    it(`reads ${name} as Disallow`, () => {
      expect(groupsOf(`User-agent: *\n${name}: /x`)).to.deep.equal([[['*'], ['disallow /x']]]);
    });
  }

  it('keeps lines unchanged, without comments', () => {
    const [group] = parseRobots('  user-AGENT:GPTBot # x\n disallow :  /Ä?q  # y');
    expect(group!.agents[0]!.line).to.equal('user-AGENT:GPTBot');
    expect(group!.rules[0]).to.include({ line: 'disallow :  /Ä?q', path: '/Ä?q' });
  });

  it('ignores rules before the first agent, and begins a group at an agent line without a name', () => {
    expect(groupsOf('Disallow: /a\nUser-agent:\nDisallow: /b')).to.deep.equal([[[''], ['disallow /b']]]);
  });

  it('accepts letters, digits, underscore, dot and hyphen in a token', () => {
    expect(
      groupsOf('User-agent: a_B-1.c+d\nUser-agent: * \nUser-agent: *x\nDisallow: /')[0]![0],
    ).to.deep.equal(['a_b-1.c', '*', '']);
  });

  it('finds no rules in an HTML page', () => {
    const page = '<!doctype html>\n<html><head><title>Not found</title></head>\n<body>Allow: /</body></html>';
    expect(groupsOf(page)).to.deep.equal([]);
  });

  for (const [what, mark] of [
    ['only its first byte', [0xef]],
    ['only its first two bytes', [0xef, 0xbb]],
    ['twice', [0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf]],
  ] as const) {
    it(`accepts a damaged byte order mark: ${what}`, () => {
      const bytes = Buffer.concat([Buffer.from(mark), Buffer.from('User-agent: A\nDisallow: /x')]);
      expect(groupsOf(bytes.toString('utf8'))).to.deep.equal([[['a'], ['disallow /x']]]);
    });
  }

  it('ends lines only at CR and LF, not at other separators', () => {
    expect(groupsOf('User-agent: A\nDisallow: /a\u2028b # c\u2028d')).to.deep.equal([
      [['a'], ['disallow /a\u2028b']],
    ]);
  });

  it('ignores a pattern of more than 2,048 octets, but ends the agent lines of its group there', () => {
    const at = `/${'a'.repeat(2047)}`;
    const text = `User-agent: A\nDisallow: ${at}\nDisallow: ${at}a\nUser-agent: B\nDisallow: /${'ä'.repeat(400)}\nUser-agent: C\nDisallow: /`;
    expect(groupsOf(text)).to.deep.equal([
      [['a'], [`disallow ${at}`]],
      [['b'], []],
      [['c'], ['disallow /']],
    ]);
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        expect(parseRobots(text)).to.be.an('array');
      }),
    );
  });

  // A minute is far more than linear work needs on any machine, and far less than quadratic work takes.
  const lasting: [what: string, line: string][] = [
    ['white space after a name', 'Disallow: '.padEnd(500_000, ' \t')],
    ['white space and a separator that does not end a line', `allow${' '.repeat(250_000)}\u2028x`],
    ['white space of both kinds', `allow${' \t'.repeat(100_000)}\u2028${' \t'.repeat(100_000)}\u2029x`],
    ['white space after a colon', `allow:${' '.repeat(250_000)}\u2028x`],
    ['one name', 'user'.repeat(125_000)],
    ['repeated names', 'user agent '.repeat(45_000)],
    ['comment signs', '#'.repeat(500_000)],
    ['percent signs', `Disallow: /${'%4'.repeat(1000)}`],
  ];
  for (const [what, line] of lasting) {
    it(`takes linear time for ${what}`, () => {
      const begin = performance.now();
      parseRobots(`User-agent: *\n${line}`);
      expect(performance.now() - begin).to.be.below(60_000);
    });
  }
});

const matches = (pattern: string, path: string): boolean => matchesPath(compilePattern(pattern), path);
const rule = (type: PathRule['type'], path: string) => ({ type, path, pattern: compilePattern(path) });

/** Matches by the definition: slow, but obviously correct. */
function matchesByDefinition(pattern: string, path: string): boolean {
  if (pattern === '') return true;
  if (pattern === '$') return path === '';
  const [first, rest] = [pattern[0], pattern.slice(1)];
  if (first === '*') {
    return matchesByDefinition(rest, path) || (path !== '' && matchesByDefinition(pattern, path.slice(1)));
  }
  return path !== '' && path[0] === first && matchesByDefinition(rest, path.slice(1));
}

const patterns = fc
  .tuple(fc.string({ unit: fc.constantFrom('/', 'a', 'b', '*'), maxLength: 9 }), fc.constantFrom('', '$'))
  .map(([body, end]) => `/${body}${end}`);
const paths = fc.string({ unit: fc.constantFrom('/', 'a', 'b'), maxLength: 12 }).map((body) => `/${body}`);

describe('a robots.txt pattern', () => {
  const rows: [pattern: string, path: string, expected: boolean][] = [
    ['/', '/anything', true],
    ['/fish', '/fish.html', true],
    ['/fish', '/Fish.asp', false],
    ['/fish/', '/fish', false],
    ['/*.php$', '/folder/filename.php', true],
    ['/*.php$', '/filename.php?parameters', false],
    ['/*.php', '/filename.php?parameters', true],
    ['/fish*.php', '/fishheads/catfish.php?parameters', true],
    ['/$', '/', true],
    ['/$', '/a', false],
    ['*', '/', true],
    ['/a?b=*', '/a?b=1', true],
    ['/a$b', '/a$b', true],
    ['/a$b', '/a', false],
    ['/caf%c3%a9', '/café', true],
    ['/café', '/caf%C3%A9', true],
    ['/a%2fb', '/a%2Fb', true],
    ['/a%2fb', '/a/b', false],
    ['/%7Ejoe', '/~joe', true],
    ['/a%2A', '/a*', true],
    ['/a%2A', '/ab', false],
    ['fish', '/fish', false],
  ];
  for (const [pattern, path, expected] of rows) {
    it(`${pattern} ${expected ? 'matches' : 'does not match'} ${path}`, () =>
      expect(matches(pattern, path)).to.equal(expected));
  }

  it('matches by the definition, for every pattern and path', () => {
    fc.assert(
      fc.property(patterns, paths, (pattern, path) => {
        expect(matches(pattern, path)).to.equal(matchesByDefinition(pattern, path));
      }),
      { numRuns: 3000 },
    );
  });

  it('matches the beginning of the path if it has no wildcards', () => {
    fc.assert(
      fc.property(paths, paths, (pattern, path) => {
        expect(matches(pattern, path)).to.equal(path.startsWith(pattern));
        expect(matches(`${pattern}$`, path)).to.equal(path === pattern);
      }),
    );
  });

  it('with many stars takes linear time', () => {
    const begin = performance.now();
    expect(matches(`/${'*a'.repeat(5000)}b$`, `/${'a'.repeat(50_000)}`)).to.equal(false);
    expect(matches(`/*b${'a'.repeat(250_000)}`, `/${'a'.repeat(500_000)}`)).to.equal(false);
    expect(matches(`/*${'a'.repeat(250_000)}b`, `/${'a'.repeat(500_000)}`)).to.equal(false);
    expect(performance.now() - begin).to.be.below(30_000);
  });
});

const deciding = <R extends PathRule>(rules: readonly R[], path: string) => decidingRule(rank(rules), path);

describe('the deciding rule', () => {
  it('is searched within the remaining effort, which later searches share', () => {
    const rules = rank(Array.from({ length: 1000 }, (_, i) => rule('disallow', `/*${i}b`)));
    const effort = { left: 5000 };
    expect(decidingRule(rules, '/7b', () => true, effort)).to.equal(undefined);
    expect(effort.left).to.be.at.most(0);
    expect(decidingRule(rules, '/7b', () => true, { left: 1e9 })?.path).to.equal('/*7b');
    expect(decidingRule(rules, '/7b', () => true, effort)).to.equal(undefined);
  });

  it('is the longest one that matches', () => {
    const rules = [rule('allow', '/p'), rule('disallow', '/page'), rule('disallow', '/')];
    expect(deciding(rules, '/page')).to.equal(rules[1]);
    expect(deciding(rules, '/pa')).to.equal(rules[0]);
    expect(deciding(rules, '/x')).to.equal(rules[2]);
  });

  it('is the Allow if the lengths are equal, in either order', () => {
    const [allow, disallow] = [rule('allow', '/folder'), rule('disallow', '/folder')];
    expect(deciding([allow, disallow], '/folder/page')).to.equal(allow);
    expect(deciding([disallow, allow], '/folder/page')).to.equal(allow);
  });

  it('does not exist if no rule matches, and is never an empty pattern', () => {
    expect(deciding([rule('disallow', ''), rule('disallow', '/a')], '/')).to.equal(undefined);
  });

  it('has a type that does not depend on the order of rules', () => {
    const rules = fc.array(
      fc
        .tuple(fc.constantFrom('allow', 'disallow'), patterns)
        .map(([type, path]) => rule(type as 'allow', path)),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(rules, paths, (all, path) => {
        const verdict = (list: typeof all) => deciding(list, path)?.type ?? 'allow';
        expect(verdict([...all].reverse())).to.equal(verdict(all));
        const winner = deciding(all, path);
        const matching = all.filter((each) => matches(each.path, path));
        const longest = Math.max(...matching.map((each) => each.pattern.length));
        expect(winner?.pattern.length ?? -Infinity).to.equal(longest);
      }),
    );
  });
});
