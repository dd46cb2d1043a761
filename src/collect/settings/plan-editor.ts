/** Changes a plan: shows first what a change does to the file and to the database, then writes both. */
import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import type { Knex } from 'knex';
import { parse } from 'smol-toml';
import { ExpectedError } from '../../contract/failure.js';
import { brandKeyOf } from '../../server/answers/collections.js';
import { retried } from '../../server/database/connections.js';
import { applyCatalog, type Catalog, type CatalogChange } from '../../server/intake/dataset/apply-catalog.js';
import { requireOneOwner } from '../../server/intake/dataset/catalog-spellings.js';
import type { AfterDays } from '../../server/intake/dataset/import.js';
import {
  type ChangeOutcome,
  type FileLine,
  insertPlanChange,
  lastPlanChange,
  type ProposedChange,
} from '../../server/intake/plan-settings.js';
import { dayCosts, sumOf } from '../day-cost.js';
import { editedObject, editedText, type TomlEdit } from '../plan/edit-toml.js';
import { editsOf, type PlanChange, parseChange, type StatedPlan } from '../plan/plan-change.js';
import { textNames } from '../plan/prompt-files.js';
import { editedPrompts } from '../plan/prompts-text.js';
import { limited, type ReadPlan, readPlanFile } from '../plan/read-plan.js';
import { namesNote, notesOn } from './change-words.js';
import { differenceIn } from './difference.js';
import { replaceFile, whileLocked } from './replace-file.js';

/** A plan as it stands in its files. */
export interface PlanSource {
  readonly file: string;
  readonly toml: string;
  readonly stated: StatedPlan;
  /** The file with the prompts; null: they stand in the plan. */
  readonly prompts: { readonly path: string; readonly name: string; readonly bytes: Buffer } | null;
  readonly read: ReadPlan & { readonly catalog: Catalog };
  /** Of the bytes of all files. */
  readonly version: string;
}

/** @throws ExpectedError, PlanError, the error of Node for a file that cannot be read */
export async function readSource(file: string): Promise<PlanSource> {
  const bytes = await limited(file);
  const toml = bytes.toString('utf8');
  const own = new Map<string, Uint8Array>([[file, bytes]]);
  const read = await readPlanFile(file, false, own);
  const { catalog } = read;
  if (catalog === null) throw new ExpectedError('usage', `${file} has no [brand]: it is only a plan.`);
  const document = parse(toml) as unknown as Omit<StatedPlan, 'prompts'> & { prompts?: string };
  const { prompts: name } = document;
  const path = name === undefined ? null : resolve(dirname(file), name);
  const prompts = path === null ? null : { path, name: name!, bytes: await limited(path) };
  const hash = createHash('sha256').update(bytes);
  if (prompts) hash.update('\u0000').update(prompts.bytes);
  return {
    file,
    toml,
    prompts,
    version: hash.digest('hex'),
    stated: { ...document, prompts: catalog.prompts },
    read: { ...read, catalog },
  };
}

interface Planned {
  readonly change: PlanChange;
  readonly words: string;
  readonly proposed: ProposedChange;
  readonly changes: readonly CatalogChange[];
  /** The file that changes, and its text; null: only the database does. */
  readonly write: { readonly file: string; readonly text: string } | null;
  readonly after: PlanSource['read'];
}

const token = (version: string, change: PlanChange, changes: readonly CatalogChange[]): string =>
  createHash('sha256')
    .update(JSON.stringify([version, change, changes]))
    .digest('hex');

const UNWRITABLE =
  'cannot be changed here without touching what the change does not concern: it is written in a form that only a text editor can change.';

/** The files after a change, and what the database would change by them. @throws ExpectedError */
async function plan(db: Knex, source: PlanSource, stated: unknown, now: Date): Promise<Planned> {
  const change = parseChange(stated);
  const { edits, words, notes } = editsOf(change, source.stated);
  if (edits.length === 0 && change.do !== 'apply')
    throw new ExpectedError('usage', 'The plan says this already: nothing would change.');
  const write = edits.length === 0 ? null : newText(source, edits);
  const instead = new Map(write === null ? [] : [[write.file, Buffer.from(write.text)] as const]);
  const own = instead.has(source.file)
    ? instead
    : new Map([...instead, [source.file, Buffer.from(source.toml)]]);
  const read = await readPlanFile(source.file, false, own);
  const after = { ...read, catalog: read.catalog! };
  const { changes, likely, kept, lost, conflicts, isSearched } = await differenceIn(db, after.catalog, now);
  requireOneOwner(conflicts);
  const changed = new Set(changes.map(({ id }) => id));
  const names = isSearched ? namesNote(changes) : null;
  const before = write?.file === source.file ? source.toml : (source.prompts?.bytes.toString('utf8') ?? '');
  const lines = write === null ? [] : lineDifference(before, write.text);
  const proposed: ProposedChange = {
    token: token(source.version, change, changes),
    words,
    notes: [
      ...notes,
      ...naming(change, source, after),
      ...notesOn({ likely, kept: kept.filter(({ id }) => changed.has(id)), lost }),
      ...(names === null ? [] : [names]),
    ],
    changes,
    file: write?.file ?? source.file,
    lines: lines.slice(0, MAX_LINES),
    moreLines: Math.max(0, lines.length - MAX_LINES),
    day: { before: dayOf(source.read), after: dayOf(after) },
  };
  return { change, words, proposed, changes, write, after };
}

const MAX_LINES = 60;

function newText(source: PlanSource, edits: readonly TomlEdit[]): { file: string; text: string } {
  const { file, toml, prompts } = source;
  const ofPrompts = edits.filter((edit) => (edit.kind === 'add' ? edit.list : edit.table) === 'prompt');
  if (prompts === null || ofPrompts.length === 0) {
    const text = editedText(toml, edits);
    if (text === null) throw new ExpectedError('usage', `${file} ${UNWRITABLE}`);
    return { file, text };
  }
  if (ofPrompts.length < edits.length)
    throw new ExpectedError('usage', `A mark of ${file} names the prompt: change both with a text editor.`);
  const { prompt } = editedObject({ prompt: source.stated.prompts }, ofPrompts) as { prompt: object[] };
  const wanted = (prompt ?? []).map((each) => {
    const { text, topic = null, tags = [], was = [] } = each as Record<string, unknown>;
    return { text, topic, tags, was: [was].flat() };
  });
  const text = editedPrompts(prompts.bytes, prompts.path, ofPrompts, wanted as never);
  if (text === null) throw new ExpectedError('usage', `${prompts.path} ${UNWRITABLE}`);
  return { file: prompts.path, text };
}

/** Prompts that are new and name the brand or a rival: their answers mostly do too. */
function naming(change: PlanChange, source: PlanSource, { catalog }: Planned['after']): string[] {
  if (change.do !== 'add_prompts' && change.do !== 'change_prompt') return [];
  const { brand, competitors, prompts } = catalog;
  const known = new Set(source.stated.prompts.map(({ text }) => text));
  const isNaming = textNames(
    [brand, ...competitors.map((each) => ({ ...each, name: each.text }))].flatMap(({ name, aliases }) => [
      name,
      ...aliases,
    ]),
  );
  const found = prompts.filter(({ text }) => !known.has(text) && isNaming(text));
  if (found.length === 0) return [];
  const what = `${found.length === 1 ? 'A prompt names' : `${found.length} prompts name`} the brand or a rival`;
  return [
    `${what}, such as “${found[0]!.text.slice(0, 80)}”. Answers mostly name what the question names; a tag of their own keeps them apart.`,
  ];
}

/** The calls of a day and their cost. */
export function dayOf({ plan: stated, catalog }: Pick<PlanSource['read'], 'plan' | 'catalog'>) {
  const costs = dayCosts(stated, catalog.prompts.length);
  return { calls: costs.reduce((sum, { calls }) => sum + calls, 0), usd: sumOf(costs) };
}

/** @throws ExpectedError */
export async function proposeChange(
  db: Knex,
  file: string,
  stated: unknown,
  now: Date,
): Promise<ProposedChange> {
  return (await plan(db, await readSource(file), stated, now)).proposed;
}

export interface WriteOptions {
  readonly now: Date;
  readonly afterDays: AfterDays;
  /** Null: a command. */
  readonly keyId: string | null;
}

/**
 * Writes a change that was shown.
 * @param shown The token of what was shown: of other files, or another database, nothing is written.
 * @throws ExpectedError; if the database refuses, the file has the change, and the message says so.
 */
export function writeChange(
  db: Knex,
  file: string,
  stated: unknown,
  shown: string,
  { now, afterDays, keyId }: WriteOptions,
): Promise<ChangeOutcome> {
  return whileLocked(file, async () => {
    const source = await readSource(file);
    const planned = await plan(db, source, stated, now).catch(async (error: unknown) => {
      // The file says it already.
      if (await isLast(db, source.read.catalog.brand.id, shown)) return null;
      throw error;
    });
    if (planned === null) return { written: true };
    const { proposed, write, after, changes, words } = planned;
    if (proposed.token !== shown) return { written: false, proposed };
    if (write?.file === file) await whileSame(file, write.text);
    else if (write) await whileLocked(write.file, (path) => replaceFile(path, Buffer.from(write.text)));
    try {
      await retried(() => applyCatalog(db, after.catalog, { now, expected: changes, afterDays }));
      const [brand] = await brandKeyOf(db, { id: after.catalog.brand.id });
      if (brand)
        await insertPlanChange(db, { brandKey: brand.brandKey, at: now, words, token: shown, keyId });
    } catch (error) {
      if (write === null || !(error instanceof Error)) throw error;
      throw new ExpectedError(
        'unexpected',
        `${write.file} is written, and the database is not: ${error.message} The file has the change; \`svc admin apply\` writes it to the database.`,
      );
    }
    return { written: true };
  });
}

/** Whether a change that was shown is the newest one that was written: somebody has pressed the button twice. */
async function isLast(db: Knex, id: string, shown: string): Promise<boolean> {
  const [brand] = await brandKeyOf(db, { id });
  return brand !== undefined && (await lastPlanChange(db, brand))[0]?.token === shown;
}

/** The lock of the plan is held already. */
const whileSame = async (file: string, text: string): Promise<void> => {
  const { realpath } = await import('node:fs/promises');
  await replaceFile(await realpath(file), Buffer.from(text));
};

// What a person sees of a changed file.

/** More lines than these are not compared one by one. */
const MAX_COMPARED = 3000;

/** The lines that go and come, in the order of the file. */
export function lineDifference(before: string, after: string): FileLine[] {
  const [old, now] = [before, after].map((text) => text.split(/\r?\n/)) as [string[], string[]];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const gone = old.slice(start, old.length - end);
  const come = now.slice(start, now.length - end);
  const lines = gone.length * come.length > MAX_COMPARED ** 2 ? whole(gone, come) : compared(gone, come);
  return lines.filter(({ text }) => text.trim() !== '');
}

const whole = (gone: readonly string[], come: readonly string[]): FileLine[] => [
  ...gone.map((text) => ({ sign: '-' as const, text })),
  ...come.map((text) => ({ sign: '+' as const, text })),
];

/** The lines that differ, by the longest common subsequence. */
function compared(gone: readonly string[], come: readonly string[]): FileLine[] {
  const width = come.length + 1;
  const best = new Uint32Array((gone.length + 1) * width);
  for (let a = gone.length - 1; a >= 0; a--)
    for (let b = come.length - 1; b >= 0; b--)
      best[a * width + b] =
        gone[a] === come[b]
          ? best[(a + 1) * width + b + 1]! + 1
          : Math.max(best[(a + 1) * width + b]!, best[a * width + b + 1]!);
  const lines: FileLine[] = [];
  let [a, b] = [0, 0];
  while (a < gone.length || b < come.length) {
    if (a < gone.length && b < come.length && gone[a] === come[b]) [a, b] = [a + 1, b + 1];
    else if (b >= come.length || (a < gone.length && best[(a + 1) * width + b]! >= best[a * width + b + 1]!))
      lines.push({ sign: '-', text: gone[a++]! });
    else lines.push({ sign: '+', text: come[b++]! });
  }
  return lines;
}
