/** What `svc init` knows before it writes a file: from flags, and on a terminal from questions. */

import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import type { DayCost } from '../../collect/day-cost.js';
import type { Engines, Owner, Prompts } from '../../collect/draft.js';
import type { Proposals } from '../../collect/propose.js';
import { failureKindOf } from '../../contract/failure.js';
import { printable } from '../../contract/printable.js';
import type { Rival } from '../../contract/stated-names.js';
import { ask, askLines } from '../base/prompt.js';
import { CommandError } from '../command-error.js';
import { unreadable } from '../failure/import-failure.js';
import { count, counted, type TableView, text, usd } from '../render/view.js';
import { suggestion } from '../suggestion.js';

/** @throws CommandError `usage`, PlanError */
export async function promptsOfFile(file: string, owner: Owner, most: number): Promise<Prompts> {
  const { promptsIn } = await import('../../collect/draft.js');
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(file, error.code);
  });
  const read = promptsIn(bytes, file, { ...owner, most, more: '--most-prompts takes more' });
  if (read.prompts.length === 0) throw new CommandError('usage', `${file}: ${read.notes.join(' ')}`);
  return read.file === null ? read : { ...read, file: relative('', file) };
}

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

/** @throws CommandError `usage` for an engine without a suggestion. */
export async function enginesNamed(names: readonly string[], region: string): Promise<Engines> {
  const { enginesOf } = await import('../../collect/draft.js');
  const { suggestedEngines } = await import('../../collect/plan/suggested.js');
  const stated = [...new Set(names.flatMap((each) => each.split(',')).map((each) => each.trim()))];
  const engines = stated.map((name) => {
    const engine = suggestedEngines.find((each) => each === name.toLowerCase());
    if (engine !== undefined) return engine;
    const near = suggestion(name, [...suggestedEngines]);
    throw new CommandError('usage', `--engine: expected ${suggestedEngines.join(', ')}, got ${name}.${near}`);
  });
  return enginesOf(engines, region);
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
      const { distinct, promptOf } = await import('../../collect/draft.js');
      const prompts = distinct(lines, []).map((line) => promptOf(line));
      return { prompts, file: null, notes: [] };
    }
    try {
      return await promptsOfFile(file, owner, most);
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
