/** Loads records into a database, and a small market to load. */
import type { Knex } from 'knex';
import { tellMovesOfRuns } from '../../../../../src/server/alerts/moves/tell.js';
import {
  type ImportOptions,
  type ImportResult,
  importDataset,
} from '../../../../../src/server/intake/dataset/import.js';
import { DatasetError } from '../../../../../src/server/intake/dataset/problems.js';
import { bytesOf } from '../../../../support/server.js';

export const NOW = new Date('2026-11-20T12:00:00Z');
export type Lines = Iterable<object | string>;

export const load = (db: Knex, lines: Lines, options: Partial<ImportOptions> = {}): Promise<ImportResult> =>
  importDataset(db, bytesOf(lines), { now: NOW, afterDays: tellMovesOfRuns, ...options });

/** The message of an import that must be refused. */
export async function refusal(db: Knex, lines: Lines, options: Partial<ImportOptions> = {}): Promise<string> {
  try {
    await load(db, lines, options);
  } catch (error) {
    if (error instanceof DatasetError) return error.message;
    throw error;
  }
  throw new Error('the import was not refused');
}

export const workspace = { type: 'workspace', id: 'w', name: 'W', plan: 'growth' };
export const brand = { type: 'brand', id: 'b', workspace: 'w', name: 'Acme', domain: 'acme.com' };
export const rival = { type: 'competitor', id: 'c', brand: 'b', name: 'Globex', domain: 'globex.io' };
export const prompt = { type: 'prompt', id: 'p', brand: 'b', text: 'best crm?' };
export const otherPrompt = { type: 'prompt', id: 'q', brand: 'b', text: 'cheapest crm?' };
/** A market in which a run of prompt `p` or `q` can be collected. */
export const market = [workspace, brand, rival, prompt, otherPrompt];

/** A run of today without mentions and citations, with the fields given. */
export const runOf = (id: string, fields: object = {}) => ({
  type: 'run',
  id,
  brand: 'b',
  prompt: 'p',
  engine: 'chatgpt',
  region: 'us',
  collected_at: '2026-11-20T08:00:00Z',
  mentions: [],
  citations: [],
  ...fields,
});
