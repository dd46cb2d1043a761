/** What is asked and looked for: the brand, its competitors and its prompts, from the database or a dataset file. */
import type { Knex } from 'knex';
import { exportBrand } from '../server/dataset/export.js';
import { linesOf } from '../server/dataset/lines.js';
import { parseLine } from '../server/dataset/parse-line.js';
import { STORED_RUNS } from '../server/dataset/probes.js';
import { DatasetError, Problems } from '../server/dataset/problems.js';
import type { DatasetRecord, RecordOf } from '../server/dataset/records/index.js';
import type { TrackedNames } from './extraction/mentions.js';

export interface Subject {
  readonly brand: RecordOf<'brand'>;
  /** The active prompts. */
  readonly prompts: readonly RecordOf<'prompt'>[];
  /** The names of the brand, then those of each competitor. */
  readonly tracked: readonly TrackedNames[];
  /** The runs among these ids that exist already. */
  stored(ids: readonly string[]): Promise<ReadonlySet<string>>;
}

/** There is no such brand, or nothing to ask about it. */
export class SubjectError extends Error {
  override readonly name = 'SubjectError';
}

const TYPES = ['brand', 'competitor', 'prompt'] as const;

/** @throws SubjectError */
export async function subjectOfDatabase(db: Knex, brand: string): Promise<Subject> {
  const records: DatasetRecord[] = [];
  for await (const record of exportBrand(db, brand, TYPES)) records.push(record);
  return subjectOf(records, brand, 'the database', storedRuns(db, brand));
}

const storedRuns = (db: Knex, brand: string) => async (ids: readonly string[]) => {
  const { rows: found } = await db.raw('select brand_key from brands where id = ?', [brand]);
  if (found.length === 0) return new Set<string>();
  const { rows } = await db.raw(STORED_RUNS, { brandKey: found[0].brand_key, ids: [...ids] });
  return new Set<string>(rows.map(({ id }: { id: string }) => id));
};

/**
 * @param source The bytes of a dataset file, gzipped or not.
 * @throws DatasetError for invalid lines, SubjectError.
 */
export async function subjectOfDataset(source: AsyncIterable<Uint8Array>, brand: string): Promise<Subject> {
  const problems = new Problems();
  const records: DatasetRecord[] = [];
  const runs = new Set<string>();
  for await (const group of linesOf(source)) {
    for (const line of group) {
      const record = parseLine(line, problems);
      if (record?.type === 'run' && record.brand === brand) runs.add(record.id);
      else if (record && TYPES.some((type) => type === record.type)) records.push(record);
    }
  }
  if (problems.count > 0) throw new DatasetError(problems);
  return subjectOf(records, brand, 'the file', async () => runs);
}

function subjectOf(
  records: readonly DatasetRecord[],
  id: string,
  source: string,
  stored: Subject['stored'],
): Subject {
  const brand = records.find(
    (record): record is RecordOf<'brand'> => record.type === 'brand' && record.id === id,
  );
  if (!brand) throw new SubjectError(`No brand ${JSON.stringify(id)} in ${source}.`);
  if (brand.archived_at != null) throw new SubjectError(`The brand ${id} is archived: it takes no new runs.`);
  const prompts = records.flatMap((record) =>
    record.type === 'prompt' && record.brand === id && record.active !== false ? [record] : [],
  );
  if (prompts.length === 0) throw new SubjectError(`The brand ${id} has no active prompt in ${source}.`);
  const competitors = records.filter(
    (record): record is RecordOf<'competitor'> => record.type === 'competitor' && record.brand === id,
  );
  const tracked = [brand, ...competitors].map(({ name, aliases }) => [name, ...(aliases ?? [])]);
  return { brand, prompts, tracked, stored };
}
