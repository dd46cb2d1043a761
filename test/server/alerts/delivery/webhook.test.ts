import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { messageOf } from '../../../../src/server/alerts/delivery/message.js';
import { eventId } from '../../../../src/server/alerts/delivery/outbox.js';
import { webhookRequest } from '../../../../src/server/alerts/delivery/webhook.js';
import { dataOf, eventOf, HOSTILE } from './support/events.js';

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;
const event = eventOf('a');
const message = messageOf({ ...event, id: eventId(event) }, 'https://svc.example.com');

describe('the request of a webhook', () => {
  let now: Date;
  // The receiving library compares the time of a message with the clock of the machine, which a long run leaves behind.
  beforeEach(() => {
    now = new Date();
  });

  it('is verified by the library of the standard, with its payload', () => {
    const { headers, body } = webhookRequest(message, [secretOf(1)], now);
    const payload = new Webhook(secretOf(1)).verify(body, { ...headers });
    expect(payload).to.deep.equal({
      type: 'move.detected',
      timestamp: '2026-11-20T12:00:00.000Z',
      data: { ...dataOf(), link: 'https://svc.example.com/brands/b' },
    });
    expect(headers['webhook-id']).to.equal(eventId(event));
  });

  it('is verified with either secret while one is rotated', () => {
    const { headers, body } = webhookRequest(message, [secretOf(2), secretOf(1)], now);
    expect(headers['webhook-signature']!.split(' ')).to.have.length(2);
    for (const byte of [1, 2]) new Webhook(secretOf(byte)).verify(body, { ...headers });
    expect(() => new Webhook(secretOf(3)).verify(body, { ...headers })).to.throw(
      'No matching signature found',
    );
  });

  it('is refused if a part of it was changed, or late', () => {
    const { headers, body } = webhookRequest(message, [secretOf(1)], now);
    const verify =
      (changed: object, content = body) =>
      () =>
        new Webhook(secretOf(1)).verify(content, { ...headers, ...changed });
    expect(verify({}, body.replace('35', '36'))).to.throw();
    expect(verify({ 'webhook-id': 'evt_other' })).to.throw();
    const old = webhookRequest(message, [secretOf(1)], new Date(now.getTime() - 3_600_000));
    expect(() => new Webhook(secretOf(1)).verify(old.body, { ...old.headers })).to.throw('too old');
  });

  it('has the same id and body at every attempt, and the time of the attempt', () => {
    const [first, second] = [now, new Date(now.getTime() + 300_000)].map((time) =>
      webhookRequest(message, [secretOf(1)], time),
    );
    expect(second!.headers['webhook-id']).to.equal(first!.headers['webhook-id']);
    expect(second!.body).to.equal(first!.body);
    const seconds =
      Number(second!.headers['webhook-timestamp']) - Number(first!.headers['webhook-timestamp']);
    expect(seconds).to.equal(300);
  });

  it('has names as they are, as JSON', () => {
    const hostile = eventOf('h', { data: dataOf({ title: HOSTILE }) });
    const { headers, body } = webhookRequest(
      messageOf({ ...hostile, id: 'evt_h' }, null),
      [secretOf(1)],
      now,
    );
    const payload = new Webhook(secretOf(1)).verify(body, { ...headers }) as { data: { title: string } };
    expect(payload.data.title).to.equal(HOSTILE);
  });
});
