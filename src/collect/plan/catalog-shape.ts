/** What a svc.toml has besides the plan: the brand, its competitors and prompts, and when a server collects. */
import { z } from 'zod';
import { plans } from '../../contract/keys.js';
import { day, domain, engine, id, name, text, webPage } from '../../server/base/fields.js';
import type { Catalog, CatalogMark, CatalogPrompt } from '../../server/intake/dataset/apply-catalog.js';
import { derivedId, foldText } from '../../server/intake/dataset/catalog-ids.js';
import { foldName } from '../../server/intake/dataset/entity-resolution.js';
import { hasOneChoice, ONE_CHOICE } from '../../server/intake/dataset/records/catalog.js';
import { usd } from './plan-shape.js';

const MAX_TEXT = 2000;
/** Each prompt is asked on every engine, every day. */
export const MAX_PROMPTS = 10_000;
const MAX_COMPETITORS = 1000;
const MAX_SPELLINGS = 1000;
const MAX_MARKS = 1000;
/** A list of at most so many entries. */
const atMost = (most: number) => ({ error: `expected at most ${most} entries` });
export const short = name.refine(
  (value) => value.length <= MAX_TEXT && !/[\r\n]/.test(value),
  `expected a text in one line of at most ${MAX_TEXT} characters`,
);
/** An earlier text, or several, the oldest first. */
const was = z
  .union(
    [short.transform((each) => [each]), z.array(short).max(MAX_SPELLINGS)],
    'expected a text, or a list of texts',
  )
  .default([]);

/** Besides the name, of the brand and of a competitor. */
const spellings = {
  aliases: z.array(short).max(MAX_SPELLINGS, atMost(MAX_SPELLINGS)).default([]),
  was,
  forget: z.array(short).max(MAX_SPELLINGS, atMost(MAX_SPELLINGS)).default([]),
};

export const promptShape = z.strictObject({
  text: short,
  topic: short.nullable().default(null),
  tags: z.array(short).default([]),
  was,
});

const some = <S extends z.ZodType>(item: S) =>
  z
    .array(item)
    .min(1, 'expected one entry at least')
    .max(MAX_PROMPTS, atMost(MAX_PROMPTS))
    .nullable()
    .default(null);

const markShape = z
  .strictObject({
    id: id.nullable().default(null),
    // Without quotes it is a date of TOML.
    day: z.preprocess((value) => (value instanceof Date ? value.toISOString() : value), day),
    text: short,
    url: webPage.nullable().default(null),
    prompts: some(short),
    topics: some(short),
    tags: some(short),
    pages: some(webPage),
    engines: some(engine),
  })
  .refine(hasOneChoice, ONE_CHOICE);

export const catalogFields = {
  workspace: z
    .strictObject({
      id,
      name: short.nullable().default(null),
      plan: z
        .enum(plans, { error: `expected one of ${plans.join(', ')}` })
        .nullable()
        .default(null),
    })
    .nullable()
    .default(null),
  brand: z
    .strictObject({
      id: id.nullable().default(null),
      name: short,
      domain,
      ...spellings,
    })
    .nullable()
    .default(null),
  competitor: z
    .array(
      z.strictObject({
        name: short,
        domain: domain.nullable().default(null),
        ...spellings,
      }),
      { error: 'expected [[competitor]]' },
    )
    .max(MAX_COMPETITORS, atMost(MAX_COMPETITORS))
    .default([]),
  prompt: z
    .array(promptShape, { error: 'expected [[prompt]]' })
    .max(MAX_PROMPTS, atMost(MAX_PROMPTS))
    .default([]),
  mark: z.array(markShape, { error: 'expected [[mark]]' }).max(MAX_MARKS, atMost(MAX_MARKS)).default([]),
  prompts: text
    .refine((file) => /\S/.test(file), 'expected the name of a file, such as prompts.csv')
    .nullable()
    .default(null),
  schedule: z
    .strictObject({
      every: z
        .string()
        .regex(
          /^(?:[1-9]|1\d|2[0-8])d$/,
          'expected 1d to 28d: ids of runs have the day, so there is one collection a day',
        ),
      at: z
        .string()
        .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'expected a time of day in UTC, such as 04:00')
        .default('04:00'),
      max_usd: usd.nullable().default(null),
      max_calls: z
        .int({ error: 'expected a whole number of calls' })
        .min(0, 'expected a number of calls, 0 or more')
        .nullable()
        .default(null),
    })
    .nullable()
    .default(null),
};

const stated = z.object(catalogFields);
export type StatedCatalog = z.infer<typeof stated>;

/** When a server collects. */
export interface Schedule {
  readonly everyDays: number;
  /** The time of the UTC day, HH:MM. */
  readonly at: string;
  /** The limits of a day, as `--max-usd` and `--max-calls` of `svc collect`; null: no limit. */
  readonly maxUsd: number | null;
  readonly maxCalls: number | null;
}

export const scheduleOf = ({ schedule }: StatedCatalog): Schedule | null =>
  schedule && {
    everyDays: Number.parseInt(schedule.every, 10),
    at: schedule.at,
    maxUsd: schedule.max_usd,
    maxCalls: schedule.max_calls,
  };

/** @param prompts Those of the file that the catalog names, if it names one. Null: the file has no brand. */
export function catalogOf(file: StatedCatalog, prompts: readonly CatalogPrompt[] | null): Catalog | null {
  const { brand, workspace, competitor } = file;
  if (brand === null) return null;
  return {
    workspace,
    brand: { ...brand, id: brand.id ?? derivedId(brand.was[0] ?? brand.name) },
    competitors: competitor.map(({ name: own, ...rest }) => ({ text: own, ...rest })),
    prompts: prompts ?? file.prompt,
    marks: file.mark,
  };
}

/** A place in the file, as the names and numbers that lead to it. */
export type Path = readonly (string | number)[];

export interface CatalogFault {
  readonly path: Path;
  readonly message: string;
}

/** Faults that concern several entries. */
export function catalogFaults(file: StatedCatalog): CatalogFault[] {
  const { brand, workspace, competitor, prompt, prompts, mark } = file;
  if (brand === null) {
    const lists = { workspace: workspace !== null, competitor: competitor.length > 0, mark: mark.length > 0 };
    const all = { ...lists, prompt: prompt.length > 0, prompts: prompts !== null };
    return Object.entries(all).flatMap(([path, has]) =>
      has ? [{ path: [path], message: 'expected [brand] in the same file' }] : [],
    );
  }
  const named = [
    { path: ['brand'], ...brand },
    ...competitor.map((each, at) => ({ path: ['competitor', at], ...each })),
  ];
  const isBoth = prompt.length > 0 && prompts !== null;
  const isNone = prompt.length === 0 && prompts === null;
  return [
    ...(isBoth ? [{ path: ['prompts'], message: 'expected either prompts or [[prompt]], got both' }] : []),
    ...(isNone
      ? [{ path: ['prompt'], message: 'expected [[prompt]], or prompts = "FILE", got nothing' }]
      : []),
    ...sharedTexts(
      named.map(({ path, name, aliases, was }) => ({ path, texts: [name, ...aliases, ...was] })),
    ),
    ...named.flatMap(({ path, name, aliases, forget }) =>
      [name, ...aliases]
        .filter((each) => forget.some((dropped) => foldName(dropped) === foldName(each)))
        .map((each) => ({
          path: [...path, 'forget'],
          message: `expected spellings that the entry does not have, got ${each.slice(0, 60)}, which is its name or an alias`,
        })),
    ),
    ...sharedTexts(prompt.map((each, at) => ({ path: ['prompt', at], texts: [each.text, ...each.was] }))),
  ];
}

/** Two entries with one text would be one. */
export function sharedTexts(
  entries: readonly { readonly path: Path; readonly texts: readonly string[] }[],
): CatalogFault[] {
  const owners = new Map<string, Path>();
  return entries.flatMap(({ path, texts }) =>
    texts.flatMap((each): CatalogFault[] => {
      const folded = foldText(each);
      const owner = owners.get(folded);
      if (owner === undefined) owners.set(folded, path);
      if (owner === undefined || owner === path) return [];
      const other = owner.map((step) => (typeof step === 'number' ? `[${step}]` : step)).join('');
      return [
        {
          path,
          message: `expected texts that no other entry has, but ${other} has ${each.slice(0, 60)} too`,
        },
      ];
    }),
  );
}

/** What marks name, and no prompt of the file is, is in, or carries. */
export function markFaults({ prompts, marks }: Catalog): string[] {
  const folded = (texts: readonly (string | null)[]) => new Set(texts.map((each) => foldText(each ?? '')));
  const known: Readonly<Record<'prompts' | 'topics' | 'tags', ReadonlySet<string>>> = {
    prompts: folded(prompts.map(({ text }) => text)),
    topics: folded(prompts.map(({ topic }) => topic)),
    tags: new Set(prompts.flatMap(({ tags }) => tags)),
  };
  const isKnown = (choice: keyof typeof known, each: string) =>
    known[choice].has(choice === 'tags' ? each : foldText(each));
  return marks.flatMap((mark: CatalogMark) =>
    (Object.keys(known) as (keyof typeof known)[]).flatMap((choice) =>
      (mark[choice] ?? [])
        .filter((each) => !isKnown(choice, each))
        .map(
          (each) =>
            `expected ${choice} that the file has, got ${each.slice(0, 60)} in the mark of ${mark.day}`,
        ),
    ),
  );
}
