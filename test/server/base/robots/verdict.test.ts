import { expect } from 'chai';
import { findAgent } from '../../../../src/logs/agents/match.js';
import { parseRobots } from '../../../../src/server/base/robots/parse.js';
import { robotsVerdicts } from '../../../../src/server/base/robots/verdict.js';

const verdictOf = (text: string, key = 'gptbot') => robotsVerdicts(parseRobots(text))(findAgent(key)!);
const verdict = (name: string, rule: string | null, blocked_path: string | null) => ({
  verdict: name,
  rule,
  blocked_path,
});

describe('the verdict of robots.txt', () => {
  const rows: [what: string, text: string, expected: object][] = [
    ['is unaddressed without a file', '', verdict('unaddressed', null, null)],
    [
      'is blocked by a named group that blocks the site',
      'User-agent: GPTBot\nDisallow: /',
      verdict('blocked', 'User-agent: GPTBot / Disallow: /', '/'),
    ],
    [
      'is blocked by the group for all that blocks the site',
      'User-agent: *\nDisallow: /',
      verdict('blocked', 'User-agent: * / Disallow: /', '/'),
    ],
    [
      'prefers a named group to the one for all, in any order',
      'User-agent: *\nDisallow: /\n\nUser-agent: gptbot\nAllow: /',
      verdict('allowed', 'User-agent: gptbot / Allow: /', null),
    ],
    [
      'is allowed by an empty Disallow, which is the rule',
      'User-agent: GPTBot\nDisallow:',
      verdict('allowed', 'User-agent: GPTBot / Disallow:', null),
    ],
    ['is allowed by a named group without rules', 'User-agent: GPTBot', verdict('allowed', null, null)],
    [
      'is allowed with a blocked path for a named group that blocks a part',
      'User-agent: GPTBot\nDisallow: /blog/\nDisallow: /shop/',
      verdict('allowed', null, '/blog/'),
    ],
    [
      'is unaddressed with a blocked path if the group for all blocks a part',
      'User-agent: *\nDisallow: /cart\n',
      verdict('unaddressed', null, '/cart'),
    ],
    [
      'is unaddressed if the group for all allows the site',
      'User-agent: *\nAllow: /\n',
      verdict('unaddressed', null, null),
    ],
    [
      'ignores a Disallow that a longer Allow overrides',
      'User-agent: GPTBot\nDisallow: /a\nAllow: /a\nDisallow: /b\nAllow: /b/c',
      verdict('allowed', null, '/b'),
    ],
    [
      'prefers Allow to Disallow of the root',
      'User-agent: GPTBot\nDisallow: /\nAllow: /',
      verdict('allowed', 'User-agent: GPTBot / Allow: /', null),
    ],
    [
      'is allowed with a blocked path if only the root itself is allowed',
      'User-agent: GPTBot\nDisallow: /\nAllow: /$',
      verdict('allowed', 'User-agent: GPTBot / Allow: /$', '/'),
    ],
    [
      'is blocked by a pattern that matches everything',
      'User-agent: GPTBot\nDisallow: *',
      verdict('blocked', 'User-agent: GPTBot / Disallow: *', '/'),
    ],
    [
      'merges the groups of one agent',
      'User-agent: GPTBot\nAllow: /x\n\nUser-agent: CCBot\nDisallow: /y\n\nUser-agent: GPTBot\nDisallow: /',
      verdict('blocked', 'User-agent: GPTBot / Disallow: /', '/'),
    ],
    [
      'applies a rule to several agents, also with a Sitemap in between',
      'User-agent: CCBot\nSitemap: https://x.example/s.xml\nUser-agent: GPTBot/1.0\nDisallow: / # out',
      verdict('blocked', 'User-agent: GPTBot/1.0 / Disallow: /', '/'),
    ],
    [
      'treats a longer name as another agent',
      'User-agent: GPTBot-Image\nDisallow: /',
      verdict('unaddressed', null, null),
    ],
    [
      'uses the group for all if the other groups name other agents',
      'User-agent: CCBot\nDisallow:\n\nUser-agent: *\nDisallow: /',
      verdict('blocked', 'User-agent: * / Disallow: /', '/'),
    ],
    [
      'ignores a line that cannot match a path',
      'User-agent: GPTBot\nDisallow: blog',
      verdict('allowed', null, null),
    ],
  ];
  for (const [what, text, expected] of rows) {
    it(what, () => expect(verdictOf(text)).to.deep.equal(expected));
  }

  it('follows Googlebot’s group for Applebot if that has no group', () => {
    const google = 'User-agent: Googlebot\nDisallow: /\n';
    expect(verdictOf(google, 'applebot').rule).to.equal('User-agent: Googlebot / Disallow: /');
    expect(verdictOf(`${google}\nUser-agent: Applebot\nAllow: /`, 'applebot').verdict).to.equal('allowed');
    expect(verdictOf(google, 'applebot-extended').verdict).to.equal('unaddressed');
  });

  it('is separate for tokens that exist only in robots.txt', () => {
    expect(verdictOf('User-agent: Google-Extended\nDisallow: /', 'google-extended').verdict).to.equal(
      'blocked',
    );
    expect(verdictOf('User-agent: Google-Extended\nDisallow: /', 'googlebot').verdict).to.equal(
      'unaddressed',
    );
  });

  it('does not change with many stars, groups and tokens', () => {
    const names = Array.from({ length: 300 }, (_, i) => `Bot${i}`);
    const text = [
      ...names.map((name) => `User-agent: ${name}`),
      'Disallow: /closed',
      'Allow: /closed/*open*$',
      ...names.map((name, i) => `User-agent: ${name}\nDisallow: ${i % 2 ? '/' : '/part'}`),
    ].join('\n');
    const verdicts = robotsVerdicts(parseRobots(text));
    const of = (name: string) => verdicts({ robotsTokens: [name], robotsFallback: [] });
    expect(of('bot7')).to.deep.equal(verdict('blocked', 'User-agent: Bot7 / Disallow: /', '/'));
    expect(of('bot8')).to.deep.equal(verdict('allowed', null, '/closed'));
  });

  const rules = (count: number, rule: (i: number) => string) =>
    `User-agent: *\n${Array.from({ length: count }, (_, i) => rule(i)).join('\n')}`;
  const tokens = Array.from({ length: 100 }, (_, i) => `a${i}`);
  const large: [what: string, text: string][] = [
    ['an Allow for each Disallow', rules(20_000, (i) => `Disallow: /${i}\nAllow: /${i}`)],
    [
      'one very long Disallow and short stars',
      `User-agent: *\nDisallow: /${'a'.repeat(250_000)}\n${'Allow: *ab\n'.repeat(22_000)}`,
    ],
    [
      'a longest Disallow and short stars',
      `User-agent: *\n${`Disallow: /${'a'.repeat(2000)}b\n`.repeat(100)}${'Allow: *ab\n'.repeat(22_000)}`,
    ],
    [
      'parts that almost match everywhere',
      rules(240, () => `Disallow: /${'a'.repeat(1000)}\nAllow: /*b${'a'.repeat(999)}`),
    ],
    ['stars only', rules(240, () => `Disallow: /${'ab'.repeat(500)}\nAllow: /${'*b*a'.repeat(250)}`)],
    ['many groups for all', 'User-agent: *\nAllow: /a\n'.repeat(20_000)],
    [
      'other groups for each agent',
      `${tokens.map((token) => `User-agent: ${token}`).join('\n')}\n${rules(15_000, (i) => `Disallow: /${i}\nAllow: /${i}`).slice(14)}\n${tokens.map((token) => `User-agent: ${token}\nDisallow: /${token}`).join('\n')}`,
    ],
  ];
  for (const [what, text] of large) {
    it(`exists for every agent, for a file of the maximum size: ${what}`, () => {
      // Half a minute is far more than any machine needs, and far less than comparing all rules with all takes.
      const begin = performance.now();
      const verdictOfNames = robotsVerdicts(parseRobots(text));
      for (const token of tokens) verdictOfNames({ robotsTokens: [token], robotsFallback: [] });
      expect(performance.now() - begin).to.be.below(30_000);
    });
  }
});
