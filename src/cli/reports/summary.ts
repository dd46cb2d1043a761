/** The sentence about a brand, and what needs its people: for `svc` without a command, and for the report. */
import {
  type Attention,
  type AttentionKind,
  type AttentionReads,
  attentionOf,
  type GapReads,
  gapsToRead,
} from '../../contract/attention.js';
import { type CollectionFault, faultText } from '../../contract/collection.js';
import { WINDOW_DAYS } from '../../contract/limits.js';
import { openingOf } from '../../contract/opening.js';
import { textOf } from '../../contract/phrase.js';
import { printable } from '../../contract/printable.js';
import type { BrandRef } from '../../contract/read.js';
import type { Competitor } from '../../contract/reads/competitors.js';
import type { GapKind } from '../../contract/reads/gaps.js';
import type { Overview } from '../../contract/reads/overview.js';
import type { Sentiment } from '../../contract/reads/sentiment.js';
import { resources } from '../../contract/registry.js';
import { type Instead, sentenceOf, sharesOf } from '../../contract/summary.js';
import { asMeasured } from '../../contract/unmeasured.js';
import type { CallOptions } from '../../sdk/arguments.js';
import type { SvcClient } from '../../sdk/client.js';
import { isSvcError } from '../../sdk/errors.js';
import type { Document } from '../render/document.js';
import { type Days, daysEnding, headingLines, today } from '../render/wording.js';

/** What `--json` prints: texts, with the numbers in them by their fields. */
export interface Summary extends Pick<Overview, 'brand' | 'window' | 'window_days' | 'measured' | 'slice'> {
  readonly brand: BrandRef;
  readonly sentence: string;
  /** Why no newer answers come; null: nothing is known. Omitted where it was not asked for. */
  readonly collection_fault?: CollectionFault | null;
  readonly needs_you: readonly {
    readonly kind: AttentionKind;
    readonly text: string;
    readonly advice: string;
    /** How many answers it is about; null: not known. */
    readonly answers: number | null;
    readonly leads_to: Attention['leadsTo'];
  }[];
}

/** The bodies of a summary; `competitors` if they were read, else the shares follow from the mentions of `sentiment`. */
interface Bodies extends AttentionReads {
  readonly sentiment: Sentiment;
  readonly competitors?: readonly Competitor[];
  readonly instead?: Instead | undefined;
}

export function summaryOf({ sentiment: released, ...bodies }: Bodies): Summary {
  const { overview, competitors, instead } = bodies;
  const sentiment = asMeasured(resources.sentiment.response, released);
  const { brand, window, window_days, measured, slice } = overview;
  const sentence = sentenceOf({
    ...{ overview, instead, today: today() },
    competitors: competitors ?? sharesOf(sentiment),
  });
  return {
    ...{ brand, window, window_days, measured, slice },
    sentence: textOf(sentence),
    needs_you: attentionOf({ ...bodies, sentiment }).map(({ kind, phrase, advice, answers, leadsTo }) => ({
      ...{ kind, text: textOf(phrase), advice, answers },
      leads_to: leadsTo,
    })),
  };
}

/** The kinds of gaps that the plan of the key allows, and that the server has. */
export async function readGaps(
  svc: SvcClient,
  kinds: readonly GapKind[],
  days: Days,
  options: CallOptions,
): Promise<GapReads> {
  const read = async (kind: GapKind) => {
    const body = await svc.gaps({ kind, ...days }, options).then(null, (error) => {
      if (isSvcError(error) && (error.status === 403 || error.status === 404)) return undefined;
      throw error;
    });
    return [kind, body] as const;
  };
  return Object.fromEntries(await Promise.all(kinds.map(read)));
}

/** For the help of commands: which days they read without a window. */
export const OPENS =
  'The days are the longest of 56, 28, 14 and 7 to today in which it is known whether presence moved, as on the page.';

/** The days that are read, and their scorecard. @param days Undefined: those on which faces for people open. @param end Their last day. */
export async function readOpening(svc: SvcClient, options: CallOptions, days?: Days, end = today()) {
  const read = (range: Days) => svc.overview(range, options) as PromiseLike<Overview>;
  if (days) return { days, overview: await read(days) };
  const opening = await openingOf((length) => read(daysEnding(end, length)));
  return { days: daysEnding(end, opening.days), overview: opening.overview };
}

/** Without crawl, which not every plan has: a report reads it. */
const KINDS = gapsToRead.filter((kind) => kind !== 'crawl');

/** The scorecard of the days, then five requests at once. @param given Undefined: the days on which faces for people open. */
export async function readSummary(svc: SvcClient, options: CallOptions, given?: Days): Promise<Summary> {
  const { days, overview } = await readOpening(svc, options, given);
  const [sentiment, { prompts }, gaps, collection_fault] = await Promise.all([
    svc.sentiment(days, options) as PromiseLike<Sentiment>,
    svc.prompts.top(days, options),
    readGaps(svc, KINDS, days, options),
    readFault(svc, overview, options),
  ]);
  return { ...summaryOf({ overview, sentiment, prompts, gaps }), collection_fault };
}

/** Why no newer answers come, asked for if days to today have none of today; null: nothing is known. */
export async function readFault(
  svc: SvcClient,
  { brand, window, measured }: Partial<Pick<Overview, 'brand' | 'window' | 'measured'>>,
  options: CallOptions,
): Promise<CollectionFault | null> {
  if (window?.end !== today() || measured?.last_day === window.end) return null;
  try {
    const { brands } = await svc.brands.top(undefined, options);
    // An earlier server states none.
    return brands.find(({ id }) => id === brand?.id)?.collection_fault ?? null;
  } catch (error) {
    if (options.signal?.aborted) throw error;
    return null;
  }
}

/** The sentence about a fault; none without one. */
export const faultSentences = (fault: CollectionFault | null | undefined): string[] =>
  fault ? [`No newer answers come: ${printable(faultText(fault))}`] : [];

/** The command that shows more of each kind. */
const commands: { readonly [K in AttentionKind]: string } = {
  'metric-down': 'why',
  'silent-engine': 'answers',
  'absent-prompts': 'losing',
  'negative-answers': 'answers',
  'sources-to-win': 'gaps sources',
  'within-reach': 'gaps within_reach',
  'lost-pages': 'gaps lost_pages',
  'refused-pages': 'gaps crawl',
  'blocked-crawlers': 'crawlers',
  'no-logs': 'crawlers',
};

type Item = Summary['needs_you'][number];

/** The parameters that a kind passes on; of the others the command has the same defaults. */
const passed: { readonly [K in AttentionKind]?: readonly string[] } = {
  'silent-engine': ['engine'],
  'metric-down': ['metric'],
  'negative-answers': ['tone', 'engine'],
};

/** `svc answers --engine grok --days 28` */
function commandOf({ kind, leads_to: { params } }: Item, window: Summary['window']): string {
  const flags = (passed[kind] ?? []).map((param) => `--${param} ${params[param]}`);
  return ['svc', commands[kind], ...flags, ...windowFlags(window)].join(' ');
}

/** The flags with which another command has the same days. */
function windowFlags({ start, end, days }: Summary['window']): string[] {
  if (end !== today()) return [`--from ${start} --to ${end}`];
  return days === WINDOW_DAYS ? [] : [`--days ${days}`];
}

export const HELP = '`svc --help` lists the commands.';

export function drawSummary(
  { sentence, collection_fault, needs_you, ...about }: Summary,
  document: Document,
): void {
  const [title, filters] = headingLines(about);
  document.title(title, filters);
  document.sentences(sentence, ...faultSentences(collection_fault));
  // Without answers nothing says that nothing needs anybody.
  if (needs_you.length === 0 && about.measured !== null && !collection_fault)
    document.sentences('Nothing needs you.');
  if (needs_you.length > 0) {
    document.title('What needs you');
    for (const each of needs_you)
      document.item(
        each.text,
        [],
        [
          ['', each.advice],
          ['', commandOf(each, about.window)],
        ],
      );
  }
  document.sentences(HELP);
}
