/** What is known of a brand before its svc.toml is written: from the questions of `svc init`, and from those of a server's page. */
import type { EngineId } from '../contract/engines.js';
import { ExpectedError } from '../contract/failure.js';
import { PLAN_FILE } from '../contract/paths.js';
import { printable } from '../contract/printable.js';
import { hostOf, type Rival, rivalOf } from '../contract/stated-names.js';
import { counted } from '../contract/wording.js';
import { domain as domainShape } from '../server/base/fields.js';
import type { CatalogPrompt } from '../server/intake/dataset/apply-catalog.js';
import { derivedId, foldText } from '../server/intake/dataset/catalog-ids.js';
import { type DayCost, dayCosts, sumOf } from './day-cost.js';
import { short } from './plan/catalog-shape.js';
import { parsePlanFile } from './plan/parse-plan.js';
import type { CollectPlan } from './plan/plan.js';
import { type ChosenQueries, parsePrompts, promptsFromQueries, textNames } from './plan/prompt-files.js';
import { suggestedExtraction, suggestedTarget } from './plan/suggested.js';
import { type NewPlan, planOf, planText } from './plan/write-plan.js';

export type Engines = Pick<NewPlan, 'samples' | 'targets' | 'extraction'>;

export interface Prompts {
  readonly prompts: readonly CatalogPrompt[];
  /** The CSV file that can stay where they are; null: they belong into svc.toml. */
  readonly file: string | null;
  /** What was left out of an export of Search Console. */
  readonly notes: readonly string[];
}

export interface Draft {
  readonly name: string;
  readonly domain: string;
  readonly aliases: readonly string[];
  readonly engines: Engines;
  readonly competitors: readonly Rival[];
  readonly prompts: Prompts;
}

/** Whose prompts they are: a query with one of its names is none. */
export interface Owner {
  readonly names: readonly string[];
  readonly domain: string;
}

export const oneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim();

export const promptOf = (text: string, topic: string | null = null): CatalogPrompt => ({
  text: oneLine(text),
  topic,
  tags: [],
  was: [],
});

/** The entries of a list with commas. */
export const listOf = (answer: string): string[] =>
  answer
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

/** What was typed twice is one; so is what is known. */
export function distinct(
  typed: readonly string[],
  known: readonly string[],
  textOf: (each: string) => string = (each) => each,
): string[] {
  const seen = new Set(known.map(foldText));
  return typed.filter((each) => {
    const text = foldText(textOf(each));
    const isNew = !seen.has(text);
    seen.add(text);
    return isNew;
  });
}

// What is wrong with an answer; null: nothing.

export const nameFault = (answer: string): string | null =>
  short.safeParse(answer).error?.issues[0]?.message ?? null;

export const siteFault = (answer: string): string | null =>
  domainShape.safeParse(hostOf(answer)).error?.issues[0]?.message ?? null;

/** A comma that separates no site is a list of names, and a site in the name one of sites: both would become one competitor. */
export function rivalFault(line: string): string | null {
  const { name, domain } = rivalOf(line);
  const isList = domain === null ? name.includes(',') : rivalOf(name).domain !== null;
  if (isList) return `expected one competitor a line, as Stride, stride.example, got ${name}`;
  return nameFault(name) ?? (domain === null ? null : siteFault(domain));
}

/**
 * The prompts of a text: one a line, CSV, or an export of Search Console.
 * @param file Its name, for messages.
 * @param more How more queries than `most` are taken; empty: they cannot be.
 * @returns No prompt if no query is left, with a note that says why.
 * @throws PlanError
 */
export function promptsIn(
  bytes: Uint8Array,
  file: string,
  { names, domain, most, more }: Owner & { readonly most: number; readonly more: string },
): Prompts {
  const read = parsePrompts(bytes, file);
  if (read.kind === 'prompts')
    return { prompts: read.prompts, file: read.form === 'csv' ? file : null, notes: [] };
  const chosen = promptsFromQueries(read.queries, { names, domain, most });
  const notes = queryNotes(read.queries.length, chosen, more);
  return { prompts: chosen.prompts, file: null, notes };
}

const REASONS: Readonly<Record<keyof ChosenQueries['left'], string>> = {
  address: 'with an address',
  own: 'with the name of the brand',
  short: 'of fewer than three words',
  double: 'of the same words as another',
  beyond: 'with fewer impressions',
};

function queryNotes(all: number, { prompts, left }: ChosenQueries, more: string): string[] {
  const reasons = Object.entries(REASONS).flatMap(([rule, words]) => {
    const count = left[rule as keyof typeof left];
    const how = rule === 'beyond' && more !== '' ? ` (${more})` : '';
    return count === 0 ? [] : [`${count} ${words}${how}`];
  });
  const what = `${prompts.length} of ${counted(all, 'search query', 'search queries')} become prompts`;
  return [`${what}${reasons.length > 0 ? `; left out: ${reasons.join(', ')}` : ''}.`];
}

/** Says which prompts name the brand or a competitor; null: none. */
export function namingNote({
  name,
  aliases,
  competitors,
  prompts,
}: Omit<Draft, 'engines' | 'domain'>): string | null {
  const isNaming = textNames([name, ...aliases, ...competitors.map((rival) => rival.name)]);
  const naming = prompts.prompts.filter((prompt) => isNaming(prompt.text));
  if (naming.length === 0) return null;
  const examples = naming.slice(0, SHOWN).map((prompt) => `“${printable(prompt.text)}”`);
  const more = naming.length > SHOWN ? ` and ${naming.length - SHOWN} more` : '';
  const what = `${counted(naming.length, 'prompt names', 'prompts name')} the brand or a competitor`;
  return `${what}: ${examples.join(', ')}${more}. Answers mostly name what the question names; a tag of their own keeps them apart.`;
}

const SHOWN = 3;

/** The suggestions for engines: what they are asked with, and what finds names in their answers. */
export const enginesOf = (engines: readonly EngineId[], region: string): Engines => ({
  samples: 1,
  targets: engines.map((engine) => suggestedTarget(engine, region)),
  extraction: suggestedExtraction(engines),
});

/** @throws PlanError for a region that is none. */
export const requireRegion = (region: string): void => void planOf(enginesOf(['chatgpt'], region), PLAN_FILE);

/** What would be written, and what it costs. */
export interface Planned {
  readonly draft: Draft;
  /** Its id. */
  readonly brand: string;
  readonly toml: string;
  readonly plan: CollectPlan;
  readonly costs: readonly DayCost[];
  readonly cost_usd_per_day: number | null;
  readonly notes: readonly string[];
}

/** @throws ExpectedError `usage` without a prompt, PlanError */
export function plannedOf(draft: Draft): Planned {
  const { name, domain, aliases, competitors, engines } = draft;
  const { prompts, file, notes } = draft.prompts;
  if (prompts.length === 0) throw new ExpectedError('usage', 'There is no prompt, so nothing can be asked.');
  const brand = { id: derivedId(name), name, domain, aliases };
  const toml = planText({ brand, competitors, prompts: file ?? prompts, ...engines }, PLAN_FILE);
  const plan = parsePlanFile(toml, PLAN_FILE);
  const costs = dayCosts(plan, prompts.length);
  const naming = namingNote(draft);
  return {
    draft,
    brand: brand.id,
    toml,
    plan,
    costs,
    cost_usd_per_day: sumOf(costs),
    notes: naming === null ? notes : [...notes, naming],
  };
}
