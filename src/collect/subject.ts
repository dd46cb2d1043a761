/** The brand, its competitors and its prompts, from the database or a dataset file. */

import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import { ExpectedError } from '../contract/failure.js';
import { brandKeyOf, daysWithRuns } from '../server/answers/collections.js';
import { utcDay } from '../server/base/days.js';
import { exportBrand } from '../server/intake/dataset/export.js';
import { linesOf, parseLine } from '../server/intake/dataset/lines.js';
import type { TrackedNames } from '../server/intake/dataset/mentions.js';
import { STORED_RUNS } from '../server/intake/dataset/probes.js';
import { DatasetError, Problems } from '../server/intake/dataset/problems.js';
import type { DatasetRecord, RecordOf } from '../server/intake/dataset/records/index.js';

export interface Subject {
  readonly brand: RecordOf<'brand'>;
  /** The active prompts. */
  readonly prompts: readonly RecordOf<'prompt'>[];
  /** The names of the brand, then those of each competitor. */
  readonly tracked: readonly TrackedNames[];
  /** The runs among these ids that exist already. */
  stored(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** The UTC days of its runs. */
  days(): Promise<readonly string[]>;
}

/** The brand does not exist, is archived, or has no active prompt. */
export class SubjectError extends ExpectedError {
  constructor(message: string, hint?: string) {
    super('not_found', message, { hint });
  }
}

const TYPES = ['brand', 'competitor', 'prompt'] as const;
type OwnRecord = RecordOf<(typeof TYPES)[number]>;

/** @throws ExpectedError `not_found` for a brand that does not exist, is archived, or has no active prompt */
export async function subjectOfDatabase(db: Knex, brand: string): Promise<Subject> {
  const records: OwnRecord[] = [];
  for await (const record of exportBrand(db, brand, TYPES)) {
    if (isOwn(record, brand)) records.push(record);
  }
  return subjectOf(records, brand, 'the database', {
    stored: storedRuns(db, brand),
    days: () => daysOf(db, brand),
  });
}

const storedRuns = (db: Knex, brand: string) => async (ids: readonly string[]) => {
  const [found] = await brandKeyOf(db, { id: brand });
  if (found === undefined) return new Set<string>();
  const { rows } = await db.raw(STORED_RUNS, { brandKey: found.brandKey, ids: [...ids] });
  return new Set<string>(rows.map(({ id }: { id: string }) => id));
};

async function daysOf(db: Knex, brand: string): Promise<string[]> {
  const [found] = await brandKeyOf(db, { id: brand });
  return found === undefined ? [] : (await daysWithRuns(db, found)).map(({ day }) => day);
}

/**
 * @param source The bytes of a dataset file, gzipped or not.
 * @param name The name of the file, for messages.
 * @throws DatasetError for invalid lines.
 */
export async function subjectOfDataset(
  source: AsyncIterable<Uint8Array>,
  brand: string,
  name: string,
): Promise<Subject> {
  const problems = new Problems();
  const records = new Map<string, { readonly line: number; readonly record: OwnRecord }>();
  const runs = new Set<string>();
  const days = new Set<string>();
  for await (const group of linesOf(source)) {
    for (const line of group) {
      const record = parseLine(line, problems);
      if (record?.type === 'run' && record.brand === brand) {
        runs.add(record.id);
        days.add(utcDay(new Date(record.collected_at)));
      }
      if (!record || !isOwn(record, brand)) continue;
      const key = `${record.type} ${record.id}`;
      const first = records.get(key);
      if (!first) records.set(key, { line: line.number, record });
      else if (!isDeepStrictEqual(first.record, record)) {
        const expected = `expected the same ${record.type} as on line ${first.line}, or another id`;
        problems.add(line.number, null, expected);
      }
    }
  }
  if (problems.count > 0) throw new DatasetError(problems);
  const own = [...records.values()].map(({ record }) => record);
  return subjectOf(own, brand, name, { stored: async () => runs, days: async () => [...days] });
}

const isOwn = (record: DatasetRecord, brand: string): record is OwnRecord =>
  record.type === 'brand'
    ? record.id === brand
    : (record.type === 'competitor' || record.type === 'prompt') && record.brand === brand;

/** @param records Those of the brand. */
function subjectOf(
  records: readonly OwnRecord[],
  id: string,
  source: string,
  past: Pick<Subject, 'stored' | 'days'>,
): Subject {
  const brand = records.find((record) => record.type === 'brand');
  if (!brand) {
    const hint = '`svc admin apply` adds the brand of svc.toml, which `svc init` writes.';
    throw new SubjectError(`No brand ${JSON.stringify(id)} in ${source}.`, hint);
  }
  if (brand.archived_at != null) throw new SubjectError(`The brand ${id} is archived: it takes no new runs.`);
  const prompts = records.flatMap((record) =>
    record.type === 'prompt' && record.active !== false ? [record] : [],
  );
  if (prompts.length === 0)
    throw new ExpectedError('not_found', `The brand ${id} has no active prompt in ${source}.`);
  const competitors = records.flatMap((record) =>
    record.type === 'competitor' && record.retired_at == null ? [record] : [],
  );
  const tracked = [brand, ...competitors].map(({ name, aliases }) => [name, ...(aliases ?? [])]);
  return { brand, prompts, tracked, ...past };
}
