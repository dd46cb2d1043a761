/** Reads a svc.toml and the file with prompts that it may name. */
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Catalog } from '../../server/dataset/apply-catalog.js';
import { catalogOf, type Schedule, scheduleOf } from './catalog-shape.js';
import { PlanError, parsePlan, parsePlanFile } from './parse-plan.js';
import type { CollectPlan } from './plan.js';
import { parsePrompts } from './prompt-files.js';

export interface ReadPlan {
  readonly plan: CollectPlan;
  /** Null: the file has no brand. */
  readonly catalog: Catalog | null;
  /** Null: no server collects by itself. */
  readonly schedule: Schedule | null;
}

/** A plan is about a page of text for each brand, and prompts are a line each. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * @param needsTargets Whether a file that only says what is tracked is refused.
 * @throws PlanError; the error of Node, with a path, if a file cannot be read.
 */
export async function readPlanFile(file: string, needsTargets: boolean): Promise<ReadPlan> {
  const parse = needsTargets ? parsePlan : parsePlanFile;
  const bytes = await limited(file);
  const { catalog: stated, ...plan } = parse(bytes.toString('utf8'), file);
  const { prompts: name } = stated;
  const prompts = name === null ? null : await readPrompts(resolve(dirname(file), name));
  return { plan, catalog: catalogOf(stated, prompts), schedule: scheduleOf(stated) };
}

async function readPrompts(file: string) {
  const read = parsePrompts(await limited(file), file);
  if (read.kind === 'prompts') return read.prompts;
  const message =
    'is an export of Search Console: `svc init --prompts` chooses the queries that become prompts';
  throw new PlanError(file, [{ line: 1, field: null, message }]);
}

async function limited(file: string): Promise<Buffer> {
  const bytes = await readFile(file);
  if (bytes.length <= MAX_BYTES) return bytes;
  const message = `expected at most ${MAX_BYTES} bytes, got ${bytes.length}`;
  throw new PlanError(file, [{ line: 1, field: null, message }]);
}
