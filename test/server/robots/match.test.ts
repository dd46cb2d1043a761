import { expect } from 'chai';
import fc from 'fast-check';
import {
  compilePattern,
  decidingRule,
  matchesPath,
  type PathRule,
  rank,
} from '../../../src/server/robots/parse.js';

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
