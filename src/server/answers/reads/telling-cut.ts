/**
 * By what a change is explained if the request does not say it: by the cut in which few of the answers make up most of it. The
 * fall of one engine is spread over all prompts, and those that fell most are not its reason.
 */
import type { MeasureName } from '../../../contract/measures.js';
import type { Cut } from '../../../contract/reads/why.js';
import { concentrationOf, type WeighedCell } from '../metrics/concentration.js';
import { areSummed } from '../sums/cell-sums.js';
import { columnOf, type Explained, explain, type Question } from './change-parts.js';

/** The cut of a change that no other explains better. */
export const PLAIN_CUT = 'prompt' satisfies Cut;

/** Others are told only if they explain clearly more. */
const MARGIN = 0.1;
const LEAST = 0.2;

/** In order of preference. Tags overlap, so they are not tried. */
const othersFor = (metric: MeasureName): readonly Cut[] => [
  ...(['engine', 'topic', 'region'] as const),
  ...(metric === 'share_of_voice_fraction' ? (['rival'] as const) : []),
  ...(metric === 'citation_share' ? (['page', 'domain'] as const) : []),
];

export interface Told {
  readonly by: Cut;
  readonly explained: Explained | null;
}

/**
 * @param difference Of the metric, in its unit; it is more than chance.
 * @param surfacesMoved Whether answers come from other surfaces than before.
 */
export async function tellingCut(
  question: Question,
  difference: number,
  surfacesMoved: boolean,
): Promise<Told> {
  const plain: Told = { by: PLAIN_CUT, explained: await explain(question, PLAIN_CUT) };
  const least = scoreOf(question, plain, difference) + MARGIN;
  let best = { ...plain, score: Math.max(LEAST, least) };
  for (const by of [...othersFor(question.metric), ...(surfacesMoved ? (['surface'] as const) : [])]) {
    if (!isReadable(question, by)) continue;
    const told: Told = { by, explained: await explain(question, by) };
    const score = scoreOf(question, told, difference);
    if (score > best.score) best = { ...told, score };
  }
  return { by: best.by, explained: best.explained };
}

/** Whether roll-ups have the sums. */
function isReadable({ context, slice, metric }: Question, by: Cut): boolean {
  if (by === 'rival') return true;
  if (by === 'domain' || by === 'page') return slice.rolledUp;
  const brandKey = context.brand.key;
  return areSummed({ ...slice, brandKey, column: columnOf[by], metric });
}

function scoreOf({ context }: Question, { by, explained }: Told, difference: number): number {
  if (explained === null) return 0;
  const { parts, found } = explained;
  const { brand } = context;
  // That the brand itself changed is what is asked about, and no reason.
  const cells = by === 'rival' || by === 'domain' ? found.filter(({ id }) => id !== brand.id) : found;
  const isCounted = by === 'rival' || by === 'domain' || by === 'page';
  const sizeOf = ({ contribution: { before, after, weightBefore, weightAfter } }: (typeof found)[number]) =>
    isCounted ? (before ?? 0) + (after ?? 0) : weightBefore + weightAfter;
  const all = isCounted ? cells.reduce((sum, cell) => sum + sizeOf(cell), 0) : 2;
  const weighed = cells.map((cell): WeighedCell => {
    const { total, verdict } = cell.contribution;
    return { total, verdict, weight: sizeOf(cell) / all };
  });
  return concentrationOf(weighed, (parts?.mix ?? 0) + (parts?.panel ?? 0), difference);
}
