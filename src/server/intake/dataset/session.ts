/** The state of one import: its transaction, its problems, and the keys that it has looked up or assigned. */
import { hash } from 'node:crypto';
import type { Knex } from 'knex';
import { copyInto, copyRow } from '../../database/copy.js';
import { BrandCatalog } from './brand-catalog.js';
import { CitedPages } from './cited-urls.js';
import { Dictionary } from './dictionary.js';
import { allowOnlyProbes } from './probes.js';
import { Problems } from './problems.js';

// One small row per imported line, in a temporary table. It shows which lines disagree about a record and which line
// has a dangling reference, without keeping the file in memory.

interface ImportLine {
  readonly line: number;
  readonly type: string;
  /** The brand that the record names, if any. */
  readonly brand: string | null;
  /** Equal for two lines of the same record. */
  readonly key: string;
  /** The record's content in one normal form. */
  readonly content: string;
  /** The id that the record refers to besides its brand: a run's prompt, a prompt's topic, an entity, a workspace. */
  readonly ref: string | null;
  readonly id: string | null;
}

export async function addLines({ trx }: ImportSession, lines: readonly ImportLine[]): Promise<void> {
  const rows = lines.map(({ line, type, brand, key, content, ref, id }) => {
    const record = hash('md5', `${type}\n${brand}\n${key}`, 'hex');
    return copyRow([line, type, brand, record, digestOf(content), ref, id]);
  });
  await copyInto(trx, 'import_lines', rows);
}

/** 52 bits of a hash. */
const digestOf = (content: string): number => Number.parseInt(hash('md5', content, 'hex').slice(0, 13), 16);

// Temporary tables that records are copied into before they are merged with what is stored. `incoming_records` and
// `incoming_runs` hold one batch; the others collect rows of the whole file.

/** Creates the temporary tables of every import, which the end of the transaction drops. */
async function createStagingTables(trx: Knex.Transaction): Promise<void> {
  await trx.raw(`
    create temporary table import_lines (
      line integer not null, type text not null, brand text collate "C", key uuid not null, content bigint not null,
      ref text collate "C", id text collate "C"
    ) on commit drop;
    create temporary table incoming_records (record json not null) on commit drop;
    create temporary table incoming_runs (like runs, answer text) on commit drop;
    create temporary table replaced_runs (
      brand_key integer not null, id text collate "C" not null, day date not null, answered boolean not null
    ) on commit drop`);
}

export interface ImportSession {
  readonly trx: Knex.Transaction;
  readonly now: Date;
  readonly problems: Problems;
  readonly brands: BrandCatalog;
  readonly names: Dictionary;
  readonly domains: Dictionary;
  readonly urls: Dictionary;
  readonly titles: Dictionary;
  readonly queries: Dictionary;
  readonly pages: CitedPages;
  /** The children of runs that have a temporary table, because the file has such children. */
  readonly stagedChildren: Set<string>;
  /** The newest crawler hit of each connected brand, as ISO time. */
  readonly connections: Map<number, string>;
  /** The brands with imported hits. */
  readonly hitWeeks: Map<number, Set<string>>;
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
    brands: new BrandCatalog(trx),
    names: new Dictionary(trx, 'mention_names', 'name_key', 'name'),
    domains: new Dictionary(trx, 'cited_domains', 'domain_key', 'domain'),
    urls: new Dictionary(trx, 'cited_urls', 'url_key', 'url', REMEMBERED_BY_PAGE),
    titles: new Dictionary(trx, 'page_titles', 'title_key', 'title', REMEMBERED_BY_PAGE),
    queries: new Dictionary(trx, 'fanout_queries', 'query_key', 'query'),
    pages: new CitedPages(),
    stagedChildren: new Set(),
    connections: new Map(),
    hitWeeks: new Map(),
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
