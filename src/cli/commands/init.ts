import { existsSync } from 'node:fs';
import { boolean, integer, string } from '@oclif/core/flags';
import type { Draft, Engines, Owner, Planned, Prompts } from '../../collect/draft.js';
import type { CollectPlan } from '../../collect/plan/plan.js';
import type { Proposals } from '../../collect/propose.js';
import { failureKindOf } from '../../contract/failure.js';
import { MOST_QUERIES } from '../../contract/limits.js';
import { PLAN_FILE } from '../../contract/paths.js';
import { printable } from '../../contract/printable.js';
import { hostOf, type Rival, rivalOf } from '../../contract/stated-names.js';
import { explained } from '../base/admin-command.js';
import { BaseCommand } from '../base/base-command.js';
import { ask } from '../base/prompt.js';
import { currentTime } from '../clock.js';
import {
  accepted,
  costView,
  enginesNamed,
  enginesOfPlan,
  isYes,
  promptsOfFile,
} from '../collect/init-draft.js';
import { asked, revised, type Stated } from '../collect/init-questions.js';
import { CommandError } from '../command-error.js';
import { Document } from '../render/document.js';
import { outputWidth, print, wrapped } from '../render/terminal.js';
import { counted, usd } from '../render/view.js';

const drafts = () => import('../../collect/draft.js');

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
      description: `The most search queries that become prompts (default ${MOST_QUERIES})`,
      helpValue: 'N',
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
    if (existsSync(PLAN_FILE)) throw exists();
    await explained(async () => {
      const { plannedOf } = await drafts();
      if (process.stdin.isTTY !== true) {
        const draft = await complete(flags);
        const planned = plannedOf(draft);
        const proposals = await this.#proposals(flags, draft, false);
        if (!flags.json) await print(costText(planned));
        return this.#write(flags, planned, proposals);
      }
      const stated = await statedIn(flags);
      const typed = await asked(stated);
      const proposals = await this.#proposals(flags, typed, true);
      const taken = await withProposals(typed, proposals && (await accepted(proposals)));
      const draft = await revised(taken, stated, async (each) => {
        if (!flags.json) await print(costText(plannedOf(each)));
      });
      await this.#write(flags, plannedOf(draft), null);
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
    const endpoint = planOf(draft.engines, PLAN_FILE).extraction!;
    const { propose } = await import('../../collect/propose.js');
    const known = {
      names: [draft.name, ...draft.aliases],
      domain: draft.domain,
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

  async #write(flags: Flags, planned: Planned, offered: Proposals | null): Promise<void> {
    const { brand, toml, plan, costs, cost_usd_per_day, notes, draft } = planned;
    const { createFile } = await import('../../collect/settings/replace-file.js');
    if (!(await createFile(PLAN_FILE, toml))) throw exists();
    const next = nextCommands(plan, process.env);
    const proposals = offered ?? { competitors: [], prompts: [] };
    if (flags.json) {
      const counts = { prompts: draft.prompts.prompts.length, competitors: draft.competitors.length };
      const head = { file: PLAN_FILE, brand, ...counts, cost_usd_per_day };
      return print(`${JSON.stringify({ ...head, calls: costs, notes, proposals, next })}\n`);
    }
    for (const line of offered ? proposalLines(proposals) : []) this.#note(line);
    return print(
      ['', `${PLAN_FILE} is written. Next:`, '', ...next.map((each) => `  ${each}`), ''].join('\n'),
    );
  }

  #note(line: string): void {
    process.stderr.write(`${wrapped(line, process.stderr.columns).join('\n')}\n`);
  }
}

const exists = (): CommandError =>
  new CommandError('usage', `This folder has ${PLAN_FILE} already, and it is not overwritten.`, {
    hint: 'Edit it; `svc admin apply` shows what changes by that.',
  });

// What the flags say.

/** @throws CommandError `usage`, PlanError */
async function statedIn(flags: Flags): Promise<Stated> {
  const { requireRegion } = await drafts();
  // What a flag states wrongly is said before anything is typed.
  requireRegion(flags.region);
  const { name, domain, alias, competitor } = flags;
  const competitors = competitor?.map(rivalOf);
  await requireNames(
    {
      name: name?.trim() ?? null,
      domain: domain === undefined ? null : hostOf(domain),
      aliases: alias ?? [],
    },
    competitors ?? [],
  );
  return {
    values: {
      ...(name === undefined ? {} : { name: name.trim() }),
      ...(domain === undefined ? {} : { domain: hostOf(domain) }),
      ...(alias === undefined ? {} : { aliases: alias }),
      ...(competitors === undefined ? {} : { competitors }),
      ...(flags.plan === undefined && flags.engine === undefined ? {} : { engines: await enginesIn(flags) }),
    },
    prompts:
      flags.prompts === undefined && flags.prompt === undefined ? null : (owner) => promptsOf(flags, owner),
    region: flags.region,
    most: flags['most-prompts'] ?? MOST_QUERIES,
  };
}

/** Without a terminal the flags say everything. @throws CommandError `usage`, PlanError */
async function complete(flags: Flags): Promise<Draft> {
  const missing = [
    ...(flags.name === undefined ? ['--name NAME'] : []),
    ...(flags.domain === undefined ? ['--domain HOST'] : []),
    ...(flags.prompts === undefined && flags.prompt === undefined ? ['--prompts FILE or --prompt TEXT'] : []),
  ];
  if (missing.length > 0) {
    const what = `Missing ${missing.length === 1 ? 'flag' : 'flags'}: ${missing.join(' and ')}`;
    throw new CommandError('usage', `${what}. Standard input is not a terminal, so nothing can be asked.`);
  }
  const { values, prompts } = await statedIn(flags);
  const { name, domain, aliases = [], competitors = [], engines = await enginesIn(flags) } = values;
  const own = { name: name!, domain: domain!, aliases, competitors, engines };
  return { ...own, prompts: await prompts!({ names: [own.name, ...aliases], domain: own.domain }) };
}

/** @throws CommandError `usage` that names the flags. */
async function requireNames(
  { name, domain, aliases }: { name: string | null; domain: string | null; aliases: readonly string[] },
  competitors: readonly Rival[],
): Promise<void> {
  const { distinct, nameFault, siteFault } = await drafts();
  const stated = [
    ...(name === null ? [] : [['--name', nameFault, name] as const]),
    ...(domain === null ? [] : [['--domain', siteFault, domain] as const]),
    ...aliases.map((alias) => ['--alias', nameFault, alias] as const),
    ...competitors.flatMap((rival) => [
      ['--competitor', nameFault, rival.name] as const,
      ...(rival.domain === null ? [] : [['--competitor', siteFault, rival.domain] as const]),
    ]),
  ] as const;
  const faults = stated.flatMap(([flag, faultOf, value]) => {
    const fault = faultOf(value);
    const got = value === '' ? 'an empty text' : printable(value.slice(0, 60));
    return fault === null ? [] : [`${flag}: ${fault}, got ${got}`];
  });
  const rivals = competitors.map((rival) => rival.name);
  const double = rivals.length - distinct(rivals, [...(name === null ? [] : [name]), ...aliases]).length;
  if (double > 0)
    faults.push(`--competitor: ${counted(double, 'name is', 'names are')} that of another or of the brand`);
  if (faults.length > 0) throw new CommandError('usage', `${faults.join('; ')}.`);
}

async function promptsOf(flags: Flags, owner: Owner): Promise<Prompts> {
  const { distinct, promptOf } = await drafts();
  const stated = flags.prompt ?? [];
  const typed = distinct(stated, []).map((each) => promptOf(each));
  const double = stated.length - typed.length;
  const notes = double === 0 ? [] : [`${counted(double, 'prompt')} with the words of another left out.`];
  if (flags.prompts === undefined) return { prompts: typed, file: null, notes };
  const most = flags['most-prompts'] ?? MOST_QUERIES;
  const read = await promptsOfFile(flags.prompts, owner, most);
  return typed.length === 0 ? read : { ...read, prompts: [...read.prompts, ...typed], file: null };
}

const enginesIn = ({ plan, engine = [], region }: Flags): Promise<Engines> =>
  plan === undefined ? enginesNamed(engine, region) : enginesOfPlan(plan);

/** A prompt or a competitor that was accepted needs no file of its own. */
async function withProposals(draft: Draft, taken: Proposals | null): Promise<Draft> {
  if (taken === null) return draft;
  const { promptOf } = await drafts();
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

const DAYS = 30;

function costText({ costs, draft, cost_usd_per_day: sum, notes }: Planned): string {
  const prompts = draft.prompts.prompts.length;
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
      ? [`svc serve --plan ${PLAN_FILE}`]
      : ['svc admin apply', 'svc admin import FILE', 'API_ACCESS_KEY=$(openssl rand -base64 32) svc serve']),
  ];
}
