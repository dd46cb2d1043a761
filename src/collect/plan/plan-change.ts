/** A change of a plan as data: what a person wants, and the edits of the file that it is. */
import { z } from 'zod';
import { ExpectedError } from '../../contract/failure.js';
import { type Rival, rivalOf } from '../../contract/stated-names.js';
import { day, domain, engine } from '../../server/base/fields.js';
import type { CatalogPrompt } from '../../server/intake/dataset/apply-catalog.js';
import { foldText } from '../../server/intake/dataset/catalog-ids.js';
import { foldName } from '../../server/intake/dataset/entity-resolution.js';
import { EXPECTED } from '../../server/intake/dataset/lines.js';
import { catalogFields, MAX_PROMPTS, short } from './catalog-shape.js';
import type { TomlEdit, TomlTable, TomlValue } from './edit-toml.js';
import { usd } from './plan-shape.js';
import { parsePrompts, promptsFromQueries } from './prompt-files.js';
import { suggestedEngines, suggestedTarget } from './suggested.js';

/** The most characters of a pasted list. */
const MAX_PASTED = 2 * 1024 * 1024;
/** Search queries that become prompts, of an export that is pasted. */
const MOST_QUERIES = 30;

const texts = z.array(short).min(1, 'expected one or more').max(MAX_PROMPTS);
const spellings = z.array(short).max(1000).optional();
const pasted = z.string().max(MAX_PASTED, `expected at most ${MAX_PASTED} characters`);
const price = usd.nullable().optional();
const place = { engine, at: z.int().min(0) };

/** The changes, by what is done. */
const changeShape = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('add_prompts'),
    pasted,
    topic: short.nullable().default(null),
    tags: z.array(short).default([]),
    most: z.int().min(1).max(MAX_PROMPTS).default(MOST_QUERIES),
  }),
  z.strictObject({ do: z.literal('retire_prompts'), texts }),
  z.strictObject({
    do: z.literal('change_prompt'),
    text: short,
    to: z.strictObject({
      text: short.optional(),
      topic: short.nullable().optional(),
      tags: z.array(short).optional(),
    }),
  }),
  z.strictObject({ do: z.literal('add_competitors'), pasted }),
  z.strictObject({
    do: z.literal('change_competitor'),
    name: short,
    to: z.strictObject({
      name: short.optional(),
      domain: domain.nullable().optional(),
      aliases: spellings,
    }),
  }),
  z.strictObject({ do: z.literal('retire_competitors'), names: texts }),
  z.strictObject({
    do: z.literal('change_brand'),
    to: z.strictObject({
      name: short.optional(),
      domain: domain.optional(),
      aliases: spellings,
    }),
  }),
  z.strictObject({
    do: z.literal('change_engine'),
    ...place,
    to: z.strictObject({
      enabled: z.boolean().optional(),
      input_usd_per_mtok: price,
      output_usd_per_mtok: price,
      call_usd: price,
    }),
  }),
  z.strictObject({
    do: z.literal('add_engine'),
    engine: z.enum(suggestedEngines as readonly [string, ...string[]], {
      error: `expected one of ${suggestedEngines.join(', ')}`,
    }),
    region: z.string().regex(/^[A-Za-z]{2}$/, 'expected a two-letter country code, such as us'),
  }),
  z.strictObject({ do: z.literal('set_schedule'), schedule: catalogFields.schedule }),
  z.strictObject({ do: z.literal('add_mark'), day, text: short }),
  // What the file has and the database does not.
  z.strictObject({ do: z.literal('apply') }),
]);

export type PlanChange = z.infer<typeof changeShape>;
/** What a form or a command states. */
export type StatedChange = z.input<typeof changeShape>;

const refuse = (message: string) => new ExpectedError('usage', message);

/** @throws ExpectedError `usage` with every fault. */
export function parseChange(stated: unknown): PlanChange {
  const { data, error } = changeShape.safeParse(stated, EXPECTED);
  if (data) return data;
  const faults = error.issues.slice(0, 20).map(({ path, message }) => {
    const field = path.filter((step) => step !== 'to').join('.');
    return field === '' ? `${message}.` : `${field}: ${message}.`;
  });
  throw refuse(faults.join('\n'));
}

/** What a file states, for what is changed in it. */
export interface StatedPlan {
  readonly brand: {
    readonly name: string;
    readonly domain: string;
    readonly aliases?: readonly string[];
    readonly was?: string | readonly string[];
    readonly forget?: readonly string[];
  };
  readonly competitor?: readonly TomlTable[];
  readonly target?: readonly TomlTable[];
  readonly schedule?: TomlTable;
  readonly mark?: readonly TomlTable[];
  /** The prompts of the file, or of the file that it names. */
  readonly prompts: readonly CatalogPrompt[];
}

export interface PlannedEdits {
  readonly edits: readonly TomlEdit[];
  /** The change in words, for the list of changes. */
  readonly words: string;
  /** What was left out, and what is worth a look. */
  readonly notes: readonly string[];
}

const listed = (value: TomlValue | undefined): readonly string[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [String(value)];

const some = (values: readonly string[]): TomlValue | null => (values.length === 0 ? null : values);

/** One text is written as a text. */
const oneOrSome = (values: readonly string[]): TomlValue | null =>
  values.length === 1 ? values[0]! : some(values);

const quoted = (all: readonly string[]): string => {
  const shown = all.slice(0, 3).map((each) => `“${each.slice(0, 80)}”`);
  return all.length > 3 ? `${shown.join(', ')} and ${all.length - 3} more` : shown.join(', ');
};

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** The edits that a change is. @throws ExpectedError `usage` for what the file does not have. */
export function editsOf(change: PlanChange, plan: StatedPlan): PlannedEdits {
  switch (change.do) {
    case 'add_prompts':
      return addPrompts(change, plan);
    case 'retire_prompts':
      return retirePrompts(change.texts, plan);
    case 'change_prompt':
      return changePrompt(change, plan);
    case 'add_competitors':
      return addCompetitors(change.pasted, plan);
    case 'change_competitor':
      return changeCompetitor(change, plan);
    case 'retire_competitors': {
      const places = change.names.map((name) => competitorAt(plan, name));
      const edits = [...new Set(places)].map((at): TomlEdit => ({ kind: 'drop', table: 'competitor', at }));
      return { edits, words: `Retired ${quoted(change.names)}`, notes: [] };
    }
    case 'change_brand': {
      const edits = namedEdits('brand', undefined, plan.brand as TomlTable, change.to);
      return { edits, words: `Changed the brand ${plan.brand.name}`, notes: [] };
    }
    case 'change_engine':
      return changeEngine(change, plan);
    case 'add_engine': {
      const table = suggestedTarget(change.engine as (typeof suggestedEngines)[number], change.region);
      return {
        edits: [{ kind: 'add', list: 'target', entries: [table] }],
        words: `Added the engine ${change.engine}`,
        notes: ['Model and prices of the engine are examples: compare them with those of your contract.'],
      };
    }
    case 'set_schedule':
      return setSchedule(change.schedule, plan);
    case 'add_mark':
      return {
        edits: [{ kind: 'add', list: 'mark', entries: [{ day: change.day, text: change.text }] }],
        words: `Marked ${change.day}: ${change.text}`,
        notes: [],
      };
    case 'apply':
      return { edits: [], words: 'Applied the file', notes: [] };
  }
}

// Prompts.

function addPrompts(
  { pasted: text, topic, tags, most }: Extract<PlanChange, { do: 'add_prompts' }>,
  plan: StatedPlan,
): PlannedEdits {
  const notes: string[] = [];
  // A list without commas at all, and one with commas in its sentences, are lines.
  const read = parsePrompts(Buffer.from(text), 'pasted prompts');
  let prompts: readonly CatalogPrompt[];
  if (read.kind === 'prompts') prompts = read.prompts;
  else {
    const names = [plan.brand.name, ...(plan.brand.aliases ?? [])];
    const chosen = promptsFromQueries(read.queries, { names, domain: plan.brand.domain, most });
    prompts = chosen.prompts;
    const left = read.queries.length - prompts.length;
    if (left > 0)
      notes.push(
        `${counted(left, 'query').replace(/querys$/, 'queries')} of the export left out: addresses, names of the brand, fewer than three words, the same words again, or beyond the first ${most}.`,
      );
  }
  const known = new Set(plan.prompts.map((each) => foldText(each.text)));
  const fresh = prompts.filter((each) => !known.has(foldText(each.text)));
  if (fresh.length < prompts.length)
    notes.push(
      `${counted(prompts.length - fresh.length, 'prompt')} left out, because the plan has the same words.`,
    );
  if (fresh.length === 0) throw refuse(['No prompt is new.', ...notes].join(' '));
  const entries = fresh.map((each) =>
    promptTable({ ...each, topic: each.topic ?? topic, tags: each.tags.length > 0 ? each.tags : tags }),
  );
  const words = `Added ${counted(fresh.length, 'prompt')}: ${quoted(fresh.map((each) => each.text))}`;
  return { edits: [{ kind: 'add', list: 'prompt', entries }], words, notes };
}

const promptTable = ({ text, topic, tags, was }: CatalogPrompt): TomlTable => ({
  text,
  ...(topic === null ? {} : { topic }),
  ...(tags.length > 0 ? { tags } : {}),
  ...(was.length > 0 ? { was: oneOrSome(was)! } : {}),
});

function promptAt({ prompts }: StatedPlan, text: string): number {
  const at = prompts.findIndex((each) => foldText(each.text) === foldText(text));
  if (at === -1) throw refuse(`Expected a prompt of the plan, got “${text.slice(0, 80)}”.`);
  return at;
}

function retirePrompts(stated: readonly string[], plan: StatedPlan): PlannedEdits {
  const places = [...new Set(stated.map((text) => promptAt(plan, text)))];
  const edits = places.map((at): TomlEdit => ({ kind: 'drop', table: 'prompt', at }));
  return {
    edits: [
      ...edits,
      ...inMarks(plan, (text) => (places.some((at) => isPrompt(plan, at, text)) ? [] : [text])),
    ],
    words: `Retired ${counted(places.length, 'prompt')}: ${quoted(places.map((at) => plan.prompts[at]!.text))}`,
    notes: [],
  };
}

const isPrompt = ({ prompts }: StatedPlan, at: number, text: string): boolean =>
  foldText(prompts[at]!.text) === foldText(text);

/** Marks name prompts by their texts. One that would name none stays as it is, and is told as a fault. */
function inMarks({ mark = [] }: StatedPlan, becomes: (text: string) => string[]): TomlEdit[] {
  return mark.flatMap(({ prompts }, at): TomlEdit[] => {
    const before = listed(prompts);
    const after = before.flatMap(becomes);
    return after.length === 0 || JSON.stringify(after) === JSON.stringify(before)
      ? []
      : [{ kind: 'set', table: 'mark', at, key: 'prompts', value: after }];
  });
}

function changePrompt(
  { text, to }: Extract<PlanChange, { do: 'change_prompt' }>,
  plan: StatedPlan,
): PlannedEdits {
  const at = promptAt(plan, text);
  const before = plan.prompts[at]!;
  const set = (key: string, value: TomlValue | null): TomlEdit => ({
    kind: 'set',
    table: 'prompt',
    at,
    key,
    value,
  });
  const edits: TomlEdit[] = [];
  const isReworded = to.text !== undefined && to.text !== before.text;
  if (isReworded) {
    edits.push(set('text', to.text!));
    edits.push(...inMarks(plan, (each) => [isPrompt(plan, at, each) ? to.text! : each]));
    if (foldText(to.text!) !== foldText(before.text)) {
      const was = [...before.was, before.text].filter((each) => foldText(each) !== foldText(to.text!));
      edits.push(set('was', oneOrSome(was)));
    }
  }
  if (to.topic !== undefined && to.topic !== before.topic) edits.push(set('topic', to.topic));
  if (to.tags !== undefined && JSON.stringify(to.tags) !== JSON.stringify(before.tags))
    edits.push(set('tags', some(to.tags)));
  const words = isReworded
    ? `Reworded ${quoted([before.text])} to ${quoted([to.text!])}`
    : `Changed the prompt ${quoted([before.text])}`;
  return { edits, words, notes: [] };
}

// The brand and its rivals.

function competitorAt({ competitor = [] }: StatedPlan, name: string): number {
  const at = competitor.findIndex((each) => foldName(String(each.name)) === foldName(name));
  if (at === -1) throw refuse(`Expected a competitor of the plan, got “${name.slice(0, 80)}”.`);
  return at;
}

function addCompetitors(text: string, plan: StatedPlan): PlannedEdits {
  const stated = text
    .split(/\r?\n|\r/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(rivalOf);
  if (stated.length === 0) throw refuse('Expected one or more competitors, one a line, got none.');
  for (const { name, domain: site } of stated) {
    const parsed = z
      .strictObject({ name: short, domain: domain.nullable() })
      .safeParse({ name, domain: site }, EXPECTED);
    const [issue] = parsed.error?.issues ?? [];
    if (issue) throw refuse(`${String(issue.path[0])} of “${name.slice(0, 60)}”: ${issue.message}.`);
  }
  const seen = new Set((plan.competitor ?? []).map((each) => foldName(String(each.name))));
  const fresh = stated.filter(({ name }) => {
    const isNew = !seen.has(foldName(name));
    seen.add(foldName(name));
    return isNew;
  });
  if (fresh.length === 0) throw refuse('Every competitor is in the plan already.');
  const entry = ({ name, domain: site }: Rival): TomlTable => ({
    name,
    ...(site === null ? {} : { domain: site }),
  });
  const left = stated.length - fresh.length;
  return {
    edits: [{ kind: 'add', list: 'competitor', entries: fresh.map(entry) }],
    words: `Added ${counted(fresh.length, 'competitor')}: ${quoted(fresh.map(({ name }) => name))}`,
    notes: left === 0 ? [] : [`${counted(left, 'competitor')} left out, because the plan has the name.`],
  };
}

function changeCompetitor(
  { name, to }: Extract<PlanChange, { do: 'change_competitor' }>,
  plan: StatedPlan,
): PlannedEdits {
  const at = competitorAt(plan, name);
  const edits = namedEdits('competitor', at, plan.competitor![at]!, to);
  const isRenamed = to.name !== undefined && to.name !== name;
  const words = isRenamed
    ? `Renamed ${quoted([name])} to ${quoted([to.name!])}`
    : `Changed ${quoted([name])}`;
  return { edits, words, notes: [] };
}

interface Named {
  readonly name?: string | undefined;
  readonly domain?: string | null | undefined;
  readonly aliases?: readonly string[] | undefined;
}

/** A former name stays by `was`, and a spelling that is taken away is forgotten: the database has it otherwise. */
function namedEdits(table: string, at: number | undefined, before: TomlTable, to: Named): TomlEdit[] {
  const edits: TomlEdit[] = [];
  const set = (key: string, value: TomlValue | null) => {
    const stored = before[key] ?? null;
    if (JSON.stringify(stored) === JSON.stringify(value)) return;
    edits.push({ kind: 'set', table, ...(at === undefined ? {} : { at }), key, value });
  };
  const name = to.name ?? String(before.name);
  const isName = (each: string) => foldName(each) === foldName(name);
  const aliases = to.aliases ?? listed(before.aliases);
  const without = (all: readonly string[]) => all.filter((each) => !isName(each));
  const gone = listed(before.aliases).filter(
    (each) => !aliases.some((own) => foldName(own) === foldName(each)),
  );
  const was = listed(before.was);
  const former = isName(String(before.name)) ? was : [...without(was), String(before.name)];
  const forget = [...listed(before.forget), ...gone].filter(
    (each, place, all) =>
      !isName(each) &&
      !aliases.some((own) => foldName(own) === foldName(each)) &&
      all.findIndex((other) => foldName(other) === foldName(each)) === place,
  );
  set('name', name);
  if (to.domain !== undefined) set('domain', to.domain);
  set('aliases', some(without(aliases)));
  if (former.length !== was.length || !isName(String(before.name))) set('was', oneOrSome(former));
  set('forget', some(forget));
  return edits;
}

// Engines and the schedule.

function changeEngine(
  { at, engine: id, to }: Extract<PlanChange, { do: 'change_engine' }>,
  { target = [] }: StatedPlan,
): PlannedEdits {
  const before = target[at];
  if (before?.engine !== id) throw refuse(`The plan has no engine ${id} at place ${at + 1}.`);
  const edits = Object.entries(to).flatMap(([key, value]): TomlEdit[] => {
    const wanted = key === 'enabled' && value === true ? null : (value ?? null);
    if ((before[key] ?? null) === wanted) return [];
    return [{ kind: 'set', table: 'target', at, key, value: wanted }];
  });
  const isSwitched = to.enabled !== undefined && to.enabled !== (before.enabled ?? true);
  const words = isSwitched ? `Switched ${id} ${to.enabled ? 'on' : 'off'}` : `Changed the prices of ${id}`;
  return { edits, words, notes: [] };
}

function setSchedule(
  wanted: Extract<PlanChange, { do: 'set_schedule' }>['schedule'],
  { schedule = {} }: StatedPlan,
): PlannedEdits {
  if (wanted === null)
    return { edits: [{ kind: 'drop', table: 'schedule' }], words: 'Removed the schedule', notes: [] };
  const edits = Object.entries(wanted).flatMap(([key, value]): TomlEdit[] =>
    (schedule[key] ?? null) === value ? [] : [{ kind: 'set', table: 'schedule', key, value }],
  );
  return { edits, words: `Changed the schedule: every ${wanted.every} at ${wanted.at} UTC`, notes: [] };
}
