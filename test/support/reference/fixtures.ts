import { addDays } from './days.js';
import { TODAY } from './generators/seeds.js';
import type { DatasetRecord, RunRecord } from './records.js';

/** The one brand of hand-made data sets. */
export const BRAND = { id: 'b', name: 'Own', domain: 'own.example' };
export const SCOPE = { workspace: 'w', brand: 'b', today: TODAY };

export function daysAgo(days: number): string {
  return addDays(TODAY, -days);
}

/** A bare run on chatgpt at noon. */
export function runAt(id: string, ago: number, fields: Partial<RunRecord> = {}): RunRecord {
  const bare = { prompt: 'p', engine: 'chatgpt', region: 'us', mentions: [], citations: [] };
  return { type: 'run', id, brand: 'b', collected_at: `${daysAgo(ago)}T12:00:00Z`, ...bare, ...fields };
}

/** A workspace with the brand, its prompt and its rivals Zed and Alpha, of which Zed has no domain. */
export function dataset(...others: DatasetRecord[]): DatasetRecord[] {
  return [
    { type: 'workspace', id: 'w', name: 'W', plan: 'trial' },
    { type: 'brand', workspace: 'w', ...BRAND },
    { type: 'competitor', id: 'a', brand: 'b', name: 'Zed' },
    { type: 'competitor', id: 'z', brand: 'b', name: 'Alpha', domain: 'alpha.example' },
    { type: 'prompt', id: 'p', brand: 'b', text: 'which?' },
    ...others,
  ];
}
