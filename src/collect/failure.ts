/** Why a call failed: what its HTTP status means, and what its vendor says about it, without the key. */
import { z } from 'zod';
import { escapeControls } from '../contract/printable.js';
import type { Endpoint } from './plan/plan.js';

/** Why a call has no answer. */
export type Cause =
  | 'key'
  | 'rights'
  | 'credit'
  | 'rate_limit'
  | 'network'
  /** The engine failed. */
  | 'engine'
  | 'request'
  /** The answer is refused, cut off, or has an unknown shape. */
  | 'answer'
  /** A signal or a limit ended the collection. */
  | 'stopped';

/** What an HTTP status other than 2xx means for a call. */
interface StatusMeaning {
  /**
   * `wait`: the call was not charged, and may be sent again later. `stop`: not charged, and every other call of the
   * endpoint would get the same. `rejected`: not charged; other calls may be accepted. `failed`: it may have been charged.
   */
  readonly kind: 'wait' | 'stop' | 'rejected' | 'failed';
  readonly cause: Cause;
  readonly reason: string;
}

/** The status that Anthropic returns where others return 503. */
const OVERLOADED = 529;

/** Codes of a used-up account, which waiting does not change. */
const NO_CREDIT = /"(?:code|type)"\s*:\s*"(?:insufficient_quota|billing_hard_limit_reached)"/;
/** Google and xAI refuse a key with 400, and Anthropic a call without credit. */
const WRONG_KEY = /"API_KEY_INVALID"|Incorrect API key provided/;
const LOW_CREDIT = /credit balance is too low/;

/** @param clean Removes the key from what the vendor says. */
export function meaningOf(
  status: number,
  body: string,
  { keyEnv }: Pick<Endpoint, 'keyEnv'>,
  clean: Clean,
): StatusMeaning {
  const message = vendorMessage(body, clean);
  const meaning = (kind: StatusMeaning['kind'], cause: Cause, reason: string | null): StatusMeaning => ({
    kind,
    cause,
    reason: `HTTP ${status}${reason === null ? '' : `: ${reason}`}${message === null ? '' : `: “${message}”`}`,
  });
  const key = keyEnv === null ? null : `the key in ${keyEnv}`;
  const wrongKey = () =>
    meaning('stop', 'key', key ? `${key} is not accepted` : 'a key is needed, and the plan has no key_env');
  const noCredit = () => meaning('stop', 'credit', 'the account has no credit');
  switch (status) {
    case 400:
      if (WRONG_KEY.test(body)) return wrongKey();
      if (LOW_CREDIT.test(body)) return noCredit();
      break;
    case 401:
      return wrongKey();
    case 402:
      return noCredit();
    case 403:
      return meaning('stop', 'rights', `${key ?? 'a call without a key'} may not do this`);
    case 404:
      return meaning('stop', 'request', 'no such model or address');
    case 429:
      return NO_CREDIT.test(body) ? noCredit() : meaning('wait', 'rate_limit', 'rate limit');
    case 503:
    case OVERLOADED:
      return meaning('wait', 'engine', 'it takes no calls now');
  }
  if (status >= 300 && status < 400)
    return meaning('stop', 'request', 'the address redirects, which is not followed');
  if (status >= 400 && status < 500 && status !== 408)
    return meaning('rejected', 'request', 'the request is not accepted');
  return meaning('failed', 'engine', null);
}

const MAX_MESSAGE = 200;
/** How keys of vendors begin: a gateway may show its own. */
const LIKE_A_KEY = /\b(?:(?:sk|xai|pplx|gsk)-|AIza)[\w*.-]+/g;

const errorText = z.string();
const named = z.object({ message: errorText });
/** The places where vendors and gateways put their message. */
const forms = z.union([
  z.object({ error: named }).transform(({ error }) => error.message),
  z.object({ error: errorText }).transform(({ error }) => error),
  named.transform(({ message }) => message),
  z.object({ detail: errorText }).transform(({ detail }) => detail),
  z
    .object({ detail: z.array(z.object({ msg: errorText })).min(1) })
    .transform(({ detail }) => detail[0]!.msg),
]);
const body = z.union([
  forms,
  z
    .array(forms)
    .min(1)
    .transform(([first]) => first!),
]);

/** The message on one line, shortened, without the key; null: the body states none. */
export function vendorMessage(text: string, clean: Clean): string | null {
  const message = clean(statedIn(text)).replace(LIKE_A_KEY, '[key]').replace(/\s+/gu, ' ').trim();
  if (message === '') return null;
  const cut = [...message].slice(0, MAX_MESSAGE).join('');
  return escapeControls(cut) + (cut.length < message.length ? '…' : '');
}

/** A page of HTML says nothing that the status does not. */
function statedIn(text: string): string {
  try {
    return body.safeParse(JSON.parse(text)).data ?? '';
  } catch {
    return text.trimStart().startsWith('<') ? '' : text.slice(0, 100 * MAX_MESSAGE);
  }
}

/** Removes a key from a text of an error or a log, however the key is written there. */
export type Clean = (text: string) => string;

/** A shorter key, such as the name of a local server, is no secret, and may be a word of the message. */
const MIN_SECRET = 12;
const REMOVED = '[key]';
/** Backslashes before a character, in JSON inside JSON. */
const ESCAPES = String.raw`\\{0,8}`;
/** What breaks a long word, or is not seen in it. No key has such characters. */
const BREAK = String.raw`[\s\u00ad\u200b-\u200f\u2060-\u2064]{0,4}`;
/** Lines of base64, also as JSON writes them. */
const LINE_BREAK = String.raw`(?:\s|\\{1,8}[rn]){0,4}`;

/** Removes a key, and the password in it if it is a login with one. @param key Null: there is none. */
export function cleanerFor({ protocol }: Pick<Endpoint, 'protocol'>, key: string | null): Clean {
  const password = protocol === 'dataforseo' ? (/:(.*)$/s.exec(key ?? '')?.[1] ?? null) : null;
  const cleaners = [cleanerOf(key), cleanerOf(password)];
  return (text) => cleaners.reduce((cleaned, clean) => clean(cleaned), text);
}

/** @param key Null: there is none. */
export function cleanerOf(key: string | null): Clean {
  if (key === null || key === '') return (text) => text;
  const written = [...key].map(anyForm).join(BREAK);
  const patterns =
    key.length < MIN_SECRET
      ? [new RegExp(String.raw`(?<=\b(?:bearer|basic)\s{1,8})${written}(?![\w-])`, 'gi')]
      : [new RegExp([written, hexForm(key), ...base64Forms(key)].join('|'), 'gi')];
  return (text) => patterns.reduce((cleaned, pattern) => cleaned.replace(pattern, REMOVED), text);
}

/** A pattern of one character as it is, or as JSON, addresses and HTML escape it. */
function anyForm(character: string): string {
  const code = character.codePointAt(0)!;
  const hex = code.toString(16);
  const forms = [
    ESCAPES + literal(character),
    String.raw`${ESCAPES}\\u0{0,4}${hex}`,
    String.raw`${ESCAPES}\\x${hex}`,
    `%(?:25)?${hex}`,
    `&#(?:0{0,4}${code}|x0{0,4}${hex});`,
    // By its name, as &sol; for a slash.
    ...(/\w/.test(character) && character !== '_' ? [] : ['&[a-z]{1,8};']),
  ];
  return `(?:${forms.join('|')})`;
}

const hexForm = (key: string): string => [...Buffer.from(key).toString('hex')].join(BREAK);

/** Patterns of the key in base64, for each place where it may begin in the three bytes of four characters. */
function base64Forms(key: string): string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(key)]);
    const whole = bytes
      .toString('base64')
      .slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
    return [...whole]
      .map((each) => (each === '+' || each === '-' ? '[+-]' : each === '/' ? `${ESCAPES}[/_]` : each))
      .join(LINE_BREAK);
  });
}

const literal = (character: string): string => character.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
