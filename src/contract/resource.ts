/** What a definition of a read resource holds. Everything else about the read derives from it. */
import type { Params } from './params.js';
import type { Plan } from './plans.js';
import { count, type Infer, nullable, object, type Schema, text } from './schema.js';

export interface Resource {
  /** The path below /api/v1, which is also the name in code. */
  readonly name: string;
  /** The MCP tool that mirrors it. */
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
  readonly response: Schema & { kind: 'object' };
}

/** Checks a definition against `Resource` and keeps its exact type. */
export const resource = <const R extends Resource>(definition: R): R => definition;

export const brandRef = object(
  { id: text('Brand id'), name: text('Brand name'), domain: text('Brand domain') },
  'The brand that the answer is about',
);
export type BrandRef = Infer<typeof brandRef>;

export const note = nullable(text('Caveats in words; null when there is nothing to say'));

/** Where a list goes on; pages alone have it. */
export const nextCursor = nullable(text('The cursor of the page that follows; null: this is the last page'));

/** The bounds of a window that parameters chose; `empty` says when there are none. */
export const windowBounds = (empty: string) =>
  object(
    {
      start: nullable(text(`First day, YYYY-MM-DD; ${empty}`)),
      end: nullable(text(`Last day, inclusive; ${empty}`)),
      days: count('Days from start to end; the number asked for where there are no bounds'),
    },
    'The window that the parameters resolved to',
  );
