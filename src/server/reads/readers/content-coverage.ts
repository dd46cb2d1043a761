import { blendedEngineIds } from '../../../contract/engines.js';
import { TOOL_CAPS, WINDOW_DAYS } from '../../../contract/limits.js';
import { windowEnding } from '../../days.js';
import { ownPagesCited, promptCoverage, promptWinners } from '../../queries/content-coverage.js';
import { brandRefOf, type Compute } from '../reader.js';
import { labelsOf } from './domain-labels.js';
import { noRunsNote } from './no-runs-note.js';

export const readContentCoverage: Compute<'content-coverage'> = async (context) => {
  const { db, brand, today } = context;
  const window = { brandKey: brand.key, ...windowEnding(today) };
  const [rows, own, winners, note] = await Promise.all([
    promptCoverage(db, window),
    ownPagesCited(db, window),
    promptWinners(db, { ...window, rows: TOOL_CAPS.winners }),
    noRunsNote(context, blendedEngineIds),
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
  return { brand: brandRefOf(brand), window_days: WINDOW_DAYS, totals, prompts, note };
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
