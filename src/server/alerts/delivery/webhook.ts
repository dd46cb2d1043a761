/** The request of a webhook, signed by Standard Webhooks 1.0. */
import { createHmac } from 'node:crypto';
import { secretBytes } from './destinations.js';
import type { Message, Posted } from './message.js';

/**
 * @param secrets Each signs; a receiver accepts the message if one of the signatures is right.
 * @param now Of this attempt: receivers refuse old times.
 */
export function webhookRequest({ id, body }: Message, secrets: readonly string[], now: Date): Posted {
  const content = JSON.stringify(body);
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signatures = secrets.map((secret) => signature(secret, `${id}.${timestamp}.${content}`));
  return {
    headers: {
      'Content-Type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures.join(' '),
    },
    body: content,
  };
}

const signature = (secret: string, signed: string): string =>
  `v1,${createHmac('sha256', secretBytes(secret)).update(signed).digest('base64')}`;
