/** Counts the needs of each brand for the table of brands: at night, and soon after its data changed. */
import type { Knex } from 'knex';
import { accessOfPlan, findBrand } from '../accounts/access.js';
import { brandsToCount, keepNeeds } from '../accounts/brands.js';
import { brandReads, type ReadEnvironment } from '../answers/reads/answer-read.js';
import { utcDay } from '../base/days.js';
import type { Logger } from '../base/log.js';
import { type Repeated, repeat } from '../base/repeat.js';

const EVERY_MS = 60_000;
/** A briefing has the cost of a first screen: so many a minute leave the processor to requests, and reach 500 brands in an hour. */
const BRANDS_A_ROUND = 10;

/** Counts the needs of the brands that wait the longest. A brand without answers has no briefing, and needs that are not known. */
export async function countNeeds(
  db: Knex,
  reads: ReadEnvironment,
  gone: AbortSignal,
  rows = BRANDS_A_ROUND,
): Promise<void> {
  const today = utcDay(reads.clock());
  for (const { key, state, ...brand } of await brandsToCount(db, { today, rows })) {
    if (gone.aborted) return;
    const access = accessOfPlan('needs', brand);
    const found = await findBrand(db, access, brand.id);
    const hasRuns = typeof found !== 'string' && found.hasRuns;
    const briefing = hasRuns ? await brandReads(reads, { access, gone }, found).load('briefing') : null;
    await keepNeeds(db, { brandKey: key, needs: briefing?.needs.length ?? null, state });
  }
}

export const startNeedCounts = (db: Knex, log: Logger, reads: ReadEnvironment): Repeated =>
  repeat({ everyMs: EVERY_MS, log, name: 'counting needs' }, (stopping) => countNeeds(db, reads, stopping));
