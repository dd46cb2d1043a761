import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { SMTPServer } from 'smtp-server';
import { eventData, eventTypeNames } from '../../../../src/contract/events.js';
import { enqueue } from '../../../../src/server/alerts/delivery/outbox.js';
import { openDatabase } from '../../../../src/server/database/database.js';
import { eventOf } from '../../../server/alerts/delivery/support/events.js';
import { type Receiver, receiver } from '../../../server/alerts/delivery/support/receiver.js';
import { createDatabaseUrl, serverUrl } from '../../../support/database.js';
import { certificate } from '../../support/certificate.js';
import { type Environment, piped, type Ran, start, svc } from '../../support/run.js';

const root = join(import.meta.dirname, '../../../..');
const records = [
  { type: 'workspace', id: 'acme', name: 'Acme', plan: 'growth' },
  { type: 'brand', id: 'b', workspace: 'acme', name: 'Acme', domain: 'acme.com' },
];
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** One sequence of tests on one database, because it takes time to open an embedded one. */
describe('svc admin destinations', () => {
  let folder: string;
  let env: Environment;
  let target: Receiver;
  const destinations = (args: string, input?: string): Promise<Ran> =>
    svc(['admin', 'destinations', ...args.split(' ')], env, input);
  const json = async (args: string, input?: string) =>
    JSON.parse((await destinations(`${args} --json`, input)).stdout);
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-destinations-'));
    const database = serverUrl
      ? { DATABASE_URL: await createDatabaseUrl(serverUrl) }
      : { SVC_DATA_DIR: folder };
    env = { ...database, ALERTS_ALLOW_PRIVATE: 'true' };
    target = await receiver();
    await svc(['admin', 'migrate'], env);
    const data = file('data.ndjson', records.map((each) => `${JSON.stringify(each)}\n`).join(''));
    await svc(['admin', 'import', data], env);
  });
  after(async () => {
    await target.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const hidden = 'path-that-is-secret';

  it('says that there are none', async () => {
    const { stdout, stderr, code } = await destinations('list');
    expect([stdout, stderr.trim(), code]).to.deep.equal(['', 'No destinations.', 0]);
  });

  it('takes an address from standard input and from a file, and repeats it nowhere', async () => {
    const piped = await destinations('add --workspace acme --kind slack --name marketing', `${target.url}\n`);
    expect(piped.code).to.equal(0);
    expect(piped.stdout).to.match(/^[\da-f-]{36}\n$/);
    expect(piped.stderr)
      .to.contain('Slack http://127.0.0.1:')
      .and.contain('gets move.detected, model.changed,');
    const path = file('url.txt', `${target.url}\n`);
    const named = await destinations(`add --workspace acme --kind webhook --brand b --address-file ${path}`);
    expect(named.stdout).to.match(/^whsec_\S+\n$/);
    const listed = await destinations('list');
    for (const { stdout, stderr } of [piped, named, listed]) expect(stdout + stderr).to.not.contain(hidden);
    expect(listed.stdout).to.contain('nothing sent yet').and.not.contain('whsec_');
    expect(listed.stdout)
      .to.match(/ default$/m)
      .and.not.contain('move.detected');
  });

  it('adds mail with the digest only', async () => {
    const made = await json('add --workspace acme --kind email --events digest.weekly', 'team@example.com\n');
    expect(made).to.deep.include({ address: 'team@example.com', events: ['digest.weekly'], secret: null });
    const two = await json(
      'add --workspace acme --kind email --events digest.weekly,robots.changed',
      'team@example.com',
    );
    expect(two.events).to.deep.equal(['robots.changed', 'digest.weekly']);
    const unset = await destinations(`test ${two.id}`);
    expect([unset.code, unset.stderr]).to.deep.equal([
      2,
      'Error: SMTP_URL and MAIL_FROM are not set in this environment.\n`test` sends from here, so give it those of the server.\n',
    ]);
    await destinations(`remove ${two.id}`);
  });

  it('refuses what is wrong with exit code 2, and without the address', async () => {
    const refused = async (args: string, input?: string) => {
      const { code, stdout, stderr } = await destinations(`add --workspace acme ${args}`, input);
      expect([code, stdout]).to.deep.equal([2, '']);
      expect(stderr).to.not.contain(hidden);
      return stderr;
    };
    expect(await refused('--kind slack', ''))
      .to.contain('No address was given.')
      .and.contain('--address-file');
    expect(await refused('--kind slack', `ftp://a.example/${hidden}`)).to.contain('begins with https://');
    expect(await refused('--kind pager', target.url)).to.contain('webhook, slack, discord, teams, email');
    expect(await refused('--kind slack --events moves', target.url)).to.contain('Unknown event: moves.');
    expect(await refused('--kind slack --brand x', target.url)).to.contain('Unknown brand');
    expect(await refused('--kind slack --address-file /nowhere/url.txt')).to.contain(
      '--address-file: /nowhere',
    );
    expect(await refused(`--kind webhook --secret-file ${file('secret.txt', 'hidden-secret')}`, target.url))
      .to.contain('24 to 64 bytes')
      .and.not.contain('hidden-secret');
  });

  it('sends a test message, and says why one fails', async () => {
    const [slack] = (await json('list')).destinations;
    const sent = await destinations(`test ${slack.id}`);
    expect([sent.code, sent.stdout]).to.deep.equal([0, `Slack ${slack.address} took the message.\n`]);
    expect(JSON.parse(target.received.at(-1)!.body).text).to.contain('test message');
    target.answer = (response) => response.writeHead(403).end();
    const [tested] = (await json('list')).destinations;
    expect(tested).to.include({ id: slack.id, failure: null });
    expect(Date.now() - Date.parse(tested.delivered_at)).to.be.below(600_000);
    const failed = await destinations(`test ${slack.id}`);
    expect(failed.code).to.equal(7);
    expect(failed.stderr).to.contain(`Slack ${slack.address}: HTTP status 403.`).and.not.contain(hidden);
    target.answer = (response) => response.writeHead(200).end();
    const elsewhere = await svc(['admin', 'destinations', 'test', slack.id], {
      ...env,
      ALERTS_ALLOW_PRIVATE: '',
    });
    expect(elsewhere.stderr)
      .to.contain(
        'ALERTS_ALLOW_PRIVATE=true allows it, in the environment of `svc admin destinations` and of',
      )
      .and.not.contain(hidden);
  });

  it('sends a sample of any event, made as real ones are, which says that it is one', async () => {
    const { id } = await json('add --kind webhook', target.url);
    expect((await json('list')).destinations.find((one: { id: string }) => one.id === id).workspace).to.equal(
      'acme',
    );
    for (const type of eventTypeNames) {
      const sent = await destinations(`test ${id} --event ${type}`);
      expect([sent.code, sent.stderr]).to.deep.equal([0, '']);
      const { type: arrived, data } = JSON.parse(target.received.at(-1)!.body);
      expect([arrived, data.test, data.brand.id]).to.deep.equal([type, true, 'b']);
      expect(Object.keys(data)).to.have.members(Object.keys(eventData.fields));
      expect(data.moves.length > 0).to.equal(type !== 'digest.weekly');
      if (type === 'move.detected') {
        expect(data.moves.map(({ title }: { title: string }) => title)).to.deep.equal([
          'Presence rose',
          'Visibility rose',
          'Share of voice rose',
        ]);
        expect(data.moves[0].engines).to.have.members(['chatgpt', 'perplexity']);
        expect(data.moves[0].rivals).to.deep.equal(['A rival']);
      }
    }
    const unknown = await destinations(`test ${id} --event moves`);
    expect([unknown.code, unknown.stderr.includes('move.detected, model.changed')]).to.deep.equal([2, true]);
    await destinations(`remove ${id}`);
  });

  it('sends by TLS to whom somebody vouches for: a receiver, and a mail server from the beginning or by STARTTLS', async () => {
    const issuer = { ...env, NODE_EXTRA_CA_CERTS: file('issuer.pem', certificate.cert) };
    // A process reads its certificates when it starts.
    const test = (id: string, more: Environment) => piped(['admin', 'destinations', 'test', id], more, '');
    const secure = createSecureServer(certificate, (_, response) => response.writeHead(204).end());
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    const url = `https://localhost:${(secure.address() as AddressInfo).port}/${hidden}`;
    const { id: webhook } = await json('add --workspace acme --kind webhook', url);
    expect((await test(webhook, issuer)).code).to.equal(0);
    const refused = await test(webhook, env);
    expect(refused.code).to.equal(7);
    expect(refused.stderr).to.contain('its certificate is not valid or not trusted').and.not.contain(hidden);
    await new Promise((resolve) => secure.close(resolve));
    const { id: mail } = await json('add --workspace acme --kind email', 'team@example.com');
    for (const isSecure of [true, false]) {
      let arrived = '';
      const smtp = new SMTPServer({
        ...{ ...certificate, secure: isSecure, authOptional: true },
        onData: (stream, session, done) => {
          arrived = session.secure ? 'encrypted' : 'clear';
          stream.resume().on('end', done);
        },
      });
      smtp.on('error', () => {});
      await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
      const { port } = smtp.server.address() as AddressInfo;
      const SMTP_URL = `smtp${isSecure ? 's' : ''}://localhost:${port}`;
      const settings = { SMTP_URL, MAIL_FROM: 'alerts@example.com' };
      expect((await test(mail, { ...issuer, ...settings })).code).to.equal(0);
      expect(arrived).to.equal('encrypted');
      arrived = '';
      const failed = await test(mail, { ...env, ...settings });
      expect([failed.code, arrived]).to.deep.equal([7, '']);
      expect(failed.stderr).to.contain('its certificate is not valid or not trusted');
      await new Promise<void>((resolve) => smtp.close(resolve));
    }
    for (const id of [webhook, mail]) await destinations(`remove ${id}`);
  });

  it('pauses, resumes and removes, and knows what does not exist', async () => {
    const [slack] = (await json('list')).destinations;
    expect((await destinations(`pause ${slack.id}`)).stdout).to.equal(`Destination ${slack.id} is paused.\n`);
    expect((await destinations('list')).stdout).to.contain('paused');
    expect((await destinations(`pause ${slack.id}`)).code).to.equal(5);
    expect((await destinations(`resume ${slack.id}`)).code).to.equal(0);
    expect((await destinations(`resume ${slack.id}`)).code).to.equal(5);
    for (const command of ['pause', 'resume', 'remove'])
      expect((await destinations(`${command} nothing`)).code).to.equal(5);
    expect((await destinations('test nothing')).stderr).to.contain('No destination nothing exists.');
    expect((await destinations(`rotate ${slack.id}`)).stderr).to.contain('Only a webhook has a secret');
    expect((await destinations(`remove ${slack.id}`)).stdout).to.equal(
      `Destination ${slack.id} is removed.\n`,
    );
  });

  it('delivers while the server runs, to the receiver of the documentation, with a secret that was rotated', async () => {
    const port = await freePort();
    const receiving = await documentedReceiver(folder, port);
    const { id, secret: former } = await json(
      'add --workspace acme --kind webhook',
      `http://127.0.0.1:${port}/`,
    );
    const { secret } = await json(`rotate ${id}`);
    expect(secret)
      .to.match(/^whsec_/)
      .and.not.equal(former);
    // The receiver still has the former one.
    const said = receiving(former);
    await stored();
    const server = start(['serve', '--port', '0'], {
      ...env,
      API_ACCESS_KEY: 'operator-key-of-24-characters',
      LOG_LEVEL: 'trace',
    });
    let log = '';
    server.stderr!.on('data', (chunk) => (log += chunk));
    try {
      expect(await said).to.contain('move.detected Visibility fell from 50 % to 35 %');
      while (!log.includes('event delivered')) await wait(20);
    } finally {
      server.kill('SIGTERM');
      const [code] = await once(server, 'exit');
      expect(code).to.equal(0);
    }
    for (const secretPart of [hidden, secret, former, secret.slice(6), former.slice(6), 'team@example.com'])
      expect(log).to.not.contain(secretPart);
  });

  /** An event in the database of the server, as detection stores it. */
  async function stored(): Promise<void> {
    const { DATABASE_URL: url } = env;
    const database = await openDatabase(url ? { url } : { folder: join(folder, 'data') });
    await database.knex.transaction((trx) => enqueue(trx, [eventOf('a')]));
    await database.close();
  }
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The receiver of docs/delivery.md. Returns a function that starts it with a secret, and resolves with what it prints. */
async function documentedReceiver(folder: string, port: number) {
  const [, code = ''] =
    /^```js\n(.*?)^```/ms.exec(readFileSync(join(root, 'docs/delivery.md'), 'utf8')) ?? [];
  expect(code.split('\n').length).to.be.at.most(20);
  const path = join(folder, 'receiver.mjs');
  writeFileSync(path, code);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return async (secret: string): Promise<string> => {
    const child = spawn(process.execPath, [path], {
      env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [printed] = await once(child.stdout, 'data');
      return String(printed);
    } finally {
      child.kill('SIGKILL');
    }
  };
}
