/** The rows of a run in the text format of COPY. */
import { type Tone, tones } from '../../../contract/reads/answers.js';
import { copyRow } from '../../database/copy.js';
import type { ImportedBrand } from '../brand-catalog.js';
import type { CitedPage } from '../cited-urls.js';
import { isoTime } from '../records/fields.js';
import type { Run } from '../records/run.js';
import type { ImportSession } from '../session.js';
import { adRow, placementRow } from './run-children.js';

export const RUN_COLUMNS = `brand_key, id, day, collected_at, prompt_key, engine, region, model, surface, m_name, m_order, m_tone,
  m_evidence, c_url, c_title, f_query, quotes_negative, quotes_neutral, quotes_positive`;

export interface StagedRun {
  readonly brand: ImportedBrand;
  readonly run: Run;
  /** Its UTC day. */
  readonly day: string;
  /** The values of `RUN_COLUMNS`. */
  readonly row: string;
  /** The answer as a value of COPY; null: there is none. */
  readonly answer: string | null;
  /** Whether the database has a run with this id. */
  isStored: boolean;
}

/** A tone as it is stored: -1, 0 or 1. */
export const toneNumber = (tone: Tone): number => tones.indexOf(tone) - 1;

/** The row of a run whose texts the dictionaries have. `pages` are those of its citations. */
export function stagedRun(
  session: ImportSession,
  brand: ImportedBrand,
  run: Run,
  pages: readonly CitedPage[],
): StagedRun {
  const time = isoTime(run.collected_at);
  const day = time.slice(0, 10);
  const quotes = (tone: Tone) =>
    run.mentions.filter((m) => m.sentiment === tone && m.evidence != null).length;
  const row = copyRow([
    brand.key,
    run.id,
    day,
    time,
    session.brands.promptKey(brand, run.prompt),
    run.engine,
    run.region,
    run.model ?? '',
    run.surface ?? '',
    run.mentions.map((mention) => session.names.keyOf(brand.key, mention.name)),
    run.mentions.map((mention) => mention.order),
    run.mentions.map((mention) => (mention.sentiment == null ? null : toneNumber(mention.sentiment))),
    run.mentions.map((mention) => mention.evidence ?? null),
    pages.map(({ key }) => key),
    run.citations.map(({ title }, at) => (title == null ? null : pages[at]!.titles.get(title)!)),
    (run.fanouts ?? []).map((query) => session.queries.keyOf(brand.key, query)),
    quotes('negative'),
    quotes('neutral'),
    quotes('positive'),
  ]);
  return { brand, run, day, row, answer: run.answer == null ? null : copyRow([run.answer]), isStored: false };
}

/** The content of a run in one normal form, so that two lines of the same run can be compared. */
export function contentOf({ run, row, answer }: StagedRun): string {
  const carousels = run.carousels?.length
    ? JSON.stringify(run.carousels.map(({ placements }) => placements.map(placementRow)))
    : '';
  const ad = run.ad == null ? '' : JSON.stringify(adRow(run.ad));
  return `${row}\t${answer ?? '\\N'}\t${carousels}\t${ad}`;
}
