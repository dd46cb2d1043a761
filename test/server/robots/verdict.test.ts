import { expect } from 'chai';
import { findAgent } from '../../../src/logs/index.js';
import { parseRobots } from '../../../src/server/robots/parse.js';
import { robotsVerdicts } from '../../../src/server/robots/verdict.js';

const verdictOf = (text: string, key = 'gptbot') => robotsVerdicts(parseRobots(text))(findAgent(key)!);
const verdict = (name: string, rule: string | null, blocked_path: string | null) => ({
  verdict: name,
  rule,
  blocked_path,
});

describe('robots verdicts', () => {
  const rows: [what: string, text: string, expected: object][] = [
    ['no file', '', verdict('unaddressed', null, null)],
    [
      'a named group that closes the site',
      'User-agent: GPTBot\nDisallow: /',
      verdict('blocked', 'User-agent: GPTBot / Disallow: /', '/'),
    ],
    [
      'a group for all that closes the site',
      'User-agent: *\nDisallow: /',
      verdict('blocked', 'User-agent: * / Disallow: /', '/'),
    ],
    [
      'a named group beats the one for all, however it is ordered',
      'User-agent: *\nDisallow: /\n\nUser-agent: gptbot\nAllow: /',
      verdict('allowed', 'User-agent: gptbot / Allow: /', null),
    ],
    [
      'an empty Disallow opens on purpose',
      'User-agent: GPTBot\nDisallow:',
      verdict('allowed', 'User-agent: GPTBot / Disallow:', null),
    ],
    ['a named group without rules', 'User-agent: GPTBot', verdict('allowed', null, null)],
    [
      'a named group that closes a part',
      'User-agent: GPTBot\nDisallow: /blog/\nDisallow: /shop/',
      verdict('allowed', null, '/blog/'),
    ],
    [
      'a group for all that closes a part',
      'User-agent: *\nDisallow: /cart\n',
      verdict('unaddressed', null, '/cart'),
    ],
    ['a group for all that opens the site', 'User-agent: *\nAllow: /\n', verdict('unaddressed', null, null)],
    [
      'a part that a longer Allow takes back',
      'User-agent: GPTBot\nDisallow: /a\nAllow: /a\nDisallow: /b\nAllow: /b/c',
      verdict('allowed', null, '/b'),
    ],
    [
      'Allow of the root against Disallow of the root',
      'User-agent: GPTBot\nDisallow: /\nAllow: /',
      verdict('allowed', 'User-agent: GPTBot / Allow: /', null),
    ],
    [
      'only the root itself is open',
      'User-agent: GPTBot\nDisallow: /\nAllow: /$',
      verdict('allowed', 'User-agent: GPTBot / Allow: /$', '/'),
    ],
    [
      'a pattern that means everything',
      'User-agent: GPTBot\nDisallow: *',
      verdict('blocked', 'User-agent: GPTBot / Disallow: *', '/'),
    ],
    [
      'groups of one agent merge',
      'User-agent: GPTBot\nAllow: /x\n\nUser-agent: CCBot\nDisallow: /y\n\nUser-agent: GPTBot\nDisallow: /',
      verdict('blocked', 'User-agent: GPTBot / Disallow: /', '/'),
    ],
    [
      'several agents over one rule, with a Sitemap between',
      'User-agent: CCBot\nSitemap: https://x.example/s.xml\nUser-agent: GPTBot/1.0\nDisallow: / # out',
      verdict('blocked', 'User-agent: GPTBot/1.0 / Disallow: /', '/'),
    ],
    [
      'a longer name is another agent',
      'User-agent: GPTBot-Image\nDisallow: /',
      verdict('unaddressed', null, null),
    ],
    [
      'a group that names others leaves the one for all',
      'User-agent: CCBot\nDisallow:\n\nUser-agent: *\nDisallow: /',
      verdict('blocked', 'User-agent: * / Disallow: /', '/'),
    ],
    ['a line that can match no path', 'User-agent: GPTBot\nDisallow: blog', verdict('allowed', null, null)],
  ];
  for (const [what, text, expected] of rows) {
    it(what, () => expect(verdictOf(text)).to.deep.equal(expected));
  }

  it('Applebot listens to Googlebot’s group where it has none of its own', () => {
    const google = 'User-agent: Googlebot\nDisallow: /\n';
    expect(verdictOf(google, 'applebot').rule).to.equal('User-agent: Googlebot / Disallow: /');
    expect(verdictOf(`${google}\nUser-agent: Applebot\nAllow: /`, 'applebot').verdict).to.equal('allowed');
    expect(verdictOf(google, 'applebot-extended').verdict).to.equal('unaddressed');
  });

  it('tokens that exist in robots.txt only have a verdict of their own', () => {
    expect(verdictOf('User-agent: Google-Extended\nDisallow: /', 'google-extended').verdict).to.equal(
      'blocked',
    );
    expect(verdictOf('User-agent: Google-Extended\nDisallow: /', 'googlebot').verdict).to.equal(
      'unaddressed',
    );
  });

  it('a file of the largest size is judged for every agent within a moment', () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => `Disallow: /${i}\nAllow: /${i}`);
    const groups = parseRobots(`User-agent: *\n${lines.join('\n')}`);
    const begin = performance.now();
    const verdictOfNames = robotsVerdicts(groups);
    for (let i = 0; i < 100; i++) verdictOfNames({ robotsTokens: [`a${i}`], robotsFallback: [] });
    expect(performance.now() - begin).to.be.below(2000);
  });
});
