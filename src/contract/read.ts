/** What the definition of a read holds. Route, tool, flags, types and schemas derive from it. */
import type { Order } from './order.js';
import type { Params } from './params.js';
import type { Plan } from './plans.js';
import { count, type Infer, nullable, object, type Schema, text } from './schema.js';

export interface Read {
  /** The path below /api/v1; absent: only the MCP tool serves the read. */
  readonly path?: string;
  /** The name of the MCP tool. */
  readonly tool: string;
  /** One sentence for help texts and docs. */
  readonly summary: string;
  /** What an agent must know of the tool besides: scales, cap, window, what null means. */
  readonly guide?: string;
  /** Rows that the tool gives where REST gives more. */
  readonly toolCap?: number;
  /** Without a run ever collected the brand answers as unknown; false: the read has an empty form of its own. */
  readonly needsRuns: boolean;
  /** The lowest plan that may read it; absent: every plan. */
  readonly plan?: Plan;
  /** What the plan gate calls it: `Crawler analytics`. Needed where there is a plan. */
  readonly planSubject?: string;
  readonly params: Params;
  /** For lists: the field that holds the rows; the six lists are pageable. */
  readonly rows?: string;
  /** Of a capped list whose pages have another order: that of the unpaged read. */
  readonly order?: Order;
  readonly response: Schema & { kind: 'object' };
}

/** Checks a definition against `Read` and keeps its exact type. */
export const defineRead = <const R extends Read>(definition: R): R => definition;

/** Whether a read is about one brand: the list of brands belongs to the caller instead. */
export const isAboutOneBrand = ({ params }: Pick<Read, 'params'>): boolean => 'brand' in params;

export const brandRef = object(
  { id: text('Brand id'), name: text('Brand name'), domain: text('Brand domain') },
  'The brand that the answer is about',
);
export type BrandRef = Infer<typeof brandRef>;

export const note = nullable(text('Caveats in words; null when there is nothing to say'));

/** Where a list goes on; pages alone have it. */
export const nextCursor = nullable(text('The cursor of the page that follows; null: this is the last page'));

/** The bounds of a window that parameters choose; `empty` states when start and end are null. */
export const windowBounds = (empty: string) =>
  object(
    {
      start: nullable(text(`First day, YYYY-MM-DD; ${empty}`)),
      end: nullable(text(`Last day, inclusive; ${empty}`)),
      days: count('Days from start to end; the number asked for where there are no bounds'),
    },
    'The window that the parameters resolved to',
  );
