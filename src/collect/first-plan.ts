/** Makes the first plan of a server from the answers of a person on its page. */
import { resolve } from 'node:path';
import type { Knex } from 'knex';
import { findEngine } from '../contract/engines.js';
import { failureKindOf } from '../contract/failure.js';
import { MOST_QUERIES } from '../contract/limits.js';
import { PLAN_FILE } from '../contract/paths.js';
import { hostOf, type Rival, rivalOf } from '../contract/stated-names.js';
import { brandKeyOf } from '../server/answers/collections.js';
import type { Clock } from '../server/base/clock.js';
import { catalogChanges } from '../server/intake/dataset/apply-catalog.js';
import type {
  FirstAnswers,
  FirstFault,
  FirstOutcome,
  FirstPlan,
  MadePlan,
  OfferedEngine,
  Offers,
  Understood,
} from '../server/intake/first-plan.js';
import { dayCosts, sumOf } from './day-cost.js';
import {
  type Draft,
  distinct,
  enginesOf,
  listOf,
  nameFault,
  oneLine,
  type Planned,
  type Prompts,
  plannedOf,
  promptOf,
  promptsIn,
  requireRegion,
  rivalFault,
  siteFault,
} from './draft.js';
import { PlanError } from './plan/parse-plan.js';
import type { CollectPlan, Endpoint } from './plan/plan.js';
import { readPlanFile } from './plan/read-plan.js';
import { suggestedEngines, suggestedExtraction } from './plan/suggested.js';
import { planOf } from './plan/write-plan.js';
import { propose } from './propose.js';
import { createFile } from './settings/replace-file.js';
import { keyFaults, planKeyFaults } from './setup.js';

export interface FirstPlanOptions {
  /** Where the file is written. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /**
   * Takes the file that was written: adds its brand to the database and begins to collect.
   * @returns Why it cannot be used, and a key of the workspace of the brand, if one is made for the user of this machine.
   */
  readonly take: (file: string) => Promise<{ readonly fault: string | null; readonly key: string | null }>;
}

const US = 'us';
/** Faults of a pasted list beyond these are not told one by one. */
const TOLD = 5;

export class NewPlan implements FirstPlan {
  readonly file: string;
  readonly engines: readonly OfferedEngine[];
  readonly #options: FirstPlanOptions;
  /** A button that is pressed twice has the same end. */
  #made: (Extract<FirstOutcome, { kind: 'made' }> & { readonly toml: string }) | null = null;
  /** What is written now: two people may end at the same moment. */
  #writing: Promise<unknown> = Promise.resolve();

  constructor(options: FirstPlanOptions) {
    this.#options = options;
    this.file = resolve(options.folder, PLAN_FILE);
    this.engines = suggestedEngines.map((engine) => {
      const plan = planOf({ ...enginesOf([engine], US), extraction: null }, PLAN_FILE);
      const { keyEnv } = plan.targets[0]!;
      const { model } = enginesOf([engine], US).targets[0]!;
      return {
        engine,
        keyEnv,
        model: typeof model === 'string' ? model : null,
        keyFault: keyFaults(plan.targets, options.env)[0] ?? null,
        usd: sumOf(dayCosts(plan, 1)),
      };
    });
  }

  get made(): MadePlan | null {
    return this.#made?.plan ?? null;
  }

  proposer(engines: readonly string[]): string | null {
    return this.#endpoint(engines)?.model ?? null;
  }

  /** The extraction model of the chosen engines, else of those with a key, whose key can be used. */
  #endpoint(engines: readonly string[]): Endpoint | null {
    const keyed = this.engines.filter(({ keyEnv, keyFault }) => keyEnv !== null && keyFault === null);
    const chosen = keyed.filter(({ engine }) => engines.includes(engine));
    for (const { engine } of [...chosen, ...keyed]) {
      const extraction = suggestedExtraction([engine]);
      const endpoint = extraction && planOf({ ...enginesOf([engine], US), extraction }, PLAN_FILE).extraction;
      if (endpoint && keyFaults([endpoint], this.#options.env).length === 0) return endpoint;
    }
    return null;
  }

  async understand(db: Knex, answers: FirstAnswers): Promise<Understood> {
    const read = readDraft(answers);
    const { draft, faults } = read;
    if (faults.length > 0) return { faults };
    const planned = plannedIn(draft);
    if ('faults' in planned) return planned;
    const known = await this.#conflict(db, planned);
    if (known !== null) return { faults: [known] };
    const { brand, toml, plan, costs, cost_usd_per_day, notes } = planned;
    return {
      faults: [],
      view: {
        brand,
        toml,
        name: draft.name,
        domain: draft.domain,
        aliases: draft.aliases,
        rivals: draft.competitors,
        prompts: draft.prompts.prompts,
        usd: cost_usd_per_day,
        day: costs.map(({ engine, model, calls, cost_usd: usd }) => ({
          engine: engine === null ? null : findEngine(engine)!.id,
          model,
          calls,
          usd,
        })),
        notes: [...read.notes, ...notes],
        keyFaults: planKeyFaults(plan, this.#options.env),
      },
    };
  }

  /** Why the brand cannot be a new one of this database; null: it can. */
  async #conflict(db: Knex, { plan: _, brand, draft, toml }: Planned): Promise<FirstFault | null> {
    if ((await brandKeyOf(db, { id: brand })).length > 0)
      return {
        field: 'name',
        message: `expected a new brand: the database of this server has ${draft.name} already, with its history. The plan of another folder asks for it; begin there, or give another name`,
      };
    const contents = new Map([[this.file, Buffer.from(toml)]]);
    const { catalog } = await readPlanFile(this.file, false, contents);
    const { likely } = await catalogChanges(db, catalog!, this.#options.clock());
    const former = likely.find(({ type }) => type === 'brand')?.former;
    return former === undefined
      ? null
      : {
          field: 'domain',
          message: `expected the site of a new brand: the database of this server has ${former.name} with this site already, and ${draft.name} would begin without its history`,
        };
  }

  async propose(answers: FirstAnswers, gone: AbortSignal): Promise<Offers> {
    const endpoint = this.#endpoint(answers.engines);
    if (endpoint === null) return { refused: 'No key of an engine whose vendor has such a model is set.' };
    const { draft, faults } = readDraft(answers);
    const about = faults.find(({ field }) => field === 'name' || field === 'domain');
    if (about !== undefined)
      return { refused: `It needs the name of the brand and its site first: ${about.message}.` };
    const { env, clock } = this.#options;
    const key = endpoint.keyEnv === null ? null : (env[endpoint.keyEnv]?.trim() ?? null);
    const known = {
      names: [draft.name, ...draft.aliases],
      domain: draft.domain,
      competitors: draft.competitors.map(({ name }) => name),
      prompts: draft.prompts.prompts.map(({ text }) => text),
    };
    const signal = AbortSignal.any([gone, AbortSignal.timeout(endpoint.timeoutSeconds * 1000)]);
    try {
      const { competitors, prompts } = await propose(endpoint, key, known, signal, clock);
      return {
        rivals: competitors.flatMap((rival) => {
          const value = textOf(rival);
          return rivalFault(value) === null ? [{ value, label: value }] : [];
        }),
        prompts: prompts.map(({ text, topic }) => ({
          value: topic === null ? text : `${text}\t${topic}`,
          label: topic === null ? text : `${text} (${topic})`,
        })),
      };
    } catch (error) {
      if (failureKindOf(error) === undefined) throw error;
      return { refused: (error as Error).message };
    }
  }

  write(db: Knex, answers: FirstAnswers): Promise<FirstOutcome> {
    const own = this.#writing.then(() => this.#write(db, answers));
    this.#writing = own.catch(() => undefined);
    return own;
  }

  async #write(db: Knex, answers: FirstAnswers): Promise<FirstOutcome> {
    const { draft, faults } = readDraft(answers);
    const planned = faults.length > 0 ? { faults } : plannedIn(draft);
    if ('faults' in planned) return { kind: 'wrong', faults: planned.faults };
    const { brand, toml, plan } = planned;
    if (this.#made !== null) return this.#made.toml === toml ? this.#made : { kind: 'exists', toml };
    const conflict = await this.#conflict(db, planned);
    if (conflict !== null) return { kind: 'wrong', faults: [conflict] };
    try {
      if (!(await createFile(this.file, toml))) return { kind: 'exists', toml };
    } catch (error) {
      if (failureKindOf(error) === undefined) throw error;
      return { kind: 'refused', reason: `${(error as Error).message} Nothing was written.` };
    }
    const { fault, key } = await this.#options.take(this.file);
    if (fault !== null)
      return {
        kind: 'refused',
        reason: `${this.file} is written, and it is not in use yet: ${fault} Start the server again, which tries it again.`,
      };
    const made = { brand, name: draft.name, missing: missingKeys(plan, this.#options.env) };
    this.#made = { kind: 'made', plan: made, key, toml };
    return this.#made;
  }
}

function missingKeys(
  { targets, extraction }: CollectPlan,
  env: FirstPlanOptions['env'],
): MadePlan['missing'] {
  const endpoints: readonly Endpoint[] = extraction ? [...targets, extraction] : targets;
  const found = endpoints.flatMap((endpoint) =>
    keyFaults([endpoint], env).map((fault) => [endpoint.keyEnv!, fault] as const),
  );
  return [...new Map(found)].map(([variable, fault]) => ({ variable, fault }));
}

const textOf = ({ name, domain }: Rival): string => (domain === null ? name : `${name}, ${domain}`);

/** The plan, or the faults that only the whole file shows. */
function plannedIn(draft: Draft): Planned | { readonly faults: readonly FirstFault[] } {
  try {
    return plannedOf(draft);
  } catch (error) {
    if (failureKindOf(error) === undefined) throw error;
    return { faults: [{ field: 'prompts', message: (error as Error).message }] };
  }
}

// What the answers say. A wrong one does not keep the others from being read.

interface ReadDraft {
  readonly draft: Draft;
  readonly faults: readonly FirstFault[];
  readonly notes: readonly string[];
}

function readDraft(answers: FirstAnswers): ReadDraft {
  const faults: FirstFault[] = [];
  const notes: string[] = [];
  const wrong = (field: keyof FirstAnswers, message: string | null) => {
    if (message !== null) faults.push({ field, message });
  };
  const name = oneLine(answers.name);
  wrong('name', name === '' ? 'expected the name of the brand, as people write it' : nameFault(name));
  const domain = hostOf(answers.domain);
  const got = domain === '' ? '' : `, got ${domain.slice(0, 60)}`;
  wrong('domain', siteFault(answers.domain) && `expected its site, such as example.com${got}`);
  const aliases = distinct(listOf(oneLine(answers.aliases)), [name]);
  for (const alias of aliases) wrong('aliases', nameFault(alias));
  const lines = [...linesOf(answers.rivals), ...answers.takenRivals.map(oneLine)];
  const broken = lines.map(rivalFault).filter((each) => each !== null);
  for (const message of broken.slice(0, TOLD)) wrong('rivals', message);
  const rivals = distinct(lines, [name, ...aliases], (each) => rivalOf(each).name).map(rivalOf);
  if (rivals.length < lines.length)
    notes.push(
      `Of the rivals, ${lines.length - rivals.length} left out: named twice, or a name of the brand itself.`,
    );
  const owner = { names: [name, ...aliases], domain };
  const prompts = promptsOf(answers, owner, wrong);
  const region = answers.region.trim().toLowerCase();
  try {
    requireRegion(region);
  } catch (error) {
    if (failureKindOf(error) === undefined) throw error;
    wrong('region', 'expected the two letters of a country, such as us or de');
  }
  const engines = suggestedEngines.filter((engine) => answers.engines.includes(engine));
  const unknown = answers.engines.find((each) => !suggestedEngines.some((engine) => engine === each));
  if (unknown !== undefined)
    wrong('engines', `expected ${suggestedEngines.join(', ')}, got ${unknown.slice(0, 40)}`);
  else if (engines.length === 0) wrong('engines', 'expected one engine at least');
  const draft = {
    name,
    domain,
    aliases,
    competitors: rivals,
    prompts,
    engines: enginesOf(engines, region),
  };
  return { draft, faults, notes };
}

const linesOf = (text: string): string[] =>
  text
    .split(/\r?\n|\r/)
    .map(oneLine)
    .filter((each) => each !== '');

type Wrong = (field: keyof FirstAnswers, message: string | null) => void;

function promptsOf(
  { prompts: text, takenPrompts }: FirstAnswers,
  owner: Pick<Draft, 'domain'> & { readonly names: readonly string[] },
  wrong: Wrong,
): Prompts {
  const taken = takenPrompts.map((each) => {
    const [question = '', topic = ''] = each.split('\t');
    return promptOf(question, oneLine(topic) || null);
  });
  let read: Prompts = { prompts: [], file: null, notes: [] };
  if (text.trim() === '') {
    if (taken.length === 0) wrong('prompts', 'expected one question at least, as people ask an engine');
  } else {
    try {
      read = promptsIn(Buffer.from(text), 'prompts', { ...owner, most: MOST_QUERIES, more: '' });
      if (read.prompts.length === 0) wrong('prompts', read.notes.join(' '));
    } catch (error) {
      if (!(error instanceof PlanError)) throw error;
      for (const message of messagesOf(error)) wrong('prompts', message);
    }
  }
  const known = read.prompts.map((each) => each.text);
  const fresh = new Set(
    distinct(
      taken.map((each) => each.text),
      known,
    ),
  );
  const left = linesOf(text).filter((line) => !line.startsWith('#')).length - read.prompts.length;
  const isList = read.notes.length === 0 && read.file === null && read.prompts.length > 0;
  const notes =
    isList && left > 0 ? [`Of the questions, ${left} left out: the words of another one.`] : read.notes;
  return {
    prompts: [...read.prompts, ...taken.filter((each) => fresh.delete(each.text))],
    file: null,
    notes,
  };
}

function messagesOf({ faults }: PlanError): string[] {
  const told = faults.slice(0, TOLD).map(({ line, message }) => `line ${line}: ${message}`);
  const left = faults.length - told.length;
  return left > 0 ? [...told, `and ${left} more lines`] : told;
}
