import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { boolean, integer, string } from '@oclif/core/flags';
import type { DayCost } from '../../collect/day-cost.js';
import type { CollectPlan } from '../../collect/plan/plan.js';
import type { Proposals } from '../../collect/propose.js';
import { failureKindOf } from '../../contract/failure.js';
import { printable } from '../../contract/printable.js';
import { explained } from '../base/admin-command.js';
import { BaseCommand } from '../base/base-command.js';
import { ask, confirm } from '../base/prompt.js';
import { currentTime } from '../clock.js';
import {
  accepted,
  askPrompts,
  askValid,
  distinct,
  type Engines,
  enginesNamed,
  enginesOfPlan,
  hostOf,
  isYes,
  listOf,
  type Prompts,
  promptOf,
  promptsIn,
  type Rival,
  rivalOf,
} from '../collect/init-draft.js';
import { CommandError } from '../failure/command-error.js';
import { Document } from '../render/document.js';
import { outputWidth, print, wrapped } from '../render/terminal.js';
import { count, counted, type TableView, text, usd } from '../render/view.js';

const FILE = 'svc.toml';
/** More search queries than these cost more than a first look should. */
const DEFAULT_MAX_PROMPTS = 30;

interface Draft {
  readonly name: string;
  readonly domain: string;
  readonly aliases: readonly string[];
  readonly engines: Engines;
  readonly competitors: readonly Rival[];
  readonly prompts: Prompts;
}

type Flags = Awaited<ReturnType<Init['parseAll']>>;

export default class Init extends BaseCommand {
  static override inHelp = { group: 'SERVER', place: 1 };
  static override summary = 'Write svc.toml: a brand, its competitors, prompts and engines';
  static override description = [
    'Asks on a terminal; elsewhere the flags say everything. States what a day costs before it writes, and overwrites nothing.',
    'Models and prices are examples, to be compared with those of your contracts. docs/first-page.md goes on from here.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> init',
    '<%= config.bin %> init --name Fleetfoot --domain fleetfoot.example --competitor Stride=stride.example --prompts Queries.csv --engine chatgpt',
  ];
  static override flags = {
    name: string({ description: 'Name of the brand', helpValue: 'NAME' }),
    domain: string({ description: 'Its site', helpValue: 'HOST' }),
    alias: string({
      description: 'Another spelling of its name; may be repeated',
      helpValue: 'NAME',
      multiple: true,
    }),
    competitor: string({
      description: 'A competitor, with its site if it has one; may be repeated',
      helpValue: 'NAME[=HOST]',
      multiple: true,
    }),
    prompt: string({ description: 'A prompt; may be repeated', helpValue: 'TEXT', multiple: true }),
    prompts: string({
      description: 'File with prompts: one a line, CSV with topic and tags, or queries of Search Console',
      helpValue: 'FILE',
    }),
    'most-prompts': integer({
      description: `The most search queries that become prompts (default ${DEFAULT_MAX_PROMPTS})`,
      min: 1,
    }),
    engine: string({ description: 'An engine to ask; may be repeated', helpValue: 'ENGINE', multiple: true }),
    region: string({
      description: 'Country from which engines that search are asked',
      helpValue: 'CODE',
      default: 'us',
    }),
    plan: string({
      description: 'Take the engines of this plan instead of suggesting them',
      helpValue: 'FILE',
      exclusive: ['engine'],
    }),
    propose: boolean({
      description: 'Ask the extraction model for competitors and prompts; each needs a yes',
    }),
    json: boolean({ description: 'Print JSON, errors too', helpGroup: 'GLOBAL' }),
  };

  protected async parseAll() {
    return (await this.parse(Init)).flags;
  }

  override async run(): Promise<void> {
    const flags = await this.parseAll();
    if (existsSync(FILE)) throw exists();
    await explained(async () => {
      const isAsking = process.stdin.isTTY === true;
      const draft = isAsking ? await asked(flags) : await stated(flags);
      const proposals = await this.#proposals(flags, draft, isAsking);
      const taken = isAsking && proposals ? await accepted(proposals) : null;
      await this.#write(flags, withProposals(draft, taken), isAsking ? null : proposals, isAsking);
    });
  }

  /** Null: the model is not asked. */
  async #proposals(flags: Flags, draft: Draft, isAsking: boolean): Promise<Proposals | null> {
    const { extraction } = draft.engines;
    const key = extraction?.key_env === undefined ? null : process.env[String(extraction.key_env)]?.trim();
    if (extraction === null) {
      if (!flags.propose) return null;
      throw new CommandError('usage', '--propose needs an engine whose vendor has an extraction model.', {
        hint: '--engine chatgpt, claude, gemini or llama; or --plan FILE with [extraction].',
      });
    }
    if (key === undefined || key === '') {
      if (flags.propose) throw new CommandError('usage', `--propose: ${extraction.key_env} is not set.`);
      return null;
    }
    const question = `Ask ${extraction.model} for competitors and prompts (one call)? [y/N] `;
    if (!flags.propose && !(isAsking && isYes(await ask(question)))) return null;
    const { planOf } = await import('../../collect/plan/write-plan.js');
    const endpoint = planOf(draft.engines, FILE).extraction!;
    const { propose } = await import('../../collect/propose.js');
    const known = {
      ...{ names: [draft.name, ...draft.aliases], domain: draft.domain },
      competitors: draft.competitors.map(({ name }) => name),
      prompts: draft.prompts.prompts.map(({ text: prompt }) => prompt),
    };
    try {
      return await propose(
        endpoint,
        key,
        known,
        AbortSignal.timeout(endpoint.timeoutSeconds * 1000),
        currentTime,
      );
    } catch (error) {
      if (failureKindOf(error) !== 'incomplete') throw error;
      const { message } = error as Error;
      if (!isAsking) throw new CommandError('incomplete', message);
      this.#note(message);
      return null;
    }
  }

  async #write(flags: Flags, draft: Draft, offered: Proposals | null, isAsking: boolean): Promise<void> {
    const { prompts, file, notes } = draft.prompts;
    if (prompts.length === 0) throw new CommandError('usage', 'There is no prompt, so nothing can be asked.');
    const { planText } = await import('../../collect/plan/write-plan.js');
    const { parsePlanFile } = await import('../../collect/plan/parse-plan.js');
    const { derivedId } = await import('../../server/dataset/catalog-ids.js');
    const { dayCosts, sumOf } = await import('../../collect/day-cost.js');
    const { name, domain, aliases, competitors, engines } = draft;
    const brand = { id: derivedId(name), name, domain, aliases };
    const toml = planText({ brand, competitors, prompts: file ?? prompts, ...engines }, FILE);
    const plan = parsePlanFile(toml, FILE);
    const costs = dayCosts(plan, prompts.length);
    const cost_usd_per_day = sumOf(costs);
    if (!flags.json) await print(costText(costs, prompts.length, cost_usd_per_day, notes));
    if (isAsking) {
      const question = `Write ${FILE}?`;
      await confirm({
        question,
        refusal: 'Nothing was written.',
        hint: 'Run it on a terminal.',
        isUsual: true,
      });
    }
    await writeFile(FILE, toml, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST'
        ? exists()
        : new CommandError('usage', `${FILE} cannot be written (${error.code}).`);
    });
    const next = nextCommands(plan, process.env);
    const proposals = offered ?? { competitors: [], prompts: [] };
    if (flags.json) {
      const counts = { prompts: prompts.length, competitors: competitors.length };
      const head = { file: FILE, brand: brand.id, ...counts, cost_usd_per_day };
      return print(`${JSON.stringify({ ...head, calls: costs, notes, proposals, next })}\n`);
    }
    for (const line of offered ? proposalLines(proposals) : []) this.#note(line);
    return print(['', `${FILE} is written. Next:`, '', ...next.map((each) => `  ${each}`), ''].join('\n'));
  }

  #note(line: string): void {
    process.stderr.write(`${wrapped(line, process.stderr.columns).join('\n')}\n`);
  }
}

const exists = (): CommandError =>
  new CommandError('usage', `This folder has ${FILE} already, and it is not overwritten.`, {
    hint: 'Edit it; `svc admin apply` shows what changes by that.',
  });

// What the flags say, and what is asked.

async function stated(flags: Flags): Promise<Draft> {
  const missing = [
    ...(flags.name === undefined ? ['--name NAME'] : []),
    ...(flags.domain === undefined ? ['--domain HOST'] : []),
    ...(flags.prompts === undefined && flags.prompt === undefined ? ['--prompts FILE'] : []),
  ];
  if (missing.length > 0) {
    const what = `Missing ${missing.length === 1 ? 'flag' : 'flags'}: ${missing.join(' and ')}`;
    throw new CommandError('usage', `${what}. Standard input is not a terminal, so nothing can be asked.`);
  }
  const own = { name: flags.name!.trim(), domain: hostOf(flags.domain!), aliases: flags.alias ?? [] };
  const competitors = (flags.competitor ?? []).map(rivalOf);
  await requireNames(own, competitors);
  const engines = await enginesIn(flags);
  return { ...own, competitors, engines, prompts: await promptsOf(flags, own) };
}

/** @throws CommandError `usage` that names the flags. */
async function requireNames(
  { name, domain, aliases }: Pick<Draft, 'name' | 'domain' | 'aliases'>,
  competitors: readonly Rival[],
): Promise<void> {
  const { name: nameShape, domain: domainShape } = await import('../../server/dataset/records/fields.js');
  const stated = [
    ['--name', nameShape, name],
    ['--domain', domainShape, domain],
    ...aliases.map((alias) => ['--alias', nameShape, alias] as const),
    ...competitors.flatMap((rival) => [
      ['--competitor', nameShape, rival.name] as const,
      ...(rival.domain === null ? [] : [['--competitor', domainShape, rival.domain] as const]),
    ]),
  ] as const;
  const faults = stated.flatMap(([flag, shape, value]) => {
    const [issue] = shape.safeParse(value).error?.issues ?? [];
    const got = value === '' ? 'an empty text' : printable(value.slice(0, 60));
    return issue === undefined ? [] : [`${flag}: ${issue.message}, got ${got}`];
  });
  const rivals = competitors.map((rival) => rival.name);
  const double = rivals.length - (await distinct(rivals, [name, ...aliases])).length;
  if (double > 0)
    faults.push(`--competitor: ${counted(double, 'name is', 'names are')} that of another or of the brand`);
  if (faults.length > 0) throw new CommandError('usage', `${faults.join('; ')}.`);
}

async function asked(flags: Flags): Promise<Draft> {
  const { name: nameShape, domain: domainShape } = await import('../../server/dataset/records/fields.js');
  const { planOf } = await import('../../collect/plan/write-plan.js');
  // What a flag states wrongly is said before anything is typed.
  planOf(await enginesNamed(['chatgpt'], flags.region), FILE);
  const engines = flags.plan === undefined && flags.engine === undefined ? null : await enginesIn(flags);
  const faultOf = (shape: typeof nameShape, answer: string) =>
    shape.safeParse(answer).error?.issues[0]?.message ?? null;
  const name = flags.name ?? (await askValid('Name of the brand:', (each) => faultOf(nameShape, each)));
  const siteFault = (each: string) => faultOf(domainShape, hostOf(each));
  const domain = flags.domain ?? (await askValid('Its site, such as example.com:', siteFault));
  const aliases =
    flags.alias ?? listOf(await ask('Other spellings of the name, with commas (empty: none): '));
  const own = { name: name.trim(), domain: hostOf(domain), aliases: await distinct(aliases, [name]) };
  const names = [own.name, ...own.aliases];
  const question = 'Competitors, with commas, as Stride or Stride=stride.example (empty: none):';
  const rivalFault = (answer: string) => {
    const sites = listOf(answer).flatMap((rival) => rivalOf(rival).domain ?? []);
    return sites.map(siteFault).find((fault) => fault !== null) ?? null;
  };
  const rivals = flags.competitor ?? listOf(await askValid(question, rivalFault));
  const most = flags['most-prompts'] ?? DEFAULT_MAX_PROMPTS;
  const isStated = flags.prompts !== undefined || flags.prompt !== undefined;
  const prompts = isStated
    ? await promptsOf(flags, own)
    : await askPrompts({ names, domain: own.domain }, most);
  const count = Math.max(1, prompts.prompts.length);
  const competitors = await distinct(rivals, names, (each) => rivalOf(each).name);
  return {
    ...own,
    competitors: competitors.map(rivalOf),
    engines: engines ?? (await enginesNamed(await askEngines(flags.region, count), flags.region)),
    prompts,
  };
}

async function promptsOf(
  flags: Flags,
  { name, domain, aliases }: Pick<Draft, 'name' | 'domain' | 'aliases'>,
) {
  const stated = flags.prompt ?? [];
  const typed = (await distinct(stated, [])).map((each) => promptOf(each));
  const double = stated.length - typed.length;
  const notes = double === 0 ? [] : [`${counted(double, 'prompt')} with the words of another left out.`];
  if (flags.prompts === undefined) return { prompts: typed, file: null, notes };
  const most = flags['most-prompts'] ?? DEFAULT_MAX_PROMPTS;
  const read = await promptsIn(flags.prompts, { names: [name, ...aliases], domain }, most);
  return typed.length === 0 ? read : { ...read, prompts: [...read.prompts, ...typed], file: null };
}

const enginesIn = ({ plan, engine = [], region }: Flags): Promise<Engines> =>
  plan === undefined ? enginesNamed(engine, region) : enginesOfPlan(plan);

/** Shows what each engine costs a day with these prompts, and asks which are wanted. */
async function askEngines(region: string, prompts: number): Promise<string[]> {
  const { suggestedEngines } = await import('../../collect/plan/suggested.js');
  const { planOf } = await import('../../collect/plan/write-plan.js');
  const { dayCosts } = await import('../../collect/day-cost.js');
  const suggested = await enginesNamed(suggestedEngines, region);
  const document = new Document(process.stderr.columns || undefined);
  const costs = dayCosts(planOf({ ...suggested, extraction: null }, FILE), prompts);
  document.table(`A day with ${counted(prompts, 'prompt')}, at prices that are examples`, costView, costs);
  process.stderr.write(document.text);
  const answer = await askValid('Engines, with commas:', (each) => {
    const unknown = listOf(each).filter((name) => !suggestedEngines.some((engine) => engine === name));
    if (unknown.length > 0) return `expected ${suggestedEngines.join(', ')}, got ${unknown.join(', ')}`;
    return listOf(each).length === 0 ? `expected one or more of ${suggestedEngines.join(', ')}` : null;
  });
  return listOf(answer);
}

/** A prompt or a competitor that was accepted needs no file of its own. */
function withProposals(draft: Draft, taken: Proposals | null): Draft {
  if (taken === null) return draft;
  const added = taken.prompts.map(({ text: prompt, topic }) => promptOf(prompt, topic));
  const { prompts } = draft;
  return {
    ...draft,
    competitors: [...draft.competitors, ...taken.competitors],
    prompts:
      added.length === 0 ? prompts : { ...prompts, prompts: [...prompts.prompts, ...added], file: null },
  };
}

// What is printed.

const costView: TableView<DayCost> = {
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

const DAYS = 30;

function costText(
  costs: readonly DayCost[],
  prompts: number,
  sum: number | null,
  notes: readonly string[],
): string {
  const document = new Document(outputWidth());
  document.sentences(...notes);
  if (costs.length === 0) {
    document.sentences('No engine is named: answers of other tools are imported with `svc admin import`.');
    return document.text;
  }
  document.table(`${counted(prompts, 'prompt')}, once a day`, costView, costs);
  document.sentences(
    sum === null
      ? 'What a day costs is not known, because a price is not stated.'
      : `A day costs about ${usd(sum)}, ${DAYS} days about ${usd(sum * DAYS)}: tokens are assumptions, prices those of the file, which are examples.`,
  );
  return document.text;
}

const proposalLines = ({ competitors, prompts }: Proposals): string[] => [
  'Proposals of the model, which are not in the file:',
  ...competitors.map(({ name, domain }) => `  competitor ${name}${domain === null ? '' : `=${domain}`}`),
  ...prompts.map(({ text: prompt }) => `  prompt ${prompt}`),
];

/** What to type next, with the keys that are not set yet. */
function nextCommands({ targets, extraction }: CollectPlan, env: NodeJS.ProcessEnv): string[] {
  const names = [...targets, ...(extraction ? [extraction] : [])].flatMap(({ keyEnv }) => keyEnv ?? []);
  const unset = [...new Set(names)].filter((name) => !env[name]?.trim());
  return [
    ...unset.map((name) => `export ${name}=…`),
    ...(targets.length > 0
      ? [`svc serve --plan ${FILE}`]
      : ['svc admin apply', 'svc admin import FILE', 'API_ACCESS_KEY=$(openssl rand -base64 32) svc serve']),
  ];
}
