/** The last step of an import: resolve names and domains, rebuild roll-ups and daily statistics, invalidate caches. */

import { bumpStoredVersion } from '../accounts/brands.js';
import { writeDailyStats } from '../daily-stats.js';
import { utcDay } from '../days.js';
import { connectCrawlerLogs } from '../ingest/crawler-events.js';
import { entitiesWithAliases } from '../sums/tracked-entities.js';
import { entitiesText, type ImportedBrand, MAX_ADDED } from './brand-catalog.js';
import { resolveDomains, resolveNames } from './entity-resolution.js';
import { mergeChildren } from './records/run-children.js';
import { addToDays, rebuildDays, rebuildTrackedUrls } from './rollups/rebuild.js';
import type { ImportSession } from './session.js';

export async function finish(session: ImportSession): Promise<void> {
  await mergeChildren(session);
  for (const brand of session.brands.all) await finishBrand(session, brand);
  await connect(session);
  await bumpVersions(session);
}

async function finishBrand(session: ImportSession, brand: ImportedBrand): Promise<void> {
  const { trx } = session;
  const changed = (await entitiesText(trx, brand.key)) !== brand.entitiesBefore;
  const entities = await entitiesWithAliases(trx, { brandKey: brand.key });
  const firstNew = (dictionary: { firstNew: Map<number, number> }) =>
    changed ? 1 : dictionary.firstNew.get(brand.key);
  const [newNames, newDomains] = [firstNew(session.names), firstNew(session.domains)];
  if (newNames !== undefined) await resolveNames(trx, brand.key, entities, newNames);
  if (newDomains !== undefined) await resolveDomains(trx, brand.key, entities, newDomains);
  const added = changed ? new Map<string, string[]>() : await addableDays(session, brand);
  await addToDays(trx, brand.key, added);
  const days = changed ? await everyDay(session, brand) : touchedDays(brand);
  const rebuilt = new Set([...days].filter((day) => !added.has(day)));
  await rebuildDays(trx, brand.key, rebuilt);
  const today = utcDay(session.now);
  await writeDailyStats(
    trx,
    brand.key,
    [...days].filter((day) => day < today),
  );
  if (brand.tracksNewPages) await rebuildTrackedUrls(trx, brand.key, rebuilt);
}

const touchedDays = ({ replacedDays, addedRuns }: ImportedBrand): Set<string> =>
  new Set([...replacedDays, ...addedRuns.keys()]);

/** A day is rebuilt rather than added to if it has fewer runs than these for each new one. */
const FEWEST_PER_ADDED = 10;

/** The ids of new runs of the days that have many more runs, none of them replaced. */
async function addableDays({ trx }: ImportSession, brand: ImportedBrand): Promise<Map<string, string[]>> {
  const days = [...brand.addedRuns].filter(
    ([day, { count }]) => count <= MAX_ADDED && !brand.replacedDays.has(day),
  );
  const { rows } = await trx.raw(
    'select day, sum(run_count) as runs from day_scope where brand_key = :brandKey and day = any(:days) group by day',
    { brandKey: brand.key, days: days.map(([day]) => day) },
  );
  const runsOf = new Map<string, number>(
    rows.map((row: { day: string; runs: number }) => [row.day, row.runs]),
  );
  return new Map(
    days
      .filter(([day, { count }]) => (runsOf.get(day) ?? 0) >= FEWEST_PER_ADDED * count)
      .map(([day, { ids }]) => [day, ids]),
  );
}

async function everyDay({ trx }: ImportSession, brand: ImportedBrand): Promise<Set<string>> {
  const { rows } = await trx.raw('select distinct day from day_scope where brand_key = ?', [brand.key]);
  return new Set([...touchedDays(brand), ...rows.map((row: { day: string }) => row.day)]);
}

async function connect({ trx, connections }: ImportSession): Promise<void> {
  for (const [brandKey, time] of connections) {
    await connectCrawlerLogs(trx, { brandKey, newest: new Date(time), inserted: true });
  }
}

/**
 * Invalidates cached reads, whose keys include the version of their brand. The rows are locked in order, so that two
 * imports do not deadlock.
 */
async function bumpVersions({ trx, brands, touchedWorkspaces, touchedAll }: ImportSession): Promise<void> {
  const keys = [...brands.all].map((brand) => brand.key);
  await trx.raw(
    `update brands set data_version = data_version + 1
     where brand_key in (
       select brand_key from brands
       where brand_key = any(:keys) or workspace_id = any(:workspaces) or :touchedAll
       order by brand_key for no key update
     )`,
    { keys, workspaces: [...touchedWorkspaces], touchedAll },
  );
  for (const brandKey of keys) await bumpStoredVersion(trx, { brandKey });
}
