import { enginesOfMask } from '../../../contract/engines.js';
import { CAPS } from '../../../contract/limits.js';
import { WEIGHT_UNIT } from '../../../contract/measures.js';
import { fact, noted } from '../../../contract/notes.js';
import { compareText } from '../../../contract/order.js';
import type { Fact } from '../../../contract/read.js';
import {
  type AbsentPrompt,
  CRAWL_DAYS,
  type GapKind,
  type Gaps,
  LEAST_DAYS,
  type LostPage,
  type PromptWithinReach,
  type SourceGap,
} from '../../../contract/reads/gaps.js';
import { dataVersion } from '../../accounts/brands.js';
import { daysIn, windowBefore, windowEnding } from '../../base/days.js';
import { crawlGapsOf } from '../gaps/crawl.js';
import { lostPagesOf } from '../gaps/lost-pages.js';
import { type AbsentSums, absentOf, type Named, type ReachSums, reachOf } from '../gaps/prompts.js';
import type { GapRequest } from '../gaps/request.js';
import { type SourceSums, sourceSums } from '../gaps/sources.js';
import { positionWeight } from '../metrics/samples.js';
import { daysOfPrompts } from '../sums/collected-days.js';
import { isOfPrompts } from '../sums/run-choice.js';
import { entitiesWithAliases, type TrackedEntity, trackedEntities } from '../sums/tracked-entities.js';
import { spansOf } from './answer-spans.js';
import { reader as crawlers } from './crawlers.js';
import { brandRefOf, type ReadContext, type Reader, withCaching } from './reader.js';
import { isRolledUp, requireRunsSince, type SliceParams, sliceOf } from './slice.js';
import { daysFields } from './slice-days.js';

/** The rows of a kind, and what has to be said about them. */
interface Found {
  readonly gaps: Gaps['gaps'];
  readonly notes?: readonly (Fact | false | null)[];
}

type Finder = (request: GapRequest, context: ReadContext) => Promise<Found>;

const finders: { readonly [K in GapKind]: Finder } = {
  sources: async (request, context) => {
    const [sums, tracked] = await Promise.all([sourceSums(request), entitiesOf(context)]);
    return { gaps: sums.map((row) => sourceGap(row, tracked)) };
  },
  lost_pages: lostPages,
  within_reach: async (request, context) => {
    const [sums, entities] = await Promise.all([
      reachOf(request),
      entitiesWithAliases(context.db, { brandKey: context.brand.key }),
    ]);
    const tracked = new Map(entities.map((each) => [each.entity, each]));
    const spellings = entities
      .filter(({ entity }) => entity === 0)
      .flatMap((each) => [each.name, ...each.aliases]);
    // An answer to a prompt that names the brand has to name it: to be first there wins nobody.
    const rows = sums
      .filter(({ text }) => spansOf(text, spellings).length === 0)
      .map((row) => promptWithinReach(row, tracked));
    return {
      gaps: rows
        .sort((a, b) => b.brand_gain - a.brand_gain || compareText(a.prompt_id, b.prompt_id))
        .slice(0, request.rows),
    };
  },
  absent: async (request, context) => {
    const [sums, tracked] = await Promise.all([absentOf(request), entitiesOf(context)]);
    return { gaps: sums.map((row) => absentPrompt(row, tracked)) };
  },
  crawl,
};

/** The kinds whose roll-ups distinguish prompts, so that they have the sums of chosen ones. */
const BY_PROMPT: ReadonlySet<GapKind> = new Set<GapKind>(['within_reach', 'absent']);

const compute: Reader<'gaps'> = async (context, { kind = 'sources', ...params }) => {
  const { db, brand, today } = context;
  const found = await sliceOf(context, params);
  const window = kind === 'crawl' && !params.from ? windowEnding(today, CRAWL_DAYS) : found.window;
  const slice = { ...found, window, prior: windowBefore(window) };
  const rolledUp =
    slice.rolledUp || (BY_PROMPT.has(kind) && isOfPrompts(slice.runs) && isRolledUp(slice.engines, null));
  if (!rolledUp) await requireRuns(context, kind, slice, params);
  const request: GapRequest = {
    db,
    brandKey: brand.key,
    window,
    prior: slice.prior,
    engines: slice.engines,
    runs: slice.runs,
    rolledUp,
    rows: CAPS.gaps,
  };
  // The runs of chosen prompts may be deleted where the roll-ups are not.
  const known =
    rolledUp && slice.runs
      ? (await daysOfPrompts(db, { brandKey: brand.key, ...window, ...slice.runs })).map(({ day }) => day)
      : undefined;
  const days = await daysFields(context, slice, known ? { days: known } : {});
  const { gaps, notes: more = [] } =
    days.measured === null && kind !== 'crawl' ? { gaps: [] } : await finders[kind](request, context);
  const { note: _, notes, ...extent } = days;
  return { brand: brandRefOf(brand), kind, gaps, ...extent, ...noted([notes, ...more]) };
};

const requireRuns = (
  context: ReadContext,
  kind: GapKind,
  { window, prior }: Pick<GapRequest, 'window' | 'prior'>,
  params: SliceParams,
): Promise<void> => requireRunsSince(context, kind === 'lost_pages' ? prior.start : window.start, params);

/** Crawlers and robots.txt are behind the rows of one kind. */
export const reader = withCaching(compute, {
  version: (context, params) =>
    params?.kind === 'crawl' ? crawlers.version!(context) : dataVersion(context),
  isCurrent: crawlers.isCurrent!,
});

// Rows.

type Entities = ReadonlyMap<number, TrackedEntity>;

async function entitiesOf({ db, brand }: ReadContext): Promise<Entities> {
  const tracked = await trackedEntities(db, { brandKey: brand.key });
  return new Map(tracked.map((each) => [each.entity, each]));
}

function sourceGap(row: SourceSums, tracked: Entities): SourceGap {
  const { domain, answers, ownAnswers, prompts, engines, rivals, days, daysWithRuns } = row;
  return {
    domain,
    answers,
    own_answers: ownAnswers,
    prompts,
    engines: enginesOfMask(engines),
    rivals: rivals
      .map(({ entity, answers }) => {
        const { id, name } = tracked.get(entity)!;
        return { id, answers, name };
      })
      .sort((a, b) => b.answers - a.answers || compareText(a.id, b.id)),
    days,
    stability: days / daysWithRuns,
    // Divided only once, so that rows that are level have equal scores.
    score: (answers * days) / daysWithRuns,
  };
}

/** The rival in most answers, ties by name, then by id. */
function mostNamed(named: readonly Named[], tracked: Entities) {
  const rows = named.map(({ entity, answers }) => {
    const { id, name } = tracked.get(entity)!;
    return { id, name, answers };
  });
  return rows.sort(
    (a, b) => b.answers - a.answers || compareText(a.name, b.name) || compareText(a.id, b.id),
  )[0]!;
}

function promptWithinReach(row: ReachSums, tracked: Entities): PromptWithinReach {
  const { second, third, fourth, runs, allRuns, weightSum } = row;
  const first = positionWeight(1);
  const gained =
    second * (first - positionWeight(2)) +
    third * (first - positionWeight(3)) +
    fourth * (first - positionWeight(4));
  // Sums of whole numbers are divided only once, so that prompts that are level have equal gains.
  const points = (weights: number, of = runs): number => weights / ((WEIGHT_UNIT / 100) * of);
  return {
    prompt_id: row.id,
    prompt: row.text,
    runs,
    present_runs: row.present,
    answers: second + third + fourth,
    ahead: row.leaders && mostNamed(row.leaders, tracked),
    visibility: points(weightSum),
    visibility_if_first: points(weightSum + gained),
    gain: points(gained),
    brand_gain: points(gained, allRuns),
  };
}

const absentPrompt = ({ id, text, runs, rivals, cited }: AbsentSums, tracked: Entities): AbsentPrompt => ({
  prompt_id: id,
  prompt: text,
  runs,
  winner: mostNamed(rivals, tracked),
  cited: [...(cited ?? [])],
});

async function lostPages(request: GapRequest): Promise<Found> {
  const { pages, runsBefore, before, now } = await lostPagesOf(request);
  const rows = pages.map(
    ({ url, title, citations, days }): LostPage => ({
      url,
      title,
      citations_before: citations,
      days_before: days,
      p_value: (1 - citations / before) ** now,
    }),
  );
  return {
    gaps: rows,
    notes: [
      runsBefore === 0 && fact('none_before'),
      daysIn(request.prior) < LEAST_DAYS && fact('too_short_to_lose', { days: LEAST_DAYS }),
    ],
  };
}

async function crawl(request: GapRequest, { brand, robots }: ReadContext): Promise<Found> {
  const { state } = await robots.of(brand.domain);
  const { rows, connected, covered } = await crawlGapsOf(request, brand.domain, state);
  return {
    gaps: [...rows],
    notes: [
      !connected && fact('pages_not_logged'),
      connected && !covered && fact('logs_not_covering', request.window),
      state.state === 'error' && fact('no_robots', { reason: state.reason }),
      rows.some(({ requests }) => requests) && fact('not_verified'),
    ],
  };
}
