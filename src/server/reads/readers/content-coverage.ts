import { TOOL_CAPS } from '../../../contract/limits.js';
import { daysIn } from '../../days.js';
import { ownPagesCited, promptCoverage, promptWinners } from '../../queries/content-coverage.js';
import { daysFields } from '../measured.js';
import { brandRefOf, type Compute } from '../reader.js';
import { sliceOf } from '../slice.js';
import { labelsOf } from './domain-labels.js';

export const readContentCoverage: Compute<'content-coverage'> = async (context, params) => {
  const { db, brand } = context;
  const slice = await sliceOf(context, params);
  const window = { brandKey: brand.key, ...slice.window };
  const [rows, own, winners, days] = await Promise.all([
    promptCoverage(db, window),
    ownPagesCited(db, window),
    promptWinners(db, { ...window, rows: TOOL_CAPS.winners }),
    daysFields(context, slice),
  ]);
  const label = await labelsOf(
    context,
    winners.map(({ domain }) => domain),
  );
  const ownOf = byPrompt(own);
  const winnersOf = byPrompt(winners);
  const prompts = rows.map(({ promptKey, id, text, runs, ownCitations }) => ({
    prompt_id: id,
    text,
    run_count: runs,
    cites_own: runs === 0 ? null : ownCitations > 0,
    own_pages: (ownOf.get(promptKey) ?? []).map(({ url, citations }) => ({ url, citations })),
    winners: (winnersOf.get(promptKey) ?? []).map(({ domain, citations }) => ({
      domain,
      classification: label(domain).classification,
      citations,
    })),
  }));
  const totals = {
    prompts: prompts.length,
    measured: prompts.filter(({ run_count }) => run_count > 0).length,
    covered: prompts.filter(({ cites_own }) => cites_own === true).length,
  };
  const { note, measured } = days;
  return {
    brand: brandRefOf(brand),
    window_days: daysIn(slice.window),
    totals,
    prompts,
    window: days.window,
    measured,
    note,
  };
};

/** Rows under the prompt that they belong to, in the order in which they came. */
function byPrompt<Row extends { promptKey: number }>(rows: readonly Row[]): Map<number, Row[]> {
  const groups = new Map<number, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.promptKey);
    if (group) group.push(row);
    else groups.set(row.promptKey, [row]);
  }
  return groups;
}
