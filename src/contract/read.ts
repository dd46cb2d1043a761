/** The definition of a read. Route, tool, flags, types and schemas derive from it. */
import type { Definition, GroupId } from './definition.js';
import type { Plan } from './keys.js';
import { LOW_CONFIDENCE_BELOW_RUNS } from './limits.js';
import type { Order } from './order.js';
import type { Params } from './params.js';
import { count, flag, type Infer, list, nullable, object, openObject, type Schema, text } from './schema.js';

export interface MainRows {
  /** The fields that lead to them. The last one may be in the elements of a list, whose rows are then joined. */
  readonly at: readonly string[];
  /** Fields of the elements around the rows, with which each row begins. */
  readonly with?: readonly string[];
}

export interface Read {
  /** The path below /api/v1; if omitted, only the MCP tool serves the read. */
  readonly path?: string;
  readonly tool: string;
  /** The group of its definitions that state none. */
  readonly group?: GroupId;
  /** One sentence for help texts and docs. */
  readonly summary: string;
  /** The description of the tool: the question that it answers, then what its schema does not say: scales, cap, the meaning of null. */
  readonly guide: string;
  /** A sentence that the SDK's method adds to the summary. */
  readonly sdkNote?: string;
  /** The most rows that the tool returns, if REST returns more. */
  readonly toolCap?: number;
  /** Parameters that the tool has if its caller does not give them, as in a query string. */
  readonly toolParams?: Readonly<Record<string, string>>;
  /** Whether a brand without any collected run is unknown to the read, which else returns an empty form. */
  readonly needsRuns: boolean;
  /** The lowest plan that allows the read; if omitted, every plan does. */
  readonly plan?: Plan;
  /** The name of the read in the error about the plan: `Crawler analytics`. Required with `plan`. */
  readonly planSubject?: string;
  /** A value of a parameter that only some plans allow, where others have the read. */
  readonly planOf?: {
    readonly param: string;
    readonly value: string;
    readonly plan: Plan;
    readonly planSubject: string;
  };
  readonly params: Params;
  /** For lists, which can be read in pages: the field that holds the rows. */
  readonly rows?: string;
  /** The rows of CSV and of the command’s other formats by row; if omitted, those of `rows`, else the body as the only one. */
  readonly mainRows?: MainRows;
  /** The order of the unpaged read, for a capped list whose pages have another order. */
  readonly order?: Order;
  readonly response: Schema & { kind: 'object' };
}

/** Checks a definition against `Read` and keeps its exact type. */
export const defineRead = <const R extends Read>(definition: R): R => definition;

/** Whether a read is about one brand; false for the list of brands, which depends on the key. */
export const isAboutOneBrand = ({ params }: Pick<Read, 'params'>): boolean => 'brand' in params;

export const brandRef = object(
  { id: text('Brand id'), name: text('Brand name'), domain: text('Brand domain') },
  'The brand that the answer is about',
);
export type BrandRef = Infer<typeof brandRef>;

/** What a note or a reason says, for programs, which need no sentence. */
export const fact = openObject(
  { code: text('What is so; its values are the other fields') },
  'A fact: docs/api.md has the sentence and the values of each code',
);
export type Fact = Infer<typeof fact>;

const facts = list(fact, 'The caveats as facts; empty when there is nothing to say');

/** The last fields of most reads. */
export const caveats = {
  note: nullable(text('Caveats in words; null when there is nothing to say')),
  notes: facts,
};
/** The note of a read that always has one. */
export const guidance = { note: text('How to read the numbers'), notes: facts };

/** Since when an entity in a row or a series is measured. */
export const measuredSince = nullable(
  text(
    'First day whose answers were searched for its names: values of earlier days are null, never 0, and their verdicts unknown; null: all days of the window and the one before',
  ),
);

export const windowLength: Definition = {
  group: 'sample',
  name: 'window_days',
  what: 'The length of the window.',
  formula: 'UTC days from the first to the last one, both included',
  unit: 'days',
  empty: 'never null; a window without data has its length too',
};
export const windowDays = count('Days of the window', windowLength);

export const runCount: Definition = {
  group: 'sample',
  what: 'The runs behind the numbers of the same object; sample_size and window_run_count are the same for a day and for a window.',
  formula:
    'collected answers in window and scope, all prompts and regions together; in a row of prompts those of the prompt',
  unit: 'runs',
  empty: '0: nothing was measured, and zeros of the same object are no measurements',
};

export const lowConfidence = flag('Fewer than 5 runs', {
  group: 'sample',
  what: 'Whether there are too few runs to rely on the numbers.',
  formula: `runs < ${LOW_CONFIDENCE_BELOW_RUNS}`,
  empty: 'true',
});

export const totalRows: Definition = {
  what: 'How many rows there are before the cap of the list.',
  formula: 'all findings, pages, threads or searches',
  unit: 'rows',
  empty: '0: there are none',
};

/** The cursor of the next page; only pages have it. */
export const nextCursor = nullable(text('The cursor of the page that follows; null: this is the last page'));

/** The bounds of the window that the parameters select; `empty` describes when start and end are null. */
export const windowBounds = (empty: string) =>
  object(
    {
      start: nullable(text(`First day, YYYY-MM-DD; ${empty}`)),
      end: nullable(text(`Last day, inclusive; ${empty}`)),
      days: count('Days from start to end; the number asked for where there are no bounds', windowLength),
    },
    'The window that the parameters resolved to',
  );
