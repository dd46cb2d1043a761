import { CITATIONS } from '../citations.js';
import { engineIds } from '../engines.js';
import { TOOL_CAPS } from '../limits.js';
import { brand } from '../params.js';
import { brandRef, caveats, defineRead, totalRows } from '../read.js';
import { count, type Infer, list, nullable, number, object, oneOfOrNewer, part, text } from '../schema.js';

export const pageRank = part('A value that a third party states for a page', {
  provider: text('Who states the value'),
  metric: text('What it measures, in the provider’s word'),
  value: number('The value; 0 is a stated zero', {
    name: 'tracked-pages.value',
    what: 'A number of a third party about the page.',
    formula: 'as the provider states it',
    unit: 'that of the field metric',
    scale: 'that of the provider',
    empty: 'never null: 0 is a stated zero; ranks null: never fetched',
  }),
  fetched_at: text('When it was fetched, ISO 8601'),
});

export const trackedPage = part('A page on the roster', {
  url: text('Canonical URL'),
  title: nullable(text('Title; null: not stated')),
  added_at: nullable(text('When it was put on the roster, ISO 8601; null: not stated', 'tracked since')),
  citations_total: count('Citations ever, by every engine', {
    head: 'citations',
    what: 'How often answers ever cited the page, on every engine.',
    formula: CITATIONS,
    unit: 'citations',
    empty: '0: never cited; no measurement where nothing was ever collected, which note says',
  }),
  answers_total: count('Distinct answers that ever cited it', {
    head: 'answers',
    what: 'How many answers ever cited the page, on every engine.',
    formula: 'distinct answers',
    unit: 'answers',
    empty: '0: never cited; no measurement where nothing was ever collected, which note says',
  }),
  first_cited: nullable(text('Day of its first citation, YYYY-MM-DD; null: never cited')),
  last_cited: nullable(text('Day of its newest citation, YYYY-MM-DD; null: never cited')),
  engines: list(oneOfOrNewer(engineIds, 'Engine id'), 'Engines that ever cited it'),
  ranks: nullable(list(pageRank, 'Values of third parties; null: never fetched, which is not zero')),
});

export const trackedPages = defineRead({
  tool: 'list_tracked_pages',
  group: 'citations',
  mainRows: { at: ['pages'] },
  summary: 'The roster of tracked pages with lifetime citation totals and third-party ranks',
  guide: `How often were tracked pages ever cited? Up to ${TOOL_CAPS.trackedPages}; total counts all. ranks null: never fetched, not zero; first_cited null: never cited.`,
  needsRuns: false,
  params: { brand },
  response: object({
    brand: brandRef,
    total: count('Pages on the roster', totalRows),
    pages: list(
      trackedPage,
      `By lifetime citations descending, then by url; at most ${TOOL_CAPS.trackedPages}`,
    ),
    ...caveats,
  }),
});

export type TrackedPage = Infer<typeof trackedPage>;
