/** Settings of a brand, which stand in a file: what a person sees of them and of a change, and the list of what was changed. */
import type { EngineId } from '../../contract/engines.js';
import { statement } from '../base/statement.js';
import type { CatalogChange, CatalogPrompt } from './dataset/apply-catalog.js';

export interface EngineSetting {
  /** Its place in the file. */
  readonly at: number;
  readonly engine: EngineId;
  readonly region: string;
  readonly protocol: string;
  readonly model: string | null;
  readonly isEnabled: boolean;
  /** US dollars; null: not stated. */
  readonly prices: {
    readonly input_usd_per_mtok: number | null;
    readonly output_usd_per_mtok: number | null;
    readonly call_usd: number | null;
  };
  /** Whether it counts tokens, so that they have prices. */
  readonly hasTokens: boolean;
  /** The variable with its key; null: it needs none. */
  readonly keyEnv: string | null;
  /** What is wrong with the key; null: nothing. */
  readonly keyFault: string | null;
}

export interface RivalSetting {
  readonly name: string;
  readonly domain: string | null;
  readonly aliases: readonly string[];
}

export interface PlanSettingsView {
  readonly file: string;
  readonly brand: RivalSetting & { readonly id: string };
  readonly competitors: readonly RivalSetting[];
  readonly prompts: readonly CatalogPrompt[];
  /** The file that the plan names for them; null: they stand in the plan. */
  readonly promptsFile: string | null;
  readonly samples: number;
  readonly engines: readonly EngineSetting[];
  /** The engines that can be added with what is suggested for them. */
  readonly suggested: readonly EngineId[];
  readonly extraction: {
    readonly model: string;
    readonly keyEnv: string | null;
    readonly keyFault: string | null;
  } | null;
  readonly schedule: {
    readonly every: string;
    readonly at: string;
    readonly max_usd: number | null;
    readonly max_calls: number | null;
  } | null;
  /** Calls a day, and what they cost; null: a price is not stated. */
  readonly day: { readonly calls: number; readonly usd: number | null };
}

/** A line of the file that goes or comes. */
export interface FileLine {
  readonly sign: '-' | '+';
  readonly text: string;
}

export interface ProposedChange {
  /** Of the files, the database and the change, as they were when this was shown. */
  readonly token: string;
  readonly words: string;
  readonly notes: readonly string[];
  /** What the database would change, with what the file has already and the database does not. */
  readonly changes: readonly CatalogChange[];
  readonly file: string;
  readonly lines: readonly FileLine[];
  /** Lines beyond those. */
  readonly moreLines: number;
  /** Calls a day and their cost, before and after; a cost that is null is not known. */
  readonly day: Readonly<Record<'before' | 'after', { readonly calls: number; readonly usd: number | null }>>;
}

/** Not written: something else has changed meanwhile, and this is what the change would do now. */
export type ChangeOutcome =
  | { readonly written: true }
  | { readonly written: false; readonly proposed: ProposedChange };

/** What a collection that begins now sends. */
export interface CollectionOffer {
  /** Of what was shown. */
  readonly token: string;
  /** The UTC day of its answers. */
  readonly day: string;
  /** Those of the engines, then that of the model that finds names. */
  readonly calls: readonly {
    /** Null: the model that finds names. */
    readonly engine: EngineId | null;
    readonly region: string | null;
    readonly calls: number;
    /** US dollars; null: a price is not stated. */
    readonly usd: number | null;
  }[];
  readonly sum: { readonly calls: number; readonly usd: number | null };
  /** Each host that gets calls, with the variable whose key it gets. */
  readonly receivers: readonly string[];
  /** What the calls of the day cost so far. */
  readonly spentUsd: number;
  /** Those of the schedule, for the whole day; null: there is none. */
  readonly limits: { readonly max_usd: number | null; readonly max_calls: number | null };
  /** Why it cannot begin; none: it can. */
  readonly obstacles: readonly string[];
}

/** The plan of a brand, which people read and change. Every refusal is an ExpectedError. */
export interface PlanSettingsHost {
  /** With how many changes the file has that the database does not. */
  view(): Promise<PlanSettingsView & { readonly unapplied: number }>;
  propose(change: unknown): Promise<ProposedChange>;
  /**
   * Writes a change that was shown.
   * @param shown The token of what was shown: of anything else, nothing is written.
   */
  write(change: unknown, shown: string, keyId: string): Promise<ChangeOutcome>;
  collection(): Promise<CollectionOffer>;
  /**
   * Begins a collection that was shown, and does not wait for its end.
   * @returns What would be sent, and whether it has begun: of anything else than what was shown, nothing has.
   */
  collect(shown: string): Promise<{ readonly begun: boolean; readonly offer: CollectionOffer }>;
}

/** The plans of a server whose page may change them. */
export interface PlanSettings {
  /** The ids of the brands that they have. */
  brands(): Promise<ReadonlySet<string>>;
  /** Null: no plan of this server has the brand. */
  of(brand: string): Promise<PlanSettingsHost | null>;
}

// The list of changes.

export interface PlanChangeRow {
  id: string;
  at: Date;
  words: string;
  /** Null: a command. */
  keyId: string | null;
  /** The name of the key; null: it has none. */
  keyName: string | null;
}

export const insertPlanChange = statement<
  never,
  { brandKey: number; at: Date; words: string; token: string; keyId: string | null }
>(
  'insert_plan_change',
  `insert into plan_changes (brand_key, id, at, words, token, key_id)
   select cast(:brandKey as integer), coalesce(max(id), 0) + 1, cast(:at as timestamptz), cast(:words as text),
     cast(:token as text), cast(:keyId as text)
   from plan_changes where brand_key = :brandKey`,
);

/** The token of the newest change. */
export const lastPlanChange = statement<{ token: string }, { brandKey: number }>(
  'last_plan_change',
  'select token from plan_changes where brand_key = :brandKey order by id desc limit 1',
);

/** The newest first. */
export const planChanges = statement<PlanChangeRow, { brandKey: number; most: number }>(
  'plan_changes',
  `select cast(c.id as text) as id, c.at, c.words, c.key_id as "keyId", k.name as "keyName"
   from plan_changes c left join api_keys k on k.id = c.key_id
   where c.brand_key = :brandKey order by c.id desc limit :most`,
);

/** The newest day with answers of each engine, and how many. */
export const lastAnswers = statement<
  { engine: EngineId; day: string; answers: number },
  { brandKey: number }
>(
  'last_answers',
  `select distinct on (engine) engine, day, run_count as answers from day_scope
   where brand_key = :brandKey order by engine, day desc`,
);
