import { SCOPE } from '../fixtures.js';
import type { HistoryParams } from '../parameters.js';
import type { DatasetRecord, RunRecord } from '../records.js';
import { plainUrlRules as rules } from '../url-rules/plain.js';
import type { ExpectedHistory } from './history.js';
import { BAD_REQUEST, expectedHistory } from './history.js';
import type { ExpectedSeries } from './history-series.js';

/** The history of the fixture brand, by default of visibility; throws without a body. */
export function ask(records: DatasetRecord[], params: Partial<HistoryParams> = {}): ExpectedHistory {
  const body = expectedHistory(records, SCOPE, { metric: 'visibility', ...params }, rules);
  if (body === null || body === BAD_REQUEST) throw new Error(`no body but ${body}`);
  return body;
}

/** The brand's own series. */
export function brandOf(body: ExpectedHistory): ExpectedSeries {
  return body.series[0]!;
}

/** Run fields that name the brand at an order. */
export const named = (order: number): Partial<RunRecord> => ({ mentions: [{ name: 'Own', order }] });
