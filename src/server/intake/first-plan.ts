/** The first plan of a server, which a person makes on its page: what is asked, what was understood, and how it ends. */
import type { Knex } from 'knex';
import type { EngineId } from '../../contract/engines.js';
import type { Rival } from '../../contract/stated-names.js';
import type { CatalogPrompt } from './dataset/apply-catalog.js';

/** The answers as they were typed. */
export interface FirstAnswers {
  readonly name: string;
  readonly domain: string;
  /** With commas. */
  readonly aliases: string;
  /** One a line. */
  readonly rivals: string;
  /** One a line, CSV, or an export of Search Console. */
  readonly prompts: string;
  readonly engines: readonly string[];
  /** The country from which engines that search are asked. */
  readonly region: string;
  /** Proposals that were taken, as `offers` has them. */
  readonly takenRivals: readonly string[];
  readonly takenPrompts: readonly string[];
}

/** What is wrong with an answer. */
export interface FirstFault {
  readonly field: keyof FirstAnswers;
  readonly message: string;
}

export interface OfferedEngine {
  readonly engine: EngineId;
  /** Null: a provider, which has no choice of models. */
  readonly model: string | null;
  /** The variable with its key; null: it needs none. */
  readonly keyEnv: string | null;
  /** What is wrong with the key; null: nothing. */
  readonly keyFault: string | null;
  /** US dollars for one prompt, asked once; null: a price is not stated. */
  readonly usd: number | null;
}

export interface FirstPlanView {
  /** The id of the brand. */
  readonly brand: string;
  readonly name: string;
  readonly domain: string;
  readonly aliases: readonly string[];
  readonly rivals: readonly Rival[];
  readonly prompts: readonly CatalogPrompt[];
  /** A row for each engine, and for the model that finds names in answers, whose engine is null. */
  readonly day: readonly {
    readonly engine: EngineId | null;
    readonly model: string;
    readonly calls: number;
    /** US dollars; null: a price is not stated. */
    readonly usd: number | null;
  }[];
  readonly usd: number | null;
  readonly notes: readonly string[];
  /** A sentence for each key that cannot be used: with one of them nothing is asked. */
  readonly keyFaults: readonly string[];
  /** The text of the file. */
  readonly toml: string;
}

export type Understood =
  | { readonly faults: readonly FirstFault[] }
  | { readonly faults: readonly []; readonly view: FirstPlanView };

/** A proposal of a model, with the text that stands for it in an answer. */
interface Offer {
  readonly value: string;
  readonly label: string;
}

export type Offers =
  | { readonly rivals: readonly Offer[]; readonly prompts: readonly Offer[] }
  /** Why there are none. */
  | { readonly refused: string };

/** What was made, here or by somebody else meanwhile. */
export interface MadePlan {
  readonly brand: string;
  readonly name: string;
  /** The variables whose keys are missing before the first answer; none: answers are on their way. */
  readonly missing: readonly { readonly variable: string; readonly fault: string }[];
}

export type FirstOutcome =
  | { readonly kind: 'made'; readonly plan: MadePlan; readonly key: string | null }
  | { readonly kind: 'wrong'; readonly faults: readonly FirstFault[] }
  /** There is another file: nothing was written, of this text. */
  | { readonly kind: 'exists'; readonly toml: string }
  /** Nothing, or only the file was written. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Makes the plan of a server that has none. */
export interface FirstPlan {
  /** The path of the file that is written. */
  readonly file: string;
  /** Null: it is still to be made. */
  readonly made: MadePlan | null;
  readonly engines: readonly OfferedEngine[];
  /** The model that proposes rivals and prompts, with these engines; null: none whose key can be used. */
  proposer(engines: readonly string[]): string | null;
  understand(db: Knex, answers: FirstAnswers): Promise<Understood>;
  /** One call of the model. */
  propose(answers: FirstAnswers, gone: AbortSignal): Promise<Offers>;
  /** Writes the file, adds the brand, and begins to collect. A second request for the same file is answered as the first. */
  write(db: Knex, answers: FirstAnswers): Promise<FirstOutcome>;
}
