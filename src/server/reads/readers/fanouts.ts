import { engineIds, inTableOrder } from '../../../contract/engines.js';
import { TOOL_CAPS } from '../../../contract/limits.js';
import { daysIn } from '../../days.js';
import { isEcho } from '../../metrics/echo.js';
import { volumeHash } from '../../metrics/volume-hash.js';
import { fanoutVolumes, topFanouts } from '../../queries/fanouts.js';
import { daysFields } from '../measured.js';
import { brandRefOf, type Compute } from '../reader.js';
import { sliceOf } from '../slice.js';
import { notes } from './notes.js';

export const readFanouts: Compute<'fanouts'> = async (context, params) => {
  const { db, brand } = context;
  const slice = await sliceOf(context, params, engineIds);
  const window = { brandKey: brand.key, ...slice.window };
  const [rows, days] = await Promise.all([
    topFanouts(db, { ...window, rows: TOOL_CAPS.fanouts }),
    daysFields(context, slice),
  ]);
  const volumes = await fanoutVolumes(db, { hashes: rows.map(({ query }) => volumeHash(query)) });
  const volumeOf = new Map(volumes.map(({ query, volume }) => [query, volume]));
  const total = rows[0]?.total ?? 0;
  return {
    brand: brandRefOf(brand),
    window_days: daysIn(slice.window),
    total,
    fanouts: rows.map(({ query, runs, engines, promptIds, promptTexts }) => ({
      query,
      runs,
      engines: inTableOrder(engines),
      prompts: promptIds,
      is_echo: isEcho(query, promptTexts),
      volume: volumeOf.get(query) ?? null,
    })),
    window: days.window,
    measured: days.measured,
    note: notes([
      days.note,
      total > rows.length && `These are the ${rows.length} most frequent of ${total} searches.`,
    ]),
  };
};
