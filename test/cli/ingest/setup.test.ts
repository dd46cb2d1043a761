import { expect } from 'chai';
import { oldestFirst } from '../../../src/cli/ingest/follow.js';
import { cloudflareWords, platforms } from '../../../src/cli/ingest/setup.js';
import { agents } from '../../../src/logs/agents/match.js';
import { Home, svc } from '../support/run.js';

describe('svc ingest setup', () => {
  const home = new Home();
  after(() => home.remove());
  const env = () => ({ ...home.env, SVC_URL: 'https://svc.example.com/' });

  for (const platform of platforms) {
    it(`${platform}: prints address and brand, but not the key`, async () => {
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

  it('prints a filter for Cloudflare that matches every known agent', () => {
    const tokens = agents.flatMap(({ token, aliases }) => (token === null ? [] : [token, ...aliases]));
    expect(tokens.filter((token) => !cloudflareWords.some((word) => token.includes(word)))).to.deep.equal([]);
    expect(cloudflareWords.length).to.be.at.most(25);
  });

  it('follows the log of a server on its own machine', async () => {
    for (const [platform, log] of [
      ['nginx', '/var/log/nginx/access.log'],
      ['apache', '/var/log/apache2/access.log'],
    ] as const) {
      const { stdout } = await svc(['ingest', 'setup', platform], env());
      expect(stdout)
        .to.include(`svc ingest --follow ${log} --url https://svc.example.com --key-file`)
        .and.include(`zcat -f ${log}* | svc ingest`)
        .and.include(`${log} combined`);
    }
  });

  it('exits with 2 for an unknown platform', async () => {
    expect((await svc(['ingest', 'setup', 'netlify'], env())).code).to.equal(2);
  });
});

describe('the order of rotated files', () => {
  it('is oldest first, with all files of a log in place of the first', () => {
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
