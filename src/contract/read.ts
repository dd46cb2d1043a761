/** The definition of a read. Route, tool, flags, types and schemas derive from it. */
import type { Order } from './order.js';
import type { Params } from './params.js';
import type { Plan } from './plans.js';
import { count, type Infer, nullable, object, type Schema, text } from './schema.js';

/** Where the main rows are in the body. */
export interface MainRows {
  /** The fields that lead to them. The last one may be in the elements of a list, whose rows are then joined. */
  readonly at: readonly string[];
  /** Fields of the elements around the rows, with which each row begins. */
  readonly with?: readonly string[];
}

export interface Read {
  /** The path below /api/v1; absent: only the MCP tool serves the read. */
  readonly path?: string;
  /** The name of the MCP tool. */
  readonly tool: string;
  /** One sentence for help texts and docs. */
  readonly summary: string;
  /** What else an agent must know: scales, cap, window, the meaning of null. */
  readonly guide?: string;
  /** Rows of the tool, if REST returns more. */
  readonly toolCap?: number;
  /** True: a brand without any collected run is unknown to the read; false: the read returns an empty form. */
  readonly needsRuns: boolean;
  /** The lowest plan that allows the read; absent: every plan. */
  readonly plan?: Plan;
  /** The name of the read in the error about the plan: `Crawler analytics`. Required with `plan`. */
  readonly planSubject?: string;
  readonly params: Params;
  /** For lists, which can be read in pages: the field that holds the rows. */
  readonly rows?: string;
  /** The rows of CSV and of the command’s other formats by row; absent: those of `rows`, else the body as the only one. */
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

export const note = nullable(text('Caveats in words; null when there is nothing to say'));

/** The cursor of the next page; only pages have it. */
export const nextCursor = nullable(text('The cursor of the page that follows; null: this is the last page'));

/** The bounds of the window that the parameters select; `empty` describes when start and end are null. */
export const windowBounds = (empty: string) =>
  object(
    {
      start: nullable(text(`First day, YYYY-MM-DD; ${empty}`)),
      end: nullable(text(`Last day, inclusive; ${empty}`)),
      days: count('Days from start to end; the number asked for where there are no bounds'),
    },
    'The window that the parameters resolved to',
  );
