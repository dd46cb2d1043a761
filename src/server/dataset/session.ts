/** What one import knows while it runs: its transaction, its problems, and the keys it has looked up or given out. */
import type { Knex } from 'knex';
import { BrandCatalog } from './brand-catalog.js';
import { Dictionary } from './dictionary.js';
import { Ledger } from './import-lines.js';
import { Problems } from './problems.js';

export interface ImportSession {
  readonly trx: Knex.Transaction;
  readonly now: Date;
  readonly problems: Problems;
  readonly ledger: Ledger;
  readonly brands: BrandCatalog;
  readonly names: Dictionary;
  readonly domains: Dictionary;
  readonly urls: Dictionary;
  readonly titles: Dictionary;
  readonly queries: Dictionary;
  /** The newest crawler hit of each connected brand, as ISO time. */
  readonly connections: Map<number, string>;
  /** Workspaces whose plan or reclassifications came: every read of their brands may have changed. */
  readonly touchedWorkspaces: Set<string>;
  /** A record that belongs to no brand came: every brand's reads may have changed. */
  touchedAll: boolean;
}

export async function openSession(trx: Knex.Transaction, now: Date): Promise<ImportSession> {
  return {
    trx,
    now,
    problems: new Problems(),
    ledger: await Ledger.create(trx),
    brands: new BrandCatalog(trx),
    names: new Dictionary(trx, 'mention_names', 'name_key', 'name'),
    domains: new Dictionary(trx, 'cited_domains', 'domain_key', 'domain'),
    urls: new Dictionary(trx, 'cited_urls', 'url_key', 'url'),
    titles: new Dictionary(trx, 'page_titles', 'title_key', 'title'),
    queries: new Dictionary(trx, 'fanout_queries', 'query_key', 'query'),
    connections: new Map(),
    touchedWorkspaces: new Set(),
    touchedAll: false,
  };
}

/** The brand's logs are connected, with a hit at this ISO time. */
export function noteConnection(session: ImportSession, brandKey: number, time: string): void {
  const newest = session.connections.get(brandKey);
  if (newest === undefined || newest < time) session.connections.set(brandKey, time);
}
