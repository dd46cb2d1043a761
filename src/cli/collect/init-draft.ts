/** What `svc init` knows before it writes a file: from flags, and on a terminal from questions. */

import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import type { DayCost } from '../../collect/day-cost.js';
import type { ChosenQueries } from '../../collect/plan/prompt-files.js';
import type { NewPlan } from '../../collect/plan/write-plan.js';
import type { Proposals } from '../../collect/propose.js';
import { failureKindOf } from '../../contract/failure.js';
import { printable } from '../../contract/printable.js';
import type { CatalogPrompt } from '../../server/intake/dataset/apply-catalog.js';
import { ask, askLines } from '../base/prompt.js';
import { CommandError } from '../command-error.js';
import { unreadable } from '../failure/import-failure.js';
import { count, counted, type TableView, text, usd } from '../render/view.js';
import { suggestion } from '../suggestion.js';

export const FILE = 'svc.toml';

export type Rival = NewPlan['competitors'][number];
export type Engines = Pick<NewPlan, 'samples' | 'targets' | 'extraction'>;

export interface Prompts {
  readonly prompts: readonly CatalogPrompt[];
  /** The CSV file that can stay where they are; null: they belong into svc.toml. */
  readonly file: string | null;
  /** What was left out of an export of Search Console. */
  readonly notes: readonly string[];
}

/** What `svc init` knows before it writes. */
export interface Draft {
  readonly name: string;
  readonly domain: string;
  readonly aliases: readonly string[];
  readonly engines: Engines;
  readonly competitors: readonly Rival[];
  readonly prompts: Prompts;
}

export const promptOf = (text: string, topic: string | null = null): CatalogPrompt => ({
  ...{ text: text.replace(/\s+/gu, ' ').trim(), topic, tags: [], was: [] },
});

export interface Owner {
  readonly names: readonly string[];
  readonly domain: string;
}

/** @throws CommandError `usage`, PlanError */
export async function promptsIn(file: string, { names, domain }: Owner, most: number): Promise<Prompts> {
  const { parsePrompts, promptsFromQueries } = await import('../../collect/plan/prompt-files.js');
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(file, error.code);
  });
  const read = parsePrompts(bytes, file);
  if (read.kind === 'prompts')
    return { prompts: read.prompts, file: read.form === 'csv' ? relative('', file) : null, notes: [] };
  const chosen = promptsFromQueries(read.queries, { names, domain, most });
  const notes = queryNotes(read.queries.length, chosen);
  if (chosen.prompts.length === 0) throw new CommandError('usage', `${file}: ${notes.join(' ')}`);
  return { prompts: chosen.prompts, file: null, notes };
}

/** Says which prompts name the brand or a competitor; null: none. */
export async function namingNote({ name, aliases, competitors, prompts }: Draft): Promise<string | null> {
  const { textNames } = await import('../../collect/plan/prompt-files.js');
  const isNaming = textNames([name, ...aliases, ...competitors.map((rival) => rival.name)]);
  const naming = prompts.prompts.filter((prompt) => isNaming(prompt.text));
  if (naming.length === 0) return null;
  const examples = naming.slice(0, SHOWN).map((prompt) => `“${printable(prompt.text)}”`);
  const more = naming.length > SHOWN ? ` and ${naming.length - SHOWN} more` : '';
  const what = `${counted(naming.length, 'prompt names', 'prompts name')} the brand or a competitor`;
  return `${what}: ${examples.join(', ')}${more}. Answers mostly name what the question names; a tag of their own keeps them apart.`;
}

const SHOWN = 3;

export const costView: TableView<DayCost> = {
  noun: 'engines',
  columns: [
    text('engine', (row) => row.engine ?? 'extraction'),
    text('model', (row) => row.model, { room: 'flexible' }),
    count('calls a day', (row) => row.calls),
    text('about', (row) => (row.cost_usd === null ? null : usd(row.cost_usd)), {
      absence: 'not known: a price is not stated',
    }),
  ],
};

const REASONS: Readonly<Record<keyof ChosenQueries['left'], string>> = {
  address: 'with an address',
  own: 'with the name of the brand',
  short: 'of fewer than three words',
  double: 'of the same words as another',
  beyond: 'with fewer impressions (--most-prompts takes more)',
};

function queryNotes(all: number, { prompts, left }: ChosenQueries): string[] {
  const reasons = Object.entries(REASONS).flatMap(([rule, words]) => {
    const count = left[rule as keyof typeof left];
    return count === 0 ? [] : [`${count} ${words}`];
  });
  const what = `${prompts.length} of ${counted(all, 'search query', 'search queries')} become prompts`;
  return [`${what}${reasons.length > 0 ? `; left out: ${reasons.join(', ')}` : ''}.`];
}

/** @throws CommandError `usage` for an engine without a suggestion. */
export async function enginesNamed(names: readonly string[], region: string): Promise<Engines> {
  const { suggestedEngines, suggestedExtraction, suggestedTarget } = await import(
    '../../collect/plan/suggested.js'
  );
  const stated = [...new Set(names.flatMap((each) => each.split(',')).map((each) => each.trim()))];
  const engines = stated.map((name) => {
    const engine = suggestedEngines.find((each) => each === name.toLowerCase());
    if (engine !== undefined) return engine;
    const near = suggestion(name, [...suggestedEngines]);
    throw new CommandError('usage', `--engine: expected ${suggestedEngines.join(', ')}, got ${name}.${near}`);
  });
  const targets = engines.map((engine) => suggestedTarget(engine, region));
  return { samples: 1, targets, extraction: suggestedExtraction(engines) };
}

/** @throws CommandError `usage`, PlanError */
export async function enginesOfPlan(file: string): Promise<Engines> {
  const { enginesOf } = await import('../../collect/plan/write-plan.js');
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw unreadable(file, error.code);
  });
  return enginesOf(text, file);
}

// Questions.

export const listOf = (answer: string): string[] =>
  answer
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

/** What was typed twice is one; so is what is known. */
export async function distinct(
  typed: readonly string[],
  known: readonly string[],
  textOf: (each: string) => string = (each) => each,
): Promise<string[]> {
  const { foldText } = await import('../../server/intake/dataset/catalog-ids.js');
  const seen = new Set(known.map(foldText));
  return typed.filter((each) => {
    const text = foldText(textOf(each));
    const isNew = !seen.has(text);
    seen.add(text);
    return isNew;
  });
}

export const isYes = (answer: string): boolean => /^y(?:es)?$/i.test(answer);

/** Prompts from a file whose name is typed, or typed one a line. */
export async function askPrompts(owner: Owner, most: number): Promise<Prompts> {
  for (;;) {
    const file = await ask(
      'File with prompts (text, CSV, or an export of Search Console; empty: type them): ',
    );
    if (file === '') {
      const lines = await askLines(
        'Prompts, one a line, as people ask an engine; an empty line ends the list:',
      );
      const prompts = (await distinct(lines, [])).map((line) => promptOf(line));
      return { prompts, file: null, notes: [] };
    }
    try {
      return await promptsIn(file, owner, most);
    } catch (error) {
      if (!(error instanceof CommandError) && failureKindOf(error) === undefined) throw error;
      process.stderr.write(`${(error as Error).message}\n`);
    }
  }
}

/** Offers each proposal; only those with a yes are taken. */
export async function accepted({ competitors, prompts }: Proposals): Promise<Proposals> {
  const total = competitors.length + prompts.length;
  process.stderr.write(`${counted(total, 'proposal')} of the model: y takes one, q ends the list.\n`);
  const rivals: Rival[] = [];
  const questions: Proposals['prompts'][number][] = [];
  const offers = [
    ...competitors.map((each) => ({
      text: `competitor ${each.name}${each.domain === null ? '' : ` (${each.domain})`}`,
      take: () => rivals.push(each),
    })),
    ...prompts.map((each) => ({
      text: `prompt ${each.text}${each.topic === null ? '' : ` (${each.topic})`}`,
      take: () => questions.push(each),
    })),
  ];
  for (const { text, take } of offers) {
    const answer = await ask(`Proposed ${printable(text)}. Take it? [y/N/q] `);
    if (/^q(?:uit)?$/i.test(answer)) break;
    if (isYes(answer)) take();
  }
  return { competitors: rivals, prompts: questions };
}
