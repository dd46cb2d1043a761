/** The questions of `svc init` on a terminal, and what was understood, which can be changed before the file is written. */

import type { Draft, Owner, Prompts } from '../../collect/draft.js';
import { PLAN_FILE } from '../../contract/paths.js';
import { hostOf, type Rival, rivalOf } from '../../contract/stated-names.js';
import { ask, askLines } from '../base/prompt.js';
import { CommandError } from '../command-error.js';
import { Document } from '../render/document.js';
import { counted } from '../render/view.js';
import { suggestion } from '../suggestion.js';
import { askPrompts, costView, enginesNamed, isYes } from './init-draft.js';

const drafts = () => import('../../collect/draft.js');

/** What the flags state, so that it is not asked. */
export interface Stated {
  readonly values: Partial<Omit<Draft, 'prompts'>>;
  /** Null: they state no prompts. */
  readonly prompts: ((owner: Owner) => Promise<Prompts>) | null;
  readonly region: string;
  /** The most search queries that become prompts. */
  readonly most: number;
}

interface Question {
  /** What it is about, in the list that is shown before the file is written. */
  readonly label: string;
  readonly understood: (draft: Draft) => string;
  readonly stated: (stated: Stated, draft: Draft) => Partial<Draft> | Promise<Partial<Draft>> | undefined;
  readonly ask: (draft: Draft, stated: Stated) => Promise<Partial<Draft>>;
}

const NOTHING: Draft = {
  name: '',
  domain: '',
  aliases: [],
  competitors: [],
  engines: { samples: 1, targets: [], extraction: null },
  prompts: { prompts: [], file: null, notes: [] },
};
/** So many prompts are shown before the file is written. */
const SHOWN_PROMPTS = 3;

const namesOf = ({ name, aliases }: Draft): string[] => [name, ...aliases];
const statedAs = <K extends keyof Stated['values']>(key: K) => ({
  stated: ({ values }: Stated) => (values[key] === undefined ? undefined : { [key]: values[key] }),
});

const QUESTIONS: readonly Question[] = [
  {
    label: 'Name',
    understood: ({ name }) => name,
    ...statedAs('name'),
    ask: async () => {
      const { nameFault } = await drafts();
      return { name: (await askValid('Name of the brand:', nameFault)).trim() };
    },
  },
  {
    label: 'Site',
    understood: ({ domain }) => domain,
    ...statedAs('domain'),
    ask: async () => {
      const { siteFault } = await drafts();
      return { domain: hostOf(await askValid('Its site, such as example.com:', siteFault)) };
    },
  },
  {
    label: 'Spellings',
    understood: ({ aliases }) => aliases.join(', ') || 'none',
    ...statedAs('aliases'),
    ask: async ({ name }) => {
      const { distinct, listOf } = await drafts();
      const aliases = listOf(await ask('Other spellings of the name, with commas (empty: none): '));
      return { aliases: distinct(aliases, [name]) };
    },
  },
  {
    label: 'Competitors',
    understood: ({ competitors }) => competitors.map(rivalText).join('; ') || 'none',
    ...statedAs('competitors'),
    ask: async (draft) => {
      const { distinct, rivalFault } = await drafts();
      const lines = await askLines(
        'Competitors, one a line, as Stride or Stride, stride.example; an empty line ends the list:',
        rivalFault,
      );
      const rivals = distinct(lines, namesOf(draft), (each) => rivalOf(each).name);
      return { competitors: rivals.map(rivalOf) };
    },
  },
  {
    label: 'Prompts',
    understood: ({ prompts: { prompts } }) => {
      const shown = prompts.slice(0, SHOWN_PROMPTS).map(({ text }) => text);
      const more = prompts.length - shown.length;
      return `${prompts.length}: ${[...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(' · ')}`;
    },
    stated: ({ prompts }, draft) =>
      prompts?.({ names: namesOf(draft), domain: draft.domain }).then((each) => ({ prompts: each })),
    ask: async (draft, { most }) => ({
      prompts: await askPrompts({ names: namesOf(draft), domain: draft.domain }, most),
    }),
  },
  {
    label: 'Engines',
    understood: ({ engines }) => engines.targets.map(({ engine }) => engine).join(', ') || 'none',
    ...statedAs('engines'),
    ask: async ({ prompts }, { region }) => ({
      engines: await enginesNamed(await askEngines(region, Math.max(1, prompts.prompts.length)), region),
    }),
  },
];

/** Asks what the flags do not state. @throws CommandError, PlanError */
export async function asked(stated: Stated): Promise<Draft> {
  let draft = NOTHING;
  for (const question of QUESTIONS)
    draft = { ...draft, ...(await (question.stated(stated, draft) ?? question.ask(draft, stated))) };
  return draft;
}

/**
 * Shows what was understood, and asks again for each line that is to be changed.
 * @param showCost Called before each question whether to write it.
 * @throws CommandError `interrupted` if it is not to be written.
 */
export async function revised(
  typed: Draft,
  stated: Stated,
  showCost: (draft: Draft) => Promise<void>,
): Promise<Draft> {
  for (let draft = typed; ; ) {
    await showCost(draft);
    const document = new Document(process.stderr.columns || undefined);
    document.item(
      `${PLAN_FILE} will have`,
      ['bold'],
      QUESTIONS.map(({ label, understood }, at) => [`${at + 1} ${label}  `, understood(draft)]),
    );
    process.stderr.write(`\n${document.text}`);
    const answer = await ask(`Write ${PLAN_FILE}? [Y/n, or the number of a line to change it] `);
    if (answer === '' || isYes(answer)) return draft;
    if (/^no?$/i.test(answer)) throw new CommandError('interrupted', 'Nothing was written.');
    const question = QUESTIONS[Number(answer) - 1];
    if (question) draft = await withoutOwn({ ...draft, ...(await question.ask(draft, stated)) });
    else process.stderr.write(`expected y, n or a number from 1 to ${QUESTIONS.length}, got ${answer}\n`);
  }
}

/** A name that became the brand's is no other spelling and no competitor any more. */
async function withoutOwn(draft: Draft): Promise<Draft> {
  const { distinct } = await drafts();
  const aliases = distinct(draft.aliases, [draft.name]);
  const known = namesOf({ ...draft, aliases });
  const rivals = draft.competitors.map(({ name }) => name);
  const names = new Set(distinct(rivals, known));
  return { ...draft, aliases, competitors: draft.competitors.filter(({ name }) => names.has(name)) };
}

const rivalText = ({ name, domain }: Rival): string => `${name} (${domain ?? 'no site'})`;

/** Asks until the answer is valid. @param fault What is wrong with an answer; null: nothing. */
async function askValid(question: string, fault: (answer: string) => string | null): Promise<string> {
  for (;;) {
    const answer = await ask(`${question} `);
    const wrong = fault(answer);
    if (wrong === null) return answer;
    process.stderr.write(`${wrong}\n`);
  }
}

/** Shows what each engine costs a day with these prompts, and asks which are wanted. */
async function askEngines(region: string, prompts: number): Promise<string[]> {
  const { suggestedEngines } = await import('../../collect/plan/suggested.js');
  const { planOf } = await import('../../collect/plan/write-plan.js');
  const { dayCosts } = await import('../../collect/day-cost.js');
  const { listOf } = await drafts();
  const suggested = await enginesNamed(suggestedEngines, region);
  const document = new Document(process.stderr.columns || undefined);
  const costs = dayCosts(planOf({ ...suggested, extraction: null }, PLAN_FILE), prompts);
  document.table(`A day with ${counted(prompts, 'prompt')}, at prices that are examples`, costView, costs);
  process.stderr.write(document.text);
  const answer = await askValid('Engines, with commas:', (each) => {
    const names = listOf(each);
    if (names.length === 0) return `expected one or more of ${suggestedEngines.join(', ')}`;
    const unknown = names.find((name) => !suggestedEngines.some((engine) => engine === name.toLowerCase()));
    if (unknown === undefined) return null;
    return `expected ${suggestedEngines.join(', ')}, got ${unknown}.${suggestion(unknown, [...suggestedEngines])}`;
  });
  return listOf(answer);
}
