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

interface RivalSetting {
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

/** @param written False: something else has changed meanwhile, and nothing was written. */
export interface ChangeOutcome {
  readonly written: boolean;
  readonly proposed: ProposedChange;
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
  { brandKey: number; at: Date; words: string; keyId: string | null }
>(
  'insert_plan_change',
  `insert into plan_changes (brand_key, id, at, words, key_id)
   select cast(:brandKey as integer), coalesce(max(id), 0) + 1, cast(:at as timestamptz), cast(:words as text), cast(:keyId as text)
   from plan_changes where brand_key = :brandKey`,
);

/** The newest first. */
export const planChanges = statement<PlanChangeRow, { brandKey: number; most: number }>(
  'plan_changes',
  `select cast(c.id as text) as id, c.at, c.words, c.key_id as "keyId", k.name as "keyName"
   from plan_changes c left join api_keys k on k.id = c.key_id
   where c.brand_key = :brandKey order by c.id desc limit :most`,
);
