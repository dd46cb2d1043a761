/** Sends a message to a destination, once. */
import type { IncomingMessage } from 'node:http';
import {
  ABOUT_NOTHING,
  DELIVERY,
  type DestinationKind,
  type EventData,
  TEST_EVENT,
} from '../../../contract/events.js';
import {
  CERTIFICATE_FAULT,
  GuardedRequestError,
  isCertificateFault,
  post,
} from '../../base/guarded-request.js';
import { discordRequest, slackRequest, teamsRequest } from './chats.js';
import {
  checkedUrl,
  DestinationError,
  type DestinationRow,
  signingSecrets,
  type Target,
} from './destinations.js';
import { createMailer, type MailConfig, MailError, type Mailer } from './mail.js';
import { type Message, messageOf, type Posted } from './message.js';
import type { NewEvent } from './outbox.js';
import { webhookRequest } from './webhook.js';

/** How an attempt ended. The reason has no secret. */
export type Outcome =
  | { readonly state: 'delivered' }
  | {
      readonly state: 'failed';
      readonly reason: string;
      /** How long the receiver asks to wait; 0: it does not say. */
      readonly retryAfterSeconds: number;
    }
  /** The receiver is gone for good. */
  | { readonly state: 'gone'; readonly reason: string }
  /** The attempt was aborted: nobody knows whether the message arrived. */
  | { readonly state: 'aborted' };

export interface SendSettings {
  /** Whether private and loopback addresses are allowed, and http. */
  readonly allowPrivate: boolean;
  /** Null: no mail is sent. */
  readonly mail: MailConfig | null;
  /** The time limit of an attempt. */
  readonly timeoutMs?: number;
}

interface Attempt {
  readonly message: Message;
  readonly kind: DestinationKind;
  readonly target: Target;
  readonly now: Date;
  readonly signal: AbortSignal;
}

export interface Sender {
  send(attempt: Attempt): Promise<Outcome>;
  close(): void;
}

/** The request of each kind that has a URL. */
const requests: {
  readonly [K in Exclude<DestinationKind, 'email'>]: (message: Message, target: Target, now: Date) => Posted;
} = {
  webhook: (message, target, now) => webhookRequest(message, signingSecrets(target, now), now),
  slack: slackRequest,
  discord: discordRequest,
  teams: teamsRequest,
};

export function createSender({
  allowPrivate,
  mail,
  timeoutMs = DELIVERY.timeoutSeconds * 1000,
}: SendSettings): Sender {
  let mailer: Promise<Mailer> | undefined;
  const attempt = async (
    { message, kind, target, now }: Attempt,
    signal: AbortSignal,
    answered: (outcome: Outcome) => void,
  ): Promise<Outcome> => {
    if (kind === 'email') {
      if (mail === null) return failed('mail is not configured: SMTP_URL and MAIL_FROM');
      mailer ??= createMailer(mail, timeoutMs);
      await (await mailer).send(message, target.address, signal);
      return { state: 'delivered' };
    }
    const url = checkedUrl(target.address, allowPrivate);
    const { headers, body } = requests[kind](message, target, now);
    const secureWithinMs = timeoutMs * 0.6;
    const sent = { allowPrivate, signal, secureWithinMs, headers, body: Buffer.from(body) };
    const response = await post(url, sent);
    const outcome = outcomeOf(response);
    answered(outcome);
    await drained(response);
    return outcome;
  };
  return {
    async send(one) {
      const late = AbortSignal.timeout(timeoutMs);
      const signal = AbortSignal.any([late, one.signal]);
      const ended = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
      let answer: Outcome | undefined;
      const answered = (outcome: Outcome) => {
        answer = outcome;
      };
      try {
        // The signal does not abort the look-up of a name.
        return await Promise.race([attempt(one, signal, answered), ended]);
      } catch (error) {
        // The status has arrived, and it alone decides.
        if (answer) return answer;
        if (one.signal.aborted) return { state: 'aborted' };
        if (late.aborted) return failed(`no answer within ${timeoutMs / 1000} s`);
        return failed(reasonOf(error));
      }
    },
    close: () => void mailer?.then((made) => made.close()),
  };
}

const failed = (reason: string, retryAfterSeconds = 0): Outcome => ({
  state: 'failed',
  reason,
  retryAfterSeconds,
});

const GONE = 410;
const MAX_RETRY_AFTER_SECONDS = 86_400;

function outcomeOf({ statusCode = 0, headers }: IncomingMessage): Outcome {
  if (statusCode >= 200 && statusCode < 300) return { state: 'delivered' };
  if (statusCode === GONE) return { state: 'gone', reason: 'HTTP status 410: the receiver is gone' };
  const isRedirect = statusCode >= 300 && statusCode < 400;
  const seconds = Number(/^\d{1,9}$/.exec(headers['retry-after'] ?? '')?.[0] ?? 0);
  return failed(
    `HTTP status ${statusCode}${isRedirect ? ': redirects are not followed' : ''}`,
    Math.min(seconds, MAX_RETRY_AFTER_SECONDS),
  );
}

/** Bytes of an answer that are read, and dropped, and how long that may take: the status has arrived. */
const MAX_ANSWER_BYTES = 64 * 1024;
const ANSWER_WITHIN_MS = 1000;

/** Reads the body to its end, so that the receiver sees a complete exchange, or its beginning if it is long. */
async function drained(response: IncomingMessage): Promise<void> {
  let bytes = 0;
  const cut = setTimeout(() => response.destroy(), ANSWER_WITHIN_MS);
  try {
    for await (const chunk of response) {
      bytes += (chunk as Buffer).length;
      if (bytes > MAX_ANSWER_BYTES) break;
    }
  } catch {
    // The body is not needed.
  } finally {
    clearTimeout(cut);
    response.destroy();
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof GuardedRequestError || error instanceof MailError || error instanceof DestinationError)
    return error.message;
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return 'connection failed';
  return `connection failed (${code})${isCertificateFault(code) ? `: ${CERTIFICATE_FAULT}` : ''}`;
}

/** What a test says if it is no sample of an event: only that the destination works. */
const WORKS: EventData = {
  brand: { id: 'test', name: 'svc', domain: 'example.com' },
  title: 'test message',
  sentence: 'This destination gets the events that it is set up for.',
  ...ABOUT_NOTHING,
  test: true,
};

interface TestMessage {
  readonly settings: SendSettings & { readonly publicUrl: string | null };
  readonly now: Date;
  /** A sample of an event; if omitted, a message that is about nothing. */
  readonly sample?: Pick<NewEvent, 'type' | 'data'> | undefined;
}

/** Sends a test message, once. */
export async function sendTest(
  { id, kind }: Pick<DestinationRow, 'id' | 'kind'>,
  target: Target,
  { settings, now, sample }: TestMessage,
): Promise<Outcome> {
  const sender = createSender(settings);
  const { type = TEST_EVENT, data = WORKS } = sample ?? {};
  const message = messageOf(
    { id: `evt_test_${id}_${now.getTime()}`, type, at: now, data },
    settings.publicUrl,
  );
  try {
    return await sender.send({
      message,
      kind,
      target,
      now,
      signal: new AbortController().signal,
    });
  } finally {
    sender.close();
  }
}
