/**
 * The form of the answers of each engine. The engine table of the contract defines which fields an engine can report.
 */
import type { EngineId } from '../../contract/engines.js';

export interface Channel {
  /** Undefined if the engine does not report its model. */
  readonly model?: string;
  /** The day of each month on which a new snapshot of the model replaces the one before. */
  readonly snapshots?: number;
  readonly style: 'list' | 'prose';
  /** The minimum and maximum of citations per answer; [0, 0]: the engine never cites. */
  readonly citations: readonly [number, number];
  /** The maximum of searches that the engine reports for an answer. */
  readonly fanouts: number;
  /** Probability of a carousel for a prompt about buying. */
  readonly carousel: number;
  /** Probability that the engine shows no answer at all. */
  readonly silent: number;
  /** Query pair that the engine adds to its links. */
  readonly tracking?: string;
  /** Factor on the weight of the negative tone. */
  readonly critical: number;
}

/** The form for an engine without an entry below. */
const plain: Channel = { style: 'prose', citations: [0, 0], fanouts: 0, carousel: 0, silent: 0, critical: 1 };

const channels: { readonly [E in EngineId]?: Channel } = {
  chatgpt: {
    ...plain,
    model: 'gpt-5.1',
    style: 'list',
    citations: [2, 6],
    fanouts: 3,
    carousel: 0.4,
    tracking: 'utm_source=chatgpt.com',
  },
  aio: { ...plain, citations: [3, 7], carousel: 0.25, silent: 0.1 },
  aimode: { ...plain, model: 'gemini-3-pro', style: 'list', citations: [4, 8], fanouts: 4, carousel: 0.3 },
  copilot: { ...plain, citations: [2, 5], fanouts: 1, critical: 0.8 },
  perplexity: {
    ...plain,
    model: 'sonar',
    style: 'list',
    citations: [5, 9],
    fanouts: 2,
    carousel: 0.2,
    critical: 1.6,
  },
  gemini: { ...plain, model: 'gemini-3-flash', snapshots: 26, style: 'list', citations: [2, 5], fanouts: 3 },
  grok: { ...plain, model: 'grok-4.1', citations: [3, 6], critical: 1.4 },
  claude: { ...plain, model: 'claude-sonnet-4-5', snapshots: 12, citations: [2, 5], fanouts: 2 },
  deepseek: { ...plain, model: 'deepseek-v3.2', style: 'list' },
  llama: { ...plain, model: 'llama-4-maverick' },
};

/** The form of the answers of an engine. */
export const channelOf = (engine: EngineId): Channel => channels[engine] ?? plain;

/** The model that an engine answers with on a day, YYYY-MM-DD; undefined: it does not report one. */
export function modelOn(engine: EngineId, date: string): string | undefined {
  const { model, snapshots } = channelOf(engine);
  if (model === undefined || snapshots === undefined) return model;
  const released = new Date(`${date}T00:00:00Z`);
  if (released.getUTCDate() < snapshots) released.setUTCMonth(released.getUTCMonth() - 1, 1);
  released.setUTCDate(snapshots);
  return `${model}-${released.toISOString().slice(0, 10).replaceAll('-', '')}`;
}
