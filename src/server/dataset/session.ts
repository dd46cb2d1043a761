/** The state of one import: its transaction, its problems, and the keys that it has looked up or assigned. */
import type { Knex } from 'knex';
import { BrandCatalog } from './brand-catalog.js';
import { CitedPages } from './cited-urls.js';
import { Dictionary } from './dictionary.js';
import { ImportLines } from './import-lines.js';
import { allowOnlyProbes } from './probes.js';
import { Problems } from './problems.js';
import { type ChildTable, createStagingTables } from './staging.js';

export interface ImportSession {
  readonly trx: Knex.Transaction;
  readonly now: Date;
  readonly problems: Problems;
  readonly lines: ImportLines;
  readonly brands: BrandCatalog;
  readonly names: Dictionary;
  readonly domains: Dictionary;
  readonly urls: Dictionary;
  readonly titles: Dictionary;
  readonly queries: Dictionary;
  readonly pages: CitedPages;
  /** The children of runs that have a temporary table, because the file has such children. */
  readonly stagedChildren: Set<ChildTable>;
  /** The newest crawler hit of each connected brand, as ISO time. */
  readonly connections: Map<number, string>;
  /** Workspaces whose plan or reclassifications were imported: every read of their brands may have changed. */
  readonly touchedWorkspaces: Set<string>;
  /** Whether a record without a brand was imported: the reads of every brand may have changed. */
  touchedAll: boolean;
}

/** The keys of pages and titles are remembered with the cited page. */
const REMEMBERED_BY_PAGE = 10_000;

/** Begins an import in this transaction, and creates its temporary tables. */
export async function openSession(trx: Knex.Transaction, now: Date): Promise<ImportSession> {
  await allowOnlyProbes(trx);
  await createStagingTables(trx);
  return {
    trx,
    now,
    problems: new Problems(),
    lines: await ImportLines.create(trx),
    brands: new BrandCatalog(trx),
    names: new Dictionary(trx, 'mention_names', 'name_key', 'name'),
    domains: new Dictionary(trx, 'cited_domains', 'domain_key', 'domain'),
    urls: new Dictionary(trx, 'cited_urls', 'url_key', 'url', REMEMBERED_BY_PAGE),
    titles: new Dictionary(trx, 'page_titles', 'title_key', 'title', REMEMBERED_BY_PAGE),
    queries: new Dictionary(trx, 'fanout_queries', 'query_key', 'query'),
    pages: new CitedPages(),
    stagedChildren: new Set(),
    connections: new Map(),
    touchedWorkspaces: new Set(),
    touchedAll: false,
  };
}

/** Notes that the brand's logs are connected and have a hit at this ISO time. */
export function noteConnection(session: ImportSession, brandKey: number, time: string): void {
  const newest = session.connections.get(brandKey);
  if (newest === undefined || newest < time) session.connections.set(brandKey, time);
}

/** Keeps the memory of dictionaries bounded. Called before a batch, which then adds what it needs. */
export function forgetTexts({ names, domains, urls, titles, queries, pages }: ImportSession): void {
  for (const texts of [names, domains, urls, titles, queries, pages]) texts.forgetIfFull();
}
