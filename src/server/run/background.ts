/** What a server does besides answering requests: nightly work, searches for new names, counting needs, deliveries of events, digests. One of its processes does it. */

import { type DeliveryReport, startDeliveries } from '../alerts/delivery/deliveries.js';
import { startDigests, type WriteReport } from '../alerts/delivery/digest.js';
import type { CollectionReport } from '../answers/collections.js';
import { createReadCache } from '../answers/reads/read-cache.js';
import { type Clock, systemClock, systemStopwatch } from '../base/clock.js';
import type { Logger } from '../base/log.js';
import type { Repeated } from '../base/repeat.js';
import { createRobotsChecks, type fetchRobots } from '../base/robots/fetch.js';
import type { Database } from '../database/database.js';
import { readPool } from '../database/read-session.js';
import { storingConnections } from '../intake/ingest/limits.js';
import type { ServerConfig } from './config.js';
import { startNameSearches } from './name-searches.js';
import { startNeedCounts } from './need-counts.js';
import { type NightlyReport, startNightly } from './nightly.js';

/** What is counted of it. */
export interface BackgroundReports {
  readonly nightly: NightlyReport;
  readonly deliveries: DeliveryReport;
  readonly collections: CollectionReport;
}

export type BackgroundSettings = Pick<ServerConfig, 'crawlerRetentionDays' | 'robotsAllowPrivate'> &
  Partial<Pick<ServerConfig, 'publicUrl' | 'alertsAllowPrivate' | 'mail'>>;

export interface BackgroundOptions {
  readonly log: Logger;
  /** If omitted, nothing is counted. */
  readonly reports?: BackgroundReports | undefined;
  /** If omitted, there are no digests. */
  readonly writeReport?: WriteReport | undefined;
  /** Returns the robots.txt of a domain; if omitted, it is fetched. */
  readonly robots?: typeof fetchRobots | undefined;
  /** If omitted, the system's, and for deliveries that of the database. */
  readonly clock?: Clock;
}

/** A report has some reads in common with its briefing. */
const CACHE_BYTES = 8 * 1024 * 1024;

export function startBackground(
  { knex: db }: Pick<Database, 'knex'>,
  settings: BackgroundSettings,
  { log, reports, writeReport, robots, clock: fixedClock }: BackgroundOptions,
): Repeated {
  const {
    crawlerRetentionDays,
    robotsAllowPrivate,
    publicUrl = null,
    alertsAllowPrivate = false,
    mail = null,
  } = settings;
  const clock = fixedClock ?? systemClock;
  const checks = createRobotsChecks(clock, { allowPrivate: robotsAllowPrivate }, robots);
  const running: Repeated[] = [
    startNightly(db, log, { clock, crawlerRetentionDays, report: reports?.nightly, robots: checks }),
    startNameSearches(db, log, clock),
    startDeliveries(
      db,
      log,
      { allowPrivate: alertsAllowPrivate, mail, publicUrl },
      { ...(fixedClock && { clock }), report: reports?.deliveries },
    ),
  ];
  const primary = readPool(db, storingConnections(db));
  const cache = createReadCache(systemStopwatch, CACHE_BYTES);
  const reads = { db, primary, cache, clock, robots: checks };
  running.push(startNeedCounts(db, log, reads));
  if (writeReport) running.push(startDigests(db, log, { reads, write: writeReport }, clock));
  return {
    stop: async () => {
      await Promise.all(running.map((each) => each.stop()));
    },
  };
}
