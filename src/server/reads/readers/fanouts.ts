import { engineIds, inTableOrder } from '../../../contract/engines.js';
import { TOOL_CAPS, WINDOW_DAYS } from '../../../contract/limits.js';
import { windowEnding } from '../../days.js';
import { isEcho } from '../../metrics/echo.js';
import { volumeHash } from '../../metrics/volume-hash.js';
import { fanoutVolumes, topFanouts } from '../../queries/fanouts.js';
import { brandRefOf, type Compute } from '../reader.js';
import { noRunsNote } from './no-runs-note.js';
import { notes } from './notes.js';

export const readFanouts: Compute<'fanouts'> = async (context) => {
  const { db, brand, today } = context;
  const window = { brandKey: brand.key, ...windowEnding(today) };
  const [rows, noRuns] = await Promise.all([
    topFanouts(db, { ...window, rows: TOOL_CAPS.fanouts }),
    noRunsNote(context, engineIds),
  ]);
  const volumes = await fanoutVolumes(db, { hashes: rows.map(({ query }) => volumeHash(query)) });
  const volumeOf = new Map(volumes.map(({ query, volume }) => [query, volume]));
  const total = rows[0]?.total ?? 0;
  return {
    brand: brandRefOf(brand),
    window_days: WINDOW_DAYS,
    total,
    fanouts: rows.map(({ query, runs, engines, promptIds, promptTexts }) => ({
      query,
      runs,
      engines: inTableOrder(engines),
      prompts: promptIds,
      is_echo: isEcho(query, promptTexts),
      volume: volumeOf.get(query) ?? null,
    })),
    note: notes([
      noRuns,
      total > rows.length && `These are the ${rows.length} most frequent of ${total} searches.`,
    ]),
  };
};
