/**
 * Writes runs: one row each, with arrays of dictionary keys, and the answer, carousels and ad in their own tables. New
 * runs are copied to the tables at once, and runs that are stored already are merged from a temporary table.
 */
import { copyInto, copyRow } from '../../database/copy.js';
import { type ImportedBrand, MOST_ADDED } from '../brand-catalog.js';
import { ensurePages } from '../cited-urls.js';
import { STORED_RUNS } from '../probes.js';
import type { ImportSession } from '../session.js';
import { stageChildren } from './run-children.js';
import { contentOf, RUN_COLUMNS, type StagedRun, stagedRun, type WaitingRun } from './run-row.js';

export async function writeRuns(session: ImportSession, batch: readonly WaitingRun[]): Promise<void> {
  // Before anything is awaited, because the next batch adds pages meanwhile.
  const newPages = session.pages.takeNew();
  const byBrand = new Map<string, WaitingRun[]>();
  for (const run of batch) {
    const group = byBrand.get(run.brand);
    if (group) group.push(run);
    else byBrand.set(run.brand, [run]);
  }
  const brands = await session.brands.getAll(byBrand.keys());
  const staged: StagedRun[] = [];
  for (const [id, group] of byBrand) {
    const brand = brands.get(id)!;
    await ensureEntries(session, brand, group);
    const added = newPages.get(id);
    if (added) await ensurePages(session, brand, added);
    staged.push(...(await stageLines(session, brand, group)));
  }
  await storeRuns(session, staged);
  await stageChildren(session, staged);
}

/** Ensures that the dictionaries have every name and search of the batch. */
async function ensureEntries(
  session: ImportSession,
  brand: ImportedBrand,
  batch: readonly WaitingRun[],
): Promise<void> {
  const names = new Set<string>();
  const queries = new Set<string>();
  for (const run of batch) {
    for (const name of run.names) names.add(name);
    for (const query of run.queries) queries.add(query);
  }
  await session.names.ensure(brand.key, names);
  await session.queries.ensure(brand.key, queries);
}

/** Notes the lines, and returns one row for each run. Of two lines with one id the later one is written. */
async function stageLines(
  session: ImportSession,
  brand: ImportedBrand,
  batch: readonly WaitingRun[],
): Promise<StagedRun[]> {
  const staged = new Map<string, StagedRun>();
  const lines = batch.map((run) => {
    const row = stagedRun(session, brand, run);
    const { line, id, prompt: ref } = run;
    staged.set(id, row);
    return { line, type: 'run' as const, brand: brand.id, key: id, content: contentOf(row), ref, id };
  });
  await session.lines.add(lines);
  await noteStored(session, brand, staged);
  for (const row of staged.values()) noteDay(brand, row);
  return [...staged.values()];
}

/** Marks the rows whose runs are stored, and notes their former days. */
async function noteStored({ trx }: ImportSession, brand: ImportedBrand, staged: Map<string, StagedRun>) {
  const { rows } = await trx.raw(STORED_RUNS, { brandKey: brand.key, ids: [...staged.keys()] });
  const replaced = rows.map(({ id, day }: { id: string; day: string }) => {
    const row = staged.get(id)!;
    row.isStored = true;
    brand.replacedDays.add(day);
    return copyRow([brand.key, id, day, row.run.answer !== null]);
  });
  brand.replacedRuns += replaced.length;
  await copyInto(trx, 'replaced_runs', replaced);
}

function noteDay(brand: ImportedBrand, { run, isStored }: StagedRun): void {
  if (isStored) {
    brand.replacedDays.add(run.day);
    return;
  }
  const added = brand.addedRuns.get(run.day) ?? { count: 0, ids: [] };
  brand.addedRuns.set(run.day, added);
  if (added.count++ < MOST_ADDED) added.ids.push(run.id);
}

async function storeRuns({ trx }: ImportSession, staged: readonly StagedRun[]): Promise<void> {
  const fresh = staged.filter(({ isStored }) => !isStored);
  await copyInto(
    trx,
    `runs (${RUN_COLUMNS})`,
    fresh.map(({ row }) => row),
  );
  await copyInto(
    trx,
    'run_answers (brand_key, run_id, answer)',
    fresh.flatMap(({ brand, run: { id, answer } }) =>
      answer === null ? [] : `${brand.key}\t${id}\t${answer}`,
    ),
  );
  const again = staged.filter(({ isStored }) => isStored);
  if (again.length > 0) await mergeRuns(trx, again);
}

const UPDATES = RUN_COLUMNS.split(',')
  .map((column) => column.trim())
  .filter((column) => column !== 'brand_key' && column !== 'id')
  .map((column) => `${column} = excluded.${column}`)
  .join(', ');

/** Replaces stored runs and their answers. An answer that a run no longer has is deleted at the end of the file. */
async function mergeRuns(trx: ImportSession['trx'], staged: readonly StagedRun[]): Promise<void> {
  await copyInto(
    trx,
    `incoming_runs (${RUN_COLUMNS}, answer)`,
    staged.map(({ row, run }) => `${row}\t${run.answer ?? '\\N'}`),
  );
  await trx.raw(
    `insert into runs (${RUN_COLUMNS}) select ${RUN_COLUMNS} from incoming_runs
     on conflict (brand_key, id) do update set ${UPDATES}`,
  );
  await trx.raw(
    `insert into run_answers (brand_key, run_id, answer)
     select brand_key, id, answer from incoming_runs where answer is not null
     on conflict (brand_key, run_id) do update set answer = excluded.answer`,
  );
  await trx.raw('truncate incoming_runs');
}
