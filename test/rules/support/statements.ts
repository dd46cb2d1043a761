/** Every statement of the server. */
import { readdirSync, readFileSync } from 'node:fs';
import { createdStatements } from '../../../src/server/base/statement.js';

export interface SentStatement {
  readonly name: string;
  readonly sql: string;
}

const folder = new URL('../../../src/server/', import.meta.url);

/** A value for every binding of a statement on a distributed table. */
export const SAMPLE_BINDINGS: Readonly<Record<string, unknown>> = {
  after: null,
  afterEnd: '2026-11-20',
  afterStart: '2026-11-14',
  agents: ['oai-searchbot'],
  allow: null,
  answers_checked: 1,
  before: new Date(0),
  beforeDay: null,
  beforeEnd: '2026-11-12',
  beforeId: null,
  beforeStart: '2026-11-01',
  brandId: 'b',
  brandIds: null,
  brandKey: 7,
  at: new Date(0),
  ats: [0],
  bucket: 'b',
  citedDomains: [1],
  citedPages: [1],
  cells: '[]',
  checked_at: '2026-11-20T00:00:00Z',
  cost_usd: null,
  createdAt: new Date(0),
  day: '2026-11-20',
  days: ['2026-11-20'],
  direction: null,
  discrepancies: '[]',
  display: 'svc_',
  domain: 'a.example',
  domains: ['a.example'],
  end: '2026-11-20',
  ending: 'a.example',
  ends: ['2026-11-20'],
  engineBits: ['chatgpt', 'perplexity'],
  engines: ['chatgpt', 'perplexity'],
  entities: [1],
  entity: 0,
  expiresAt: null,
  facts: '{}',
  firsts: ['2026-11-14'],
  first: 'a',
  found: '[]',
  from: new Date(0),
  gaps: '[]',
  hashes: ['00'],
  holder: 'h',
  id: 'b',
  ids: ['r'],
  inserted: true,
  keyId: null,
  keys: [1],
  kind: 'read',
  kinds: ['metric'],
  last: 'b',
  lasts: ['2026-11-20'],
  least: 5,
  leaseUntil: new Date(0),
  middle: new Date(0),
  most: 5,
  name: 'n',
  namedKeys: [1],
  newest: new Date(0),
  noPage: 'css$',
  now: new Date(0),
  pages: '{}',
  path: '/',
  paths: ['/'],
  prefix: 'https://',
  priorDays: ['2026-11-07'],
  priorEnd: '2026-11-13',
  priorStart: '2026-11-07',
  promptKeys: null,
  prompts: ['p'],
  receivedAt: new Date(0),
  reason: null,
  regions: null,
  surfaces: ['api'],
  rested: new Date(0),
  robots: '{}',
  rows: 10,
  runId: 'r',
  secretHash: Buffer.alloc(32),
  setAt: new Date(0),
  since: new Date(0),
  spent: true,
  sessionHash: Buffer.alloc(1),
  start: '2026-11-14',
  stats: '[]',
  subject: 's',
  tags: ['t'],
  today: '2026-11-20',
  toldAt: new Date(0),
  token: 't',
  tone: 1,
  topics: ['t'],
  type: 'digest.weekly',
  unnamedKeys: [1],
  until: new Date(0),
  url: 'https://a.example/',
  urlKey: 1,
  urlKeys: [1],
  urls: ['https://a.example/'],
  value: Buffer.alloc(1),
  week: '2026-11-16',
  weeks: ['2026-11-16'],
  window: 56,
  words: 'w',
  videoDomain: 'youtube.com',
  videoIds: ['v'],
  workspaceId: 'w',
  windowDays: 28,
};

/** Loads every module of the server that creates statements. */
export async function everyStatement(): Promise<SentStatement[]> {
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || !CREATES.test(readFileSync(new URL(file, folder), 'utf8'))) continue;
    await import(new URL(file, folder).href);
  }
  return [...createdStatements].map(([name, sql]) => ({ name, sql }));
}

const CREATES = /\b(?:statement|plannedStatement)[<(]/;

/** @throws Error that names a binding without a sample. */
export function requireSamples({ name, sql }: SentStatement): void {
  for (const [, binding] of sql.matchAll(/(?<!:):([a-z]\w*)/gi))
    if (!(binding! in SAMPLE_BINDINGS)) throw new Error(`${name}: SAMPLE_BINDINGS has no ${binding}`);
}
