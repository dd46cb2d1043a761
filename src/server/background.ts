/** What a server does besides answering requests: nightly work, searches for new names, deliveries of events, digests. One of its processes does it. */
import { type Clock, systemClock } from './clock.js';
import type { CollectionReport } from './collections.js';
import type { ServerConfig } from './config.js';
import type { Database } from './database/database.js';
import { type Deliveries, type DeliveryReport, startDeliveries } from './delivery/deliveries.js';
import { type Digests, startDigests, type WriteReport } from './delivery/digest.js';
import type { Logger } from './log.js';
import { type NameSearches, startNameSearches } from './name-searches.js';
import { type NightlyReport, startNightly } from './nightly.js';
import { createRobotsChecks, type fetchRobots } from './robots/fetch.js';

/** What is counted of it. */
export interface BackgroundReports {
  readonly nightly: NightlyReport;
  readonly deliveries: DeliveryReport;
  readonly collections: CollectionReport;
}

export type BackgroundSettings = Pick<
  ServerConfig,
  'operatorKey' | 'crawlerRetentionDays' | 'robotsAllowPrivate'
> &
  Partial<Pick<ServerConfig, 'publicUrl' | 'alertsAllowPrivate' | 'mail'>>;

export interface BackgroundOptions {
  readonly log: Logger;
  /** Where the server listens. */
  readonly url: string;
  /** If omitted, nothing is counted. */
  readonly reports?: BackgroundReports | undefined;
  /** If omitted, there are no digests. */
  readonly writeReport?: WriteReport | undefined;
  /** Returns the robots.txt of a domain; if omitted, it is fetched. */
  readonly robots?: typeof fetchRobots | undefined;
  /** If omitted, the system's, and for deliveries that of the database. */
  readonly clock?: Clock;
}

export interface Background {
  /** Ends what can be ended, and waits for the rest. */
  stop(): Promise<void>;
}

export function startBackground(
  { knex: db }: Pick<Database, 'knex'>,
  settings: BackgroundSettings,
  { log, url, reports, writeReport, robots, clock }: BackgroundOptions,
): Background {
  const {
    crawlerRetentionDays,
    robotsAllowPrivate,
    publicUrl = null,
    alertsAllowPrivate = false,
    mail = null,
  } = settings;
  const nightly = startNightly(
    db,
    log,
    clock ?? systemClock,
    undefined,
    crawlerRetentionDays,
    reports?.nightly,
    createRobotsChecks(clock ?? systemClock, { allowPrivate: robotsAllowPrivate }, robots),
  );
  const running: (Deliveries | Digests | NameSearches)[] = [
    nightly,
    startNameSearches(db, log, clock ?? systemClock),
    startDeliveries(
      db,
      log,
      { allowPrivate: alertsAllowPrivate, mail, publicUrl },
      { ...(clock && { clock }), report: reports?.deliveries },
    ),
  ];
  // A report is read through the API.
  if (writeReport && settings.operatorKey !== null) {
    const digest = { url: ownAddress(url), write: writeReport };
    running.push(startDigests(db, log, digest, clock ?? systemClock));
  }
  return {
    stop: async () => {
      await Promise.all(running.map((each) => each.stop()));
    },
  };
}

/** Addresses that mean all of this machine cannot be connected to everywhere. */
const ownAddress = (url: string): string =>
  url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
