import { expect } from 'chai';
import fc from 'fast-check';
import { parseRobots } from '../../../src/server/robots/parse.js';

/** Groups in short: agents, then rules as written. */
const groupsOf = (text: string): [string[], string[]][] =>
  parseRobots(text).map(({ agents, rules }) => [
    agents.map((agent) => agent.token),
    rules.map((rule) => `${rule.type} ${rule.path}`),
  ]);

describe('parsing robots.txt', () => {
  it('agent lines in a row share a group; the first after a rule begins the next', () => {
    const text = 'User-agent: A\nUser-agent: B\nDisallow: /x\nAllow: /y\nUser-agent: C\nDisallow:\n';
    expect(groupsOf(text)).to.deep.equal([
      [
        ['a', 'b'],
        ['disallow /x', 'allow /y'],
      ],
      [['c'], ['disallow ']],
    ]);
  });

  it('other directives and blank lines do not close a group', () => {
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
    ['any case', 'USER-AGENT: a\ndisALLOW: /x'],
    ['a byte order mark', '\ufeffUser-agent: A\nDisallow: /x'],
    ['CR line ends', 'User-agent: A\rDisallow: /x\r'],
    ['CRLF line ends', 'User-agent: A\r\nDisallow: /x\r\n'],
    ['comments', '# all\nUser-agent: A # that one\nDisallow: /x#y'],
    ['useragent', 'Useragent: A\nDisallow: /x'],
    ['user agent', 'User agent: A\nDisallow: /x'],
    ['a version behind the token', 'User-agent: A/2.1\nDisallow: /x'],
  ];
  for (const [what, text] of tolerated) {
    it(`tolerates ${what}`, () => expect(groupsOf(text)).to.deep.equal([[['a'], ['disallow /x']]]));
  }

  for (const name of ['dissallow', 'dissalow', 'disalow', 'diasllow', 'disallaw']) {
    it(`reads ${name} as Disallow`, () => {
      expect(groupsOf(`User-agent: *\n${name}: /x`)).to.deep.equal([[['*'], ['disallow /x']]]);
    });
  }

  it('keeps lines as they are written, without comment', () => {
    const [group] = parseRobots('  user-AGENT:GPTBot # x\n disallow :  /Ä?q  # y');
    expect(group!.agents[0]!.line).to.equal('user-AGENT:GPTBot');
    expect(group!.rules[0]).to.include({ line: 'disallow :  /Ä?q', path: '/Ä?q' });
  });

  it('rules before any agent address nobody; an agent line without a name is a group of nobody’s', () => {
    expect(groupsOf('Disallow: /a\nUser-agent:\nDisallow: /b')).to.deep.equal([[[''], ['disallow /b']]]);
  });

  it('token characters are letters, digits, underscore, dot and hyphen', () => {
    expect(
      groupsOf('User-agent: a_B-1.c+d\nUser-agent: * \nUser-agent: *x\nDisallow: /')[0]![0],
    ).to.deep.equal(['a_b-1.c', '*', '']);
  });

  it('an HTML page holds no rules', () => {
    const page = '<!doctype html>\n<html><head><title>Not found</title></head>\n<body>Allow: /</body></html>';
    expect(groupsOf(page)).to.deep.equal([]);
  });

  it('never throws and never takes long, whatever comes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        expect(parseRobots(text)).to.be.an('array');
      }),
    );
    const begin = performance.now();
    parseRobots(`User-agent: *\n${'Disallow: '.padEnd(500_000, ' \t')}`);
    parseRobots('user'.repeat(125_000));
    expect(performance.now() - begin).to.be.below(2000);
  });
});
