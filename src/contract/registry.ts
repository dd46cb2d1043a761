/** The registry of all reads, in the contract's order. Routes, tools, types and flags derive from it. */
import type { InferParams, ParsedParams } from './params.js';
import { ads } from './reads/ads.js';
import { answerByRun } from './reads/answer.js';
import { answers } from './reads/answers.js';
import { brands } from './reads/brands.js';
import { briefing } from './reads/briefing.js';
import { competitors } from './reads/competitors.js';
import { contentCoverage } from './reads/coverage.js';
import { crawlers } from './reads/crawlers.js';
import { effect } from './reads/effect.js';
import { factCheck } from './reads/fact-check.js';
import { fanouts } from './reads/fanouts.js';
import { gaps } from './reads/gaps.js';
import { history } from './reads/history.js';
import { marks } from './reads/marks.js';
import { moves } from './reads/moves.js';
import { names } from './reads/names.js';
import { offsiteMentions } from './reads/offsite.js';
import { overview } from './reads/overview.js';
import { prompts } from './reads/prompts.js';
import { referrals } from './reads/referrals.js';
import { sentiment } from './reads/sentiment.js';
import { shopping } from './reads/shopping.js';
import { shoppingTrend } from './reads/shopping-trend.js';
import { siteHealth } from './reads/site-health.js';
import { sources } from './reads/sources.js';
import { communityThreads } from './reads/threads.js';
import { trackedPages } from './reads/tracked-pages.js';
import { url } from './reads/url.js';
import { urls } from './reads/urls.js';
import { visitorStats } from './reads/visitors.js';
import { why } from './reads/why.js';
import { youtubeCitations } from './reads/youtube.js';
import type { Infer } from './schema.js';

export const reads = {
  brands,
  overview,
  prompts,
  competitors,
  sources,
  urls,
  url,
  answers,
  answer: answerByRun,
  names,
  shopping,
  'shopping-trend': shoppingTrend,
  'fact-check': factCheck,
  ads,
  sentiment,
  history,
  crawlers,
  'youtube-citations': youtubeCitations,
  'offsite-mentions': offsiteMentions,
  'tracked-pages': trackedPages,
  'site-health': siteHealth,
  'visitor-stats': visitorStats,
  'community-threads': communityThreads,
  'content-coverage': contentCoverage,
  fanouts,
  gaps,
  why,
  moves,
  briefing,
  marks,
  effect,
  referrals,
} as const;

export type Reads = typeof reads;
export type ReadName = keyof Reads;
export const readNames = Object.keys(reads) as ReadName[];

/** The body of a read: the same for its REST resource and its tool. */
export type BodyOf<N extends ReadName> = Infer<Reads[N]['response']>;
/** Parameters as the reader gets them. */
export type ParsedParamsOf<N extends ReadName> = ParsedParams<Reads[N]['params']>;

/** The reads that REST serves, by their path below /api/v1. */
export type Resources = {
  readonly [N in ReadName as Reads[N] extends { path: infer P extends string } ? P : never]: Reads[N];
};
export type ResourceName = keyof Resources;
/** The resources that can be read in pages. */
export type ListName = {
  [N in ResourceName]: Resources[N] extends { rows: string } ? N : never;
}[ResourceName];

export const resources = Object.fromEntries(
  Object.values(reads).flatMap((read) => ('path' in read ? [[read.path, read]] : [])),
) as Resources;
export const resourceNames = Object.keys(resources) as ResourceName[];

export type ResponseOf<N extends ResourceName> = Infer<Resources[N]['response']>;
export type ParamsOf<N extends ResourceName> = InferParams<Resources[N]['params']>;
export type RowOf<N extends ListName> =
  ResponseOf<N> extends infer R
    ? Resources[N]['rows'] extends keyof R
      ? R[Resources[N]['rows']] extends (infer Row)[]
        ? Row
        : never
      : never
    : never;
