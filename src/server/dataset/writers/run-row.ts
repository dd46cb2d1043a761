/**
 * The rows of a run in the text format of COPY. All that needs no look-up is encoded when the run is read: of a record,
 * which is many small objects, only a few texts stay in memory until its batch is written.
 */
import { type Tone, tones } from '../../../contract/reads/answers.js';
import { copyRow } from '../../database/copy.js';
import type { ImportedBrand } from '../brand-catalog.js';
import type { CitedPage, CitedTitle } from '../cited-urls.js';
import { isoTime } from '../records/fields.js';
import type { Run } from '../records/run.js';
import type { ImportSession } from '../session.js';
import { adRow, type Extras, placementRow } from './child-rows.js';

export const RUN_COLUMNS = `brand_key, prompt_key, m_name, c_url, c_title, f_query, id, day, collected_at, engine, region,
  model, surface, m_order, m_tone, m_evidence, quotes_negative, quotes_neutral, quotes_positive`;

/** A run as it waits for its batch. */
export interface WaitingRun {
  readonly line: number;
  readonly brand: string;
  readonly id: string;
  readonly prompt: string;
  /** Its UTC day. */
  readonly day: string;
  readonly names: readonly string[];
  readonly pages: readonly CitedPage[];
  readonly titles: readonly (CitedTitle | null)[];
  readonly queries: readonly string[];
  /** The values of `RUN_COLUMNS` from `id` on. */
  readonly encoded: string;
  /** The answer as a value of COPY; null: there is none. */
  readonly answer: string | null;
  /** Its carousels and ad; null: it has none. */
  readonly extras: Extras | null;
}

/** A tone as it is stored: -1, 0 or 1. */
export const toneNumber = (tone: Tone): number => tones.indexOf(tone) - 1;

export function waitingRun(session: ImportSession, line: number, run: Run): WaitingRun {
  const { brand, id, prompt, engine, mentions, citations } = run;
  const time = isoTime(run.collected_at);
  const day = time.slice(0, 10);
  const pages = citations.map(({ url }) => session.pages.page(brand, url));
  return {
    line,
    brand,
    id,
    prompt,
    day,
    names: mentions.map(({ name }) => name),
    pages,
    titles: citations.map(({ title }, at) =>
      title == null ? null : session.pages.title(brand, pages[at]!, title),
    ),
    queries: run.fanouts ?? [],
    encoded: copyRow([
      id,
      day,
      time,
      engine,
      run.region,
      run.model ?? '',
      run.surface ?? '',
      mentions.map(({ order }) => order),
      mentions.map(({ sentiment }) => (sentiment == null ? null : toneNumber(sentiment))),
      mentions.map(({ evidence }) => evidence ?? null),
      quotes(mentions, 'negative'),
      quotes(mentions, 'neutral'),
      quotes(mentions, 'positive'),
    ]),
    answer: run.answer == null ? null : copyRow([run.answer]),
    extras:
      run.carousels?.length || run.ad != null
        ? { engine, time, carousels: run.carousels ?? [], ad: run.ad ?? null }
        : null,
  };
}

/** How many mentions with this tone have a quote. */
const quotes = (mentions: Run['mentions'], tone: Tone): number =>
  mentions.reduce((sum, m) => (m.sentiment === tone && m.evidence != null ? sum + 1 : sum), 0);

export interface StagedRun {
  readonly brand: ImportedBrand;
  readonly run: WaitingRun;
  /** The values of `RUN_COLUMNS`. */
  readonly row: string;
  /** Whether the database has a run with this id. */
  isStored: boolean;
}

/** The row of a run whose texts have their keys. */
export function stagedRun(session: ImportSession, brand: ImportedBrand, run: WaitingRun): StagedRun {
  const keys = copyRow([
    brand.key,
    session.brands.promptKey(brand, run.prompt),
    run.names.map((name) => session.names.keyOf(brand.key, name)),
    run.pages.map(({ key }) => key),
    run.titles.map((title) => (title === null ? null : title.key)),
    run.queries.map((query) => session.queries.keyOf(brand.key, query)),
  ]);
  return { brand, run, row: `${keys}\t${run.encoded}`, isStored: false };
}

/** The content of a run in one normal form, so that two lines of the same run can be compared. */
export function contentOf({ run: { answer, extras }, row }: StagedRun): string {
  const carousels = extras?.carousels.length
    ? JSON.stringify(extras.carousels.map(({ placements }) => placements.map(placementRow)))
    : '';
  const ad = extras?.ad == null ? '' : JSON.stringify(adRow(extras.ad));
  return `${row}\t${answer ?? '\\N'}\t${carousels}\t${ad}`;
}
