/** The reads of a weekly report. */
import { historyMetricNames } from '../../../contract/reads/history.js';
import type { BodyOf } from '../../../contract/registry.js';
import type { CallOptions } from '../../../sdk/call-options.js';
import type { SvcClient } from '../../../sdk/client.js';
import { isSvcError } from '../../../sdk/errors.js';
import { lastDays } from '../../render/today.js';
import { type Losing, readLosing } from '../prompts/losing.js';

export interface Report {
  readonly overview: BodyOf<'overview'>;
  /** The history of each metric over the window, with its change. */
  readonly histories: readonly BodyOf<'history'>[];
  readonly competitors: BodyOf<'competitors'>['competitors'];
  readonly losing: Losing;
  readonly sources: BodyOf<'sources'>['sources'];
  readonly sentiment: BodyOf<'sentiment'>;
  /** The newest collected day of the last weeks; null: there is none. */
  readonly newest: string | null;
  /** Null: the plan or the key does not allow the read; `refusal` has the reason. */
  readonly crawlers: BodyOf<'crawlers'> | null;
  readonly refusal: string | null;
}

/** Requests of one report; one more if its days have no answer. */
export const REPORT_REQUESTS = 7 + historyMetricNames.length;

/**
 * Reads one after the other, each of the same days.
 * @throws SvcError of the first read that fails. Only crawlers may be refused, because they need a plan.
 */
export async function readReport(svc: SvcClient, options: CallOptions): Promise<Report> {
  const days = lastDays();
  const overview = await svc.overview(days, options);
  const histories: Report['histories'][number][] = [];
  for (const metric of historyMetricNames) histories.push(await svc.history({ metric, ...days }, options));
  const { competitors } = await svc.competitors.top(days, options);
  const losing = await readLosing(svc, false, options, days);
  const { sources } = await svc.sources.top(days, options);
  const sentiment = await svc.sentiment(days, options);
  const visits = await svc.crawlers(days, options).then((crawlers) => ({ crawlers, refusal: null }), refused);
  const newest = overview.measured?.last_day ?? (await newestDay(svc, options));
  return { overview, histories, competitors, losing, sources, sentiment, newest, ...visits };
}

/** A history of a number of days ends on the newest collected day. */
async function newestDay(svc: SvcClient, options: CallOptions): Promise<string | null> {
  const { window } = await svc.history({ metric: 'visibility', days: 7 }, options);
  return window.end;
}

function refused(error: unknown): { readonly crawlers: null; readonly refusal: string } {
  if (isSvcError(error) && error.status === 403) return { crawlers: null, refusal: error.message };
  throw error;
}
