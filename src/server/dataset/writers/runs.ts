/** Writes runs: one row each, with arrays of dictionary keys, and the answer, carousels and ad in their own tables. */
import { type Tone, tones } from '../../../contract/reads/answers.js';
import type { ImportedBrand } from '../brand-catalog.js';
import { canonicalOf, ensureTitles, ensureUrls, titleEntry } from '../cited-urls.js';
import { isoTime } from '../records/fields.js';
import type { Run } from '../records/run.js';
import type { ImportSession } from '../session.js';
import { adRow, dayOf, placementRow, type ReplacedRun, writeAds, writeCarousels } from './run-children.js';
import type { Lined } from './table-writer.js';

/** A tone as it is stored: -1, 0 or 1. */
export const toneNumber = (tone: Tone): number => tones.indexOf(tone) - 1;

export async function writeRuns(session: ImportSession, batch: readonly Lined<'run'>[]): Promise<void> {
  const byBrand = new Map<string, Lined<'run'>[]>();
  for (const lined of batch) {
    const group = byBrand.get(lined.record.brand);
    if (group) group.push(lined);
    else byBrand.set(lined.record.brand, [lined]);
  }
  const brands = await session.brands.getAll(byBrand.keys());
  for (const [id, group] of byBrand) await writeRunsOf(session, brands.get(id)!, group);
}

async function writeRunsOf(session: ImportSession, brand: ImportedBrand, batch: readonly Lined<'run'>[]) {
  await ensureEntries(session, brand, batch);
  const written = new Map<string, string>();
  const latest = new Map<string, Run>();
  const lines = batch.map(({ line, record }) => {
    const content = JSON.stringify(runRow(session, brand, record));
    written.set(record.id, content);
    latest.set(record.id, record);
    return {
      line,
      type: 'run' as const,
      brand: record.brand,
      key: record.id,
      content,
      ref: record.prompt,
      id: record.id,
    };
  });
  await session.lines.add(lines);
  const replaced = await upsertRuns(session, brand, written);
  for (const { day } of replaced) brand.touchedDays.add(day);
  for (const run of latest.values()) brand.touchedDays.add(dayOf(run));
  await writeCarousels(session, brand, [...latest.values()], replaced);
  await writeAds(session, brand, [...latest.values()], replaced);
}

/** Ensures that the dictionaries have every text of the batch. */
async function ensureEntries(
  session: ImportSession,
  brand: ImportedBrand,
  batch: readonly Lined<'run'>[],
): Promise<void> {
  const names = new Set<string>();
  const urls = new Set<string>();
  const titles = new Set<string>();
  const queries = new Set<string>();
  for (const { record } of batch) {
    for (const mention of record.mentions) names.add(mention.name);
    for (const query of record.fanouts ?? []) queries.add(query);
    for (const { url, title } of record.citations) {
      urls.add(url);
      if (title != null) titles.add(titleEntry(canonicalOf(url).url, title));
    }
  }
  await session.names.ensure(brand.key, names);
  await session.queries.ensure(brand.key, queries);
  await ensureUrls(session, brand.key, urls);
  await ensureTitles(session, brand.key, titles);
}

/** The row as it is written. It includes the children, so that two lines of the same run can be compared. */
function runRow(session: ImportSession, brand: ImportedBrand, run: Run) {
  const quotes = (tone: Tone) =>
    run.mentions.filter((m) => m.sentiment === tone && m.evidence != null).length;
  const urlsOf = run.citations.map((citation) => canonicalOf(citation.url).url);
  return {
    id: run.id,
    day: dayOf(run),
    collected_at: isoTime(run.collected_at),
    prompt_key: session.brands.promptKey(brand, run.prompt),
    engine: run.engine,
    region: run.region,
    model: run.model ?? '',
    m_name: run.mentions.map((mention) => session.names.keyOf(brand.key, mention.name)),
    m_order: run.mentions.map((mention) => mention.order),
    m_tone: run.mentions.map((mention) => (mention.sentiment == null ? null : toneNumber(mention.sentiment))),
    m_evidence: run.mentions.map((mention) => mention.evidence ?? null),
    c_url: urlsOf.map((url) => session.urls.keyOf(brand.key, url)),
    c_title: run.citations.map(({ title }, at) =>
      title == null ? null : session.titles.keyOf(brand.key, titleEntry(urlsOf[at]!, title)),
    ),
    f_query: (run.fanouts ?? []).map((query) => session.queries.keyOf(brand.key, query)),
    quotes_negative: quotes('negative'),
    quotes_neutral: quotes('neutral'),
    quotes_positive: quotes('positive'),
    answer: run.answer ?? null,
    carousels: (run.carousels ?? []).map(({ placements }) => placements.map(placementRow)),
    ad: run.ad == null ? null : adRow(run.ad),
  };
}

const COLUMNS = `id, day, collected_at, prompt_key, engine, region, model, m_name, m_order, m_tone, m_evidence,
  c_url, c_title, f_query, quotes_negative, quotes_neutral, quotes_positive`;
const UPDATES = COLUMNS.split(',')
  .map((column) => column.trim())
  .filter((column) => column !== 'id')
  .map((column) => `${column} = excluded.${column}`)
  .join(', ');

/**
 * Writes the rows and their answers. Returns the runs that existed before, with their former days. The ids are passed
 * as an array too, so that existing rows are found by index: the planner cannot estimate a JSON document.
 */
async function upsertRuns(
  session: ImportSession,
  brand: ImportedBrand,
  written: ReadonlyMap<string, string>,
): Promise<ReplacedRun[]> {
  const ids = [...written.keys()];
  const { rows: replaced } = await session.trx.raw(
    'select id, day from runs where brand_key = :brandKey and id = any(:ids)',
    { brandKey: brand.key, ids },
  );
  if (replaced.length > 0) {
    await session.trx.raw('delete from run_answers where brand_key = :brandKey and run_id = any(:ids)', {
      brandKey: brand.key,
      ids,
    });
  }
  await session.trx.raw(
    `with incoming as materialized (
       select * from json_to_recordset(:rows) as t(
         id text, day date, collected_at timestamptz, prompt_key integer, engine text, region text, model text,
         m_name integer[], m_order integer[], m_tone smallint[], m_evidence text[], c_url integer[],
         c_title integer[], f_query integer[], quotes_negative integer, quotes_neutral integer,
         quotes_positive integer, answer text)
     ), written as (
       insert into runs (brand_key, ${COLUMNS}) select :brandKey, ${COLUMNS} from incoming
       on conflict (brand_key, id) do update set ${UPDATES}
     )
     insert into run_answers (brand_key, run_id, answer)
     select :brandKey, id, answer from incoming where answer is not null`,
    { brandKey: brand.key, rows: `[${[...written.values()].join(',')}]` },
  );
  return replaced;
}
