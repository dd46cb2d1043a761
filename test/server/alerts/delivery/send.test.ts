import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { expect } from 'chai';
import type { DestinationKind } from '../../../../src/contract/events.js';
import { messageOf } from '../../../../src/server/alerts/delivery/message.js';
import {
  createSender,
  type Outcome,
  type SendSettings,
  sendTest,
} from '../../../../src/server/alerts/delivery/send.js';
import { certificate } from '../../../cli/support/certificate.js';
import { fresh } from '../../../support/hooks.js';
import { eventOf, NOW } from './support/events.js';
import { receiver } from './support/receiver.js';

const message = messageOf({ ...eventOf('a'), id: 'evt_a' }, null);
const secrets = [{ value: `whsec_${Buffer.alloc(32).toString('base64')}`, until: null }];
const never = new AbortController().signal;
/** A test that waits for the limit of an attempt has a short one. */
const SHORT_MS = 300;
const failed = (reason: string, retryAfterSeconds = 0): Outcome => ({
  state: 'failed',
  reason,
  retryAfterSeconds,
});

describe('one attempt to deliver', () => {
  const target = fresh(receiver);

  const send = async (
    address = target.url,
    settings: Partial<SendSettings> = {},
    kind: DestinationKind = 'webhook',
    signal = never,
  ) => {
    const sender = createSender({ allowPrivate: true, mail: null, ...settings });
    const attempt = { message, kind, target: { address, secrets }, now: NOW, signal };
    try {
      return await sender.send(attempt);
    } finally {
      sender.close();
    }
  };

  it('succeeds with any status from 200 to 299', async () => {
    for (const status of [200, 202, 204]) {
      target.answer = (response) => response.writeHead(status).end();
      expect(await send()).to.deep.equal({ state: 'delivered' });
    }
    const [first] = target.received;
    expect(first!.headers).to.include({ 'content-type': 'application/json', 'webhook-id': 'evt_a' });
    expect(first!.headers['content-length']).to.equal(String(Buffer.byteLength(first!.body)));
  });

  it('sends each kind its own form', async () => {
    for (const kind of ['slack', 'discord', 'teams'] as const) await send(target.url, {}, kind);
    const keys = target.received.map(({ body }) => Object.keys(JSON.parse(body))[0]);
    expect(keys).to.deep.equal(['text', 'allowed_mentions', 'type']);
    expect(target.received.some(({ headers }) => 'webhook-signature' in headers)).to.equal(false);
  });

  it('fails with other statuses, and waits as long as the receiver asks, at most a day', async () => {
    target.answer = (response) => response.writeHead(500).end('a text that is not shown');
    expect(await send()).to.deep.equal(failed('HTTP status 500'));
    target.answer = (response) => response.writeHead(429, { 'Retry-After': '120' }).end();
    expect(await send()).to.deep.equal(failed('HTTP status 429', 120));
    target.answer = (response) => response.writeHead(503, { 'Retry-After': '999999999' }).end();
    expect(await send()).to.deep.equal(failed('HTTP status 503', 86_400));
    target.answer = (response) =>
      response.writeHead(503, { 'Retry-After': 'Fri, 20 Nov 2026 13:00:00 GMT' }).end();
    expect(await send()).to.deep.equal(failed('HTTP status 503'));
  });

  it('follows no redirect', async () => {
    const other = await receiver();
    target.answer = (response) => response.writeHead(307, { Location: other.url }).end();
    expect(await send()).to.deep.equal(failed('HTTP status 307: redirects are not followed'));
    expect(other.received).to.deep.equal([]);
    await other.close();
  });

  it('knows a receiver that is gone for good', async () => {
    target.answer = (response) => response.writeHead(410).end();
    expect(await send()).to.deep.equal({ state: 'gone', reason: 'HTTP status 410: the receiver is gone' });
  });

  it('fails when the answer of a receiver does not begin in time', async () => {
    target.answer = () => {};
    expect(await send(target.url, { timeoutMs: SHORT_MS })).to.deep.equal(failed('no answer within 0.3 s'));
  });

  it('fails when nobody listens, or who listens speaks no HTTP', async () => {
    const { url } = target;
    await target.close();
    expect(await send(url)).to.deep.equal(failed('connection failed (ECONNREFUSED)'));
    const rude: Server = createServer((socket) => socket.resume().end('hello\r\n'));
    await new Promise<void>((resolve) => rude.listen(0, '127.0.0.1', resolve));
    const { port } = rude.address() as AddressInfo;
    const outcome = await send(`http://127.0.0.1:${port}/`);
    expect(outcome.state).to.equal('failed');
    await new Promise((resolve) => rude.close(resolve));
    const unknown = await send('https://name-that-does-not-exist.invalid/', {}, 'slack');
    expect((unknown as { reason: string }).reason).to.match(/^connection failed \(E\w+\)$|^no answer/);
  });

  it('fails with what is wrong where nobody vouches for the certificate', async () => {
    const secure = createSecureServer(certificate, (_, response) => response.writeHead(204).end());
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    const { port } = secure.address() as AddressInfo;
    for (const host of ['localhost', '127.0.0.1'])
      expect(await send(`https://${host}:${port}/`)).to.deep.equal(
        failed(
          'connection failed (DEPTH_ZERO_SELF_SIGNED_CERT): its certificate is not valid or not trusted; NODE_EXTRA_CA_CERTS names the file of a private authority',
        ),
      );
    await new Promise((resolve) => secure.close(resolve));
  });

  it('reads only the beginning of a long answer', async () => {
    let written = 0;
    target.answer = (response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && written < 1e9) {
          written += 65_536;
          if (!response.write(Buffer.alloc(65_536))) return void response.once('drain', more);
        }
      };
      more();
    };
    expect(await send()).to.deep.equal({ state: 'delivered' });
    expect(written).to.be.below(50e6);
  });

  it('believes the status, though the rest of the answer never ends', async () => {
    for (const [status, state] of [
      [200, 'delivered'],
      [410, 'gone'],
    ] as const) {
      target.answer = (response) => void response.writeHead(status).write('slow');
      expect((await send()).state).to.equal(state);
    }
  });

  it('connects to no private address, however it is written, unless that is allowed', async () => {
    const port = new URL(target.url).port;
    for (const host of [
      '127.0.0.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '2130706433',
      '10.0.0.1',
      '169.254.169.254',
    ])
      expect(await send(`https://${host}:${port}/`, { allowPrivate: false }), host).to.include({
        state: 'failed',
      });
    expect(await send(`https://localhost:${port}/`, { allowPrivate: false })).to.deep.equal(
      failed('localhost has no public address'),
    );
    expect((await send(target.url, { allowPrivate: false })) as { reason: string })
      .to.have.property('reason')
      .that.contains('got http://');
    expect(target.received).to.deep.equal([]);
  });

  it('sends no mail without a mail server', async () => {
    expect(await send('team@example.com', {}, 'email')).to.deep.equal(
      failed('mail is not configured: SMTP_URL and MAIL_FROM'),
    );
  });

  it('ends when it is aborted', async () => {
    const aborting = new AbortController();
    target.answer = () => aborting.abort();
    expect(await send(target.url, {}, 'webhook', aborting.signal)).to.deep.equal({ state: 'aborted' });
  });

  it('of a test message says that it is one', async () => {
    const row = { id: 'd', kind: 'webhook' } as const;
    const outcome = await sendTest(
      row,
      { address: target.url, secrets },
      { settings: { allowPrivate: true, mail: null, publicUrl: null }, now: NOW },
    );
    expect(outcome).to.deep.equal({ state: 'delivered' });
    expect(JSON.parse(target.received[0]!.body).type).to.equal('destination.test');
  });
});
