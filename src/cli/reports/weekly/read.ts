/** The reads of a weekly report. */
import { historyMetricNames } from '../../../contract/reads/history.js';
import type { BodyOf } from '../../../contract/registry.js';
import type { CallOptions } from '../../../sdk/call-options.js';
import type { SvcClient } from '../../../sdk/client.js';
import { isSvcError } from '../../../sdk/errors.js';
import { type Losing, readLosing } from '../prompts/losing.js';

export interface Report {
  readonly overview: BodyOf<'overview'>;
  /** The history of each metric over the window, with its change. */
  readonly histories: readonly BodyOf<'history'>[];
  readonly competitors: BodyOf<'competitors'>['competitors'];
  readonly losing: Losing;
  readonly sources: BodyOf<'sources'>['sources'];
  readonly sentiment: BodyOf<'sentiment'>;
  /** Null: the plan or the key does not allow the read; `refusal` has the reason. */
  readonly crawlers: BodyOf<'crawlers'> | null;
  readonly refusal: string | null;
}

/** Requests of one report. */
export const REPORT_REQUESTS = 7 + historyMetricNames.length;

/**
 * Reads one after the other.
 * @throws SvcError of the first read that fails. Only crawlers may be refused, because they need a plan.
 */
export async function readReport(svc: SvcClient, options: CallOptions): Promise<Report> {
  const overview = await svc.overview(undefined, options);
  const histories: Report['histories'][number][] = [];
  for (const metric of historyMetricNames) histories.push(await svc.history({ metric, days: 7 }, options));
  const { competitors } = await svc.competitors.top(undefined, options);
  const losing = await readLosing(svc, false, options);
  const { sources } = await svc.sources.top(undefined, options);
  const sentiment = await svc.sentiment({ days: 7 }, options);
  const visits = await svc
    .crawlers({ days: 7 }, options)
    .then((crawlers) => ({ crawlers, refusal: null }), refused);
  return { overview, histories, competitors, losing, sources, sentiment, ...visits };
}

function refused(error: unknown): { readonly crawlers: null; readonly refusal: string } {
  if (isSvcError(error) && error.status === 403) return { crawlers: null, refusal: error.message };
  throw error;
}
