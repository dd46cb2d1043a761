/** Reads a svc.toml and the file with prompts that it may name. */
import { type BigIntStats, createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { ExpectedError } from '../../contract/failure.js';
import type { Catalog } from '../../server/intake/dataset/apply-catalog.js';
import { catalogOf, markFaults, type Schedule, scheduleOf } from './catalog-shape.js';
import { PlanError, parsePlan, parsePlanFile } from './parse-plan.js';
import type { CollectPlan } from './plan.js';
import { parsePrompts } from './prompt-files.js';

export interface ReadPlan {
  readonly plan: CollectPlan;
  /** Null: the file has no brand. */
  readonly catalog: Catalog | null;
  /** Null: no server collects by itself. */
  readonly schedule: Schedule | null;
  /** What was read: the file, and that of its prompts. */
  readonly files: readonly string[];
}

/** A plan is about a page of text for each brand, and prompts are a line each. */
const MAX_BYTES = 8 * 1024 * 1024;

/** The bytes of files by their path. */
export type Contents = ReadonlyMap<string, Uint8Array>;

/**
 * @param needsTargets Whether a file that only says what is tracked is refused.
 * @param instead What files will have, of those that are not read.
 * @throws PlanError; the error of Node, with a path, if a file cannot be read.
 */
export async function readPlanFile(
  file: string,
  needsTargets: boolean,
  instead: Contents = new Map(),
): Promise<ReadPlan> {
  const parse = needsTargets ? parsePlan : parsePlanFile;
  const bytes = Buffer.from(instead.get(file) ?? (await limited(file)));
  const { catalog: stated, ...plan } = parse(bytes.toString('utf8'), file);
  const { prompts: name } = stated;
  const other = name === null ? [] : [resolve(dirname(file), name)];
  const prompts = name === null ? null : await readPrompts(await beside(file, name), instead);
  const catalog = catalogOf(stated, prompts);
  const faults = catalog === null ? [] : markFaults(catalog);
  if (faults.length > 0)
    throw new PlanError(
      file,
      faults.map((message) => ({ line: 1, field: 'mark', message })),
    );
  return { plan, catalog, schedule: scheduleOf(stated), files: [file, ...other] };
}

/**
 * The path of a file that a plan names: in the folder of the plan or below, because its lines are sent to engines.
 * @throws PlanError
 */
async function beside(plan: string, name: string): Promise<string> {
  const folder = dirname(plan);
  const file = resolve(folder, name);
  const place = relative(await realpath(folder), await realpath(file));
  if (place !== '..' && !place.startsWith(`..${sep}`) && !isAbsolute(place)) return file;
  const message = `expected a file in the folder of the plan or below it, got ${name}`;
  throw new PlanError(plan, [{ line: 1, field: 'prompts', message }]);
}

async function readPrompts(file: string, instead: Contents) {
  const read = parsePrompts(instead.get(file) ?? (await limited(file)), file);
  if (read.kind === 'prompts') return read.prompts;
  const message =
    'is an export of Search Console: `svc init --prompts` chooses the queries that become prompts';
  throw new PlanError(file, [{ line: 1, field: null, message }]);
}

/** The bytes of a file or a pipe; a device may have no end. */
export async function limited(file: string): Promise<Buffer> {
  const refuse = (message: string) => new PlanError(file, [{ line: 1, field: null, message }]);
  const found = await stat(file);
  if (!found.isFile() && !found.isFIFO() && !found.isDirectory())
    throw refuse('expected a file, got a device');
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BYTES) throw refuse(`expected at most ${MAX_BYTES} bytes, got more`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A file system may note equal times for two changes that are as close as this. */
const SETTLED_MS = 2000;

/** Reads a plan again only if one of its files was replaced or changed. */
export class PlanReader {
  readonly #file: string;
  readonly #clock: () => Date;
  #last: { readonly read: ReadPlan; readonly marks: string } | null = null;

  constructor(file: string, clock: () => Date) {
    this.#file = file;
    this.#clock = clock;
  }

  /**
   * @returns The same object while nothing has changed.
   * @throws as `readPlanFile`
   */
  async read(): Promise<ReadPlan> {
    const last = this.#last;
    if (last && (await this.#marksOf(last.read.files)) === last.marks) return last.read;
    this.#last = null;
    const before = await this.#marksOf([this.#file]);
    const read = await readPlanFile(this.#file, false);
    const marks = await this.#marksOf(read.files);
    if (before !== null && marks?.startsWith(before)) this.#last = { read, marks };
    return read;
  }

  /** Which files these are, and when they were changed; null: one was changed just now. */
  async #marksOf(files: readonly string[]): Promise<string | null> {
    const found = await Promise.all(files.map((file) => stat(file, { bigint: true }).catch(() => null)));
    const isSettled = (each: BigIntStats | null) =>
      each !== null && this.#clock().getTime() - Number(each.ctimeMs) > SETTLED_MS;
    return found.every(isSettled)
      ? found
          .map((each) => `${each!.dev} ${each!.ino} ${each!.size} ${each!.mtimeNs} ${each!.ctimeNs}`)
          .join()
      : null;
  }
}

/**
 * Refuses several plans of one brand, each of which would collect it. A plan that cannot be read is told elsewhere.
 * @throws ExpectedError `usage`
 */
export async function requireBrandsApart(files: readonly string[]): Promise<void> {
  const owners = new Map<string, string>();
  for (const file of files) {
    const read = await readPlanFile(file, false).catch(() => null);
    const id = read?.catalog?.brand.id;
    if (id === undefined) continue;
    const owner = owners.get(id);
    if (owner !== undefined) throw new ExpectedError('usage', sameBrand(file, owner, id));
    owners.set(id, file);
  }
}

/** Why a plan cannot be used beside another one. */
export const sameBrand = (file: string, owner: string, id: string): string =>
  `${file} has the brand ${id}, as ${owner} has: expected one plan for each brand.`;
