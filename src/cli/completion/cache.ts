/** Ids and names of brands, prompts and answers in earlier reads of each server, for completion. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../connection/replace-file.js';

export interface Names {
  readonly [id: string]: string;
}
interface Seen {
  readonly brands: Names;
  readonly prompts: Names;
  /** The engine and the day of each. */
  readonly answers: Names;
}
interface Cache {
  readonly [server: string]: Seen;
}

const cacheFile = (folder: string): string => join(folder, 'completion.json');
const nothing: Seen = { brands: {}, prompts: {}, answers: {} };
/** The most names of a kind that are kept per server: those that were seen last. */
const MAX_NAMES = 500;
/** Shells expand a completion like a text that was typed, so ids with other characters are left out. */
const SAFE = /^[A-Za-z0-9][\w.@:+-]{0,127}$/;

/** The cached names of a server; none if the file is missing or invalid. */
export function seenAt(folder: string, server: string): Seen {
  const { brands, prompts, answers } = { ...nothing, ...readCache(folder)[server] };
  return { brands: namesIn(brands), prompts: namesIn(prompts), answers: namesIn(answers) };
}

/** Adds the brands, prompts and answers of a response. Completion is optional, so a failure is ignored. */
export function remember(folder: string, server: string, response: object): void {
  try {
    const before = seenAt(folder, server);
    const after = {
      brands: merged(before.brands, brandsIn(response)),
      prompts: merged(before.prompts, promptsIn(response)),
      answers: merged(before.answers, answersIn(response)),
    };
    if (JSON.stringify(after) !== JSON.stringify(before))
      write(folder, { ...readCache(folder), [server]: after });
  } catch {}
}

export function forget(folder: string, server: string): void {
  try {
    const { [server]: known, ...others } = readCache(folder);
    if (known) write(folder, others);
  } catch {}
}

function readCache(folder: string): Cache {
  try {
    const content: unknown = JSON.parse(readFileSync(cacheFile(folder), 'utf8'));
    return content instanceof Object ? (content as Cache) : {};
  } catch {
    return {};
  }
}

const write = (folder: string, content: Cache): void =>
  replaceFile(cacheFile(folder), JSON.stringify(content));

const namesIn = (value: unknown): Names =>
  Object.fromEntries(
    Object.entries(value ?? {}).filter(([id, name]) => SAFE.test(id) && typeof name === 'string'),
  );

/** The names before, then those that are new. A name that is unchanged keeps its place. */
function merged(before: Names, added: Names): Names {
  const all = Object.entries({ ...before, ...added });
  return Object.fromEntries(all.slice(-MAX_NAMES));
}

interface Row {
  readonly id?: unknown;
  readonly prompt_id?: unknown;
  readonly name?: unknown;
  readonly text?: unknown;
  readonly engine?: unknown;
  readonly date?: unknown;
}

function brandsIn({ brand, brands }: { readonly brand?: Row; readonly brands?: readonly Row[] }): Names {
  const rows = Array.isArray(brands) ? brands : brand ? [brand] : [];
  return namesIn(Object.fromEntries(rows.map(({ id, name }) => [String(id), name])));
}

function promptsIn({ prompts }: { readonly prompts?: readonly Row[] }): Names {
  const rows = Array.isArray(prompts) ? prompts : [];
  return namesIn(Object.fromEntries(rows.map(({ id, prompt_id, text }) => [String(id ?? prompt_id), text])));
}

function answersIn({ answers, answer }: { readonly answers?: readonly Row[]; readonly answer?: Row }): Names {
  const rows = Array.isArray(answers) ? answers : answer instanceof Object ? [answer] : [];
  return namesIn(Object.fromEntries(rows.map(({ id, engine, date }) => [String(id), `${engine}, ${date}`])));
}
