import { expect } from 'chai';
import { firstLinesWarning } from '../../src/cli/ingest/first-lines.js';
import { oldestFirst } from '../../src/cli/ingest/rotation.js';
import { cloudflareWords, platforms } from '../../src/cli/ingest/setup.js';
import { agents } from '../../src/logs/index.js';
import { Home, svc } from './support/run.js';

describe('svc ingest setup', () => {
  const home = new Home();
  after(() => home.remove());
  const env = () => ({ ...home.env, SVC_URL: 'https://svc.example.com/' });

  for (const platform of platforms) {
    it(`${platform}: names address and brand, and never the key`, async () => {
      const { stdout, code } = await svc(['ingest', 'setup', platform, '--brand', 'b-1'], {
        ...env(),
        SVC_API_KEY: 'svc_secret',
      });
      expect(code).to.equal(0);
      expect(stdout)
        .to.include('https://svc.example.com')
        .and.to.match(/brand[= ]b-1/);
      expect(stdout).not.to.include('svc_secret').and.not.include('com//');
    });
  }

  it('the filter for Cloudflare lets every known agent pass', () => {
    const tokens = agents.flatMap(({ token, aliases }) => (token === null ? [] : [token, ...aliases]));
    expect(tokens.filter((token) => !cloudflareWords.some((word) => token.includes(word)))).to.deep.equal([]);
    expect(cloudflareWords.length).to.be.at.most(25);
  });

  it('refuses another platform with 2', async () => {
    expect((await svc(['ingest', 'setup', 'netlify'], env())).code).to.equal(2);
  });
});

describe('the warning about the first lines', () => {
  const cases: readonly (readonly [string, boolean, RegExp])[] = [
    ['::1 - - [20/Nov/2026:10:18:45 +0000] "GET / HTTP/1.1" 200 1', false, /common format/],
    ['<158>1 2026-11-20T10:18:45+00:00 host heroku router - at=info method=GET path="/"', false, /Heroku/],
    ['{"RequestPath":"/","DownstreamStatus":200}', false, /Traefik/],
    ['Sep 11 10:00:00 web nginx[12]: ::1 - - [20/Nov', true, /--strip-prefix/],
    ['what is this', true, /combined format/],
  ];
  for (const [line, allUnparsed, words] of cases) {
    it(`of ${line.slice(0, 30)}`, () => {
      expect(firstLinesWarning(line, allUnparsed, false)).to.match(words);
    });
  }

  it('is none for a log that names its visitors', () => {
    expect(firstLinesWarning('::1 - -', false, true)).to.equal(null);
  });
});

describe('the order of rotated files', () => {
  it('is oldest first, sets where their first file stands', () => {
    const given = [
      'z.log',
      'a.log',
      'a.log.1',
      'a.log.10.gz',
      'a.log.2.gz',
      'b.log-20261120',
      'b.log-20261101.gz',
      'b.log',
    ];
    expect(oldestFirst(given)).to.deep.equal([
      'z.log',
      'a.log.10.gz',
      'a.log.2.gz',
      'a.log.1',
      'a.log',
      'b.log-20261101.gz',
      'b.log-20261120',
      'b.log',
    ]);
  });
});
