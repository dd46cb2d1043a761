/** Writes the run of an answer, with the names and pages in it. */

import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';
import { get, REDIRECTS } from '../server/base/guarded-request.js';
import { type ClaimedName, type Mention, mentionsOf } from '../server/intake/dataset/mentions.js';
import { type RecordOf, records } from '../server/intake/dataset/records/index.js';
import type { Reservation } from './budget.js';
import { claimedNames, extractionInput } from './extraction/reply.js';
import type { History, Journal } from './journal.js';
import type { LineFile } from './line-file.js';
import type { Channel, PaidCalls } from './paid-calls.js';
import { surfaceOf } from './protocols/capabilities.js';
import type { Answer, Citation } from './protocols/protocol.js';
import type { ScheduledRun } from './schedule.js';
import type { Subject } from './subject.js';
import type { Report } from './tally.js';

// Makes the record of a run from an answer and the names in it.

interface Parts {
  readonly brand: string;
  /** When the answer arrived. */
  readonly at: string;
  readonly answer: Answer;
  readonly citations: readonly Citation[];
  readonly mentions: Mention[];
  /** Whether a model listed every name; else only tracked ones were looked for. */
  readonly isEveryName: boolean;
}

/** The record; null: the engine sent something that the dataset format does not accept. */
function buildRun({ id, prompt, target }: ScheduledRun, parts: Parts): RecordOf<'run'> | null {
  const { brand, at, answer, citations, mentions, isEveryName } = parts;
  const { observes = [], carousels, ad } = answer;
  const surface = surfaceOf(target);
  const run = {
    type: 'run',
    id,
    brand,
    prompt: prompt.id,
    engine: target.engine,
    ...(answer.model && { model: answer.model }),
    region: target.region,
    surface,
    collected_at: at,
    ...(isEmpty(answer) ? { outcome: 'not_shown' } : { answer: answer.text }),
    // A result page may show no answer: that it showed one is stated, so that the days on which all did count.
    ...(surface === 'serp' && !isEmpty(answer) && { outcome: 'answered' }),
    ...(observes.length > 0 && { observes }),
    ...(!isEveryName && !isEmpty(answer) && { names: 'tracked' }),
    mentions,
    citations,
    ...(carousels && { carousels }),
    ...(ad && { ad }),
    ...(answer.fanouts.length > 0 && { fanouts: answer.fanouts }),
  };
  return records.run.schema.safeParse(run).data ?? null;
}

// Replaces the redirect addresses that Gemini cites by the pages behind them.

interface RedirectOptions {
  /** Whether private and loopback addresses may be asked too. */
  readonly allowPrivate: boolean;
  readonly signal: AbortSignal;
}

interface Resolved {
  readonly citations: Citation[];
  /** Pages that could not be resolved. Of these only the domain is known. */
  readonly unresolved: number;
}

const TIMEOUT_MS = 10_000;
const AT_ONCE = 8;
const DOMAIN = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}{2,}$/u;
const GOOGLE = 'vertexaisearch.cloud.google.com';

/**
 * Asks each redirect address for its target, which is not fetched. The title of such a citation is the domain of its page;
 * if the address does not lead anywhere, the home page of this domain stands for the page.
 */
async function withoutRedirects(citations: readonly Citation[], options: RedirectOptions): Promise<Resolved> {
  const targets = await pLimit(AT_ONCE).map(citations, (each) =>
    isRedirect(each) ? targetOf(each.url, options) : each.url,
  );
  const resolved = citations.map((each, at) =>
    targets[at] === each.url ? each : pageOf(each, targets[at]!),
  );
  return { citations: resolved, unresolved: targets.filter((target) => target === null).length };
}

/** Whether the address is not that of the page: its host is not the domain that the title states. */
function isRedirect({ url, title = '' }: Citation): boolean {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return false;
  if (parsed.hostname === GOOGLE) return true;
  const host = parsed.hostname.replace(/^www\./, '');
  const domain = title.toLowerCase().replace(/^www\./, '');
  return DOMAIN.test(domain) && host !== domain && !host.endsWith(`.${domain}`);
}

/** The target of a redirect; null: the response has none, or the address is not public. */
async function targetOf(url: string, { allowPrivate, signal }: RedirectOptions): Promise<string | null> {
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const response = await get(new URL(url), {
      allowPrivate,
      signal: timeout,
      secureWithinMs: TIMEOUT_MS,
      userAgent: 'svc (citation check)',
    });
    response.destroy();
    const { location } = response.headers;
    if (!REDIRECTS.has(response.statusCode ?? 0) || location === undefined) return null;
    const target = URL.canParse(location, url) ? new URL(location, url) : null;
    return target && /^https?:$/.test(target.protocol) ? target.href : null;
  } catch {
    return null;
  }
}

/** The title of a redirect is a domain, not the title of a page. */
function pageOf({ url, title = '' }: Citation, target: string | null): Citation {
  if (target !== null) return DOMAIN.test(title) ? { url: target } : { url: target, ...(title && { title }) };
  return DOMAIN.test(title) ? { url: `https://${title.toLowerCase()}/` } : { url, ...(title && { title }) };
}

export interface Answered {
  readonly answer: Answer;
  /** When it arrived. */
  readonly at: string;
}

export class RunWriter {
  readonly #subject: Subject;
  readonly #out: LineFile;
  readonly #journal: Journal;
  readonly #redirects: RedirectOptions;
  readonly #report: Report;

  constructor(subject: Subject, out: LineFile, journal: Journal, redirects: RedirectOptions, report: Report) {
    this.#journal = journal;
    this.#subject = subject;
    this.#out = out;
    this.#redirects = redirects;
    this.#report = report;
  }

  /**
   * @param claimed What the extraction model lists; null: the model was not asked, or its reply is malformed.
   * @throws CollectFileError
   */
  async write(
    run: ScheduledRun,
    { answer, at }: Answered,
    claimed: readonly ClaimedName[] | null,
  ): Promise<void> {
    // Between two answers, so that a signal is seen however long it takes to find their names.
    await setImmediate();
    const pages =
      run.target.protocol === 'gemini'
        ? await withoutRedirects(answer.citations, this.#redirects)
        : { citations: answer.citations, unresolved: 0 };
    const { brand, tracked } = this.#subject;
    const found = mentionsOf(answer.text, claimed, tracked);
    const parts = {
      brand: brand.id,
      at,
      answer,
      citations: pages.citations,
      mentions: found.mentions,
      isEveryName: claimed !== null,
    };
    const record = buildRun(run, parts);
    const tally = this.#report.of(run.target);
    if (record === null) {
      const detail = 'the dataset format does not accept it';
      await this.#journal.reject(run.id, detail);
      const cause = 'answer';
      this.#report.unanswered(run, 'ask', { outcome: 'malformed', cause, detail, stopsTarget: false });
      return;
    }
    await this.#out.append(record);
    tally[isEmpty(answer) ? 'not_shown' : 'answered']++;
    tally.names += found.mentions.length;
    tally.citations += pages.citations.length;
    const { dropped } = this.#report;
    dropped.invented_names += found.inventedNames;
    dropped.invented_spans += found.inventedSpans;
    dropped.added_names += claimed === null ? 0 : found.addedNames;
    dropped.unresolved_pages += pages.unresolved;
  }
}

/** Whether the engine showed nothing, so that there are no names. */
const isEmpty = ({ text }: Answer): boolean => text === '';

// Makes the run of an answer: has the names in it found, and writes it.

export class RunFinisher {
  readonly #extraction: Channel | null;
  readonly #calls: PaidCalls;
  readonly #writer: RunWriter;
  readonly #report: Report;

  /** @param extraction Null: only tracked names are found. */
  constructor(extraction: Channel | null, calls: PaidCalls, writer: RunWriter, report: Report) {
    this.#extraction = extraction;
    this.#calls = calls;
    this.#writer = writer;
    this.#report = report;
  }

  /** Has the names of an answer found, and writes the run. @param reservation Has room for the extraction. */
  async finish(run: ScheduledRun, answered: Answered, reservation: Reservation): Promise<void> {
    const extraction = this.#extraction;
    if (!extraction || isEmpty(answered.answer)) return this.#writer.write(run, answered, null);
    const input = extractionInput(answered.answer.text);
    const result = await extraction.limit(async () =>
      extraction.stopped === null ? this.#calls.send(run, extraction, input, reservation) : null,
    );
    // Without a charge, the next collection asks for the names of the answer in the journal.
    if (result === null) return this.#report.wait(run.target);
    if (result.outcome === 'not_charged') return this.#report.unanswered(run, 'extract', result);
    const claimed = result.answer && claimedNames(result.answer.text);
    if (claimed === null) {
      const detail = `${result.detail ?? 'the reply has another shape'}; only tracked names were found`;
      const outcome = result.answer ? 'malformed' : result.outcome;
      this.#report.note(run, 'extract', { ...result, outcome, cause: result.cause ?? 'answer', detail });
    }
    await this.#writer.write(run, answered, claimed);
  }

  /** Writes a run whose answer and names the journal has. */
  write(run: ScheduledRun, answered: Answered, history: History): Promise<void> {
    const reply = history.newest(run.id, 'extract')?.outcome?.reply;
    return this.#writer.write(run, answered, reply == null ? null : claimedNames(reply));
  }
}
