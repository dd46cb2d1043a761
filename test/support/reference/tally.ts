import { isUnder } from './domains.js';
import type { Entity } from './entities.js';
import { mentionsOf } from './entities.js';
import type { RunRecord } from './records.js';
import type { UrlRules } from './url-rules/url-rules.js';

/** Exact whole-number sums for one entity over a list of runs. */
export interface Tally {
  runs: number;
  present: number;
  positionSum: number;
  /** Σ round(1e9 / log2(1 + o_e)): whole numbers, so that no sum depends on its order. */
  weightSum: number;
  positive: number;
  neutral: number;
  negative: number;
  /** Runs that mention the entity without any scored mention. */
  unscored: number;
  /** Citations of all hosts, and those of the entity's domain and its subdomains. */
  citations: number;
  ownCitations: number;
}

export function positionWeight(order: number): number {
  return Math.round(1e9 / Math.log2(1 + order));
}

/** Sums for one entity over the runs given, whatever engine, day or prompt they are of. */
export function tally(runs: RunRecord[], entity: Entity, rules: Pick<UrlRules, 'canonicalUrl'>): Tally {
  const sums = emptyTally();
  for (const run of runs) {
    sums.runs += 1;
    addMentions(sums, run, entity);
    for (const citation of run.citations) {
      sums.citations += 1;
      const { domain } = rules.canonicalUrl(citation.url);
      if (entity.domain !== '' && domain !== '' && isUnder(domain, entity.domain)) sums.ownCitations += 1;
    }
  }
  return sums;
}

function addMentions(sums: Tally, run: RunRecord, entity: Entity): void {
  const mentions = mentionsOf(entity, run.mentions);
  const first = mentions[0];
  if (first === undefined) return;
  sums.present += 1;
  sums.positionSum += first.order;
  sums.weightSum += positionWeight(first.order);
  const tone = mentions.find((mention) => mention.sentiment)?.sentiment;
  sums[tone ?? 'unscored'] += 1;
}

function emptyTally(): Tally {
  return {
    runs: 0,
    present: 0,
    positionSum: 0,
    weightSum: 0,
    positive: 0,
    neutral: 0,
    negative: 0,
    unscored: 0,
    citations: 0,
    ownCitations: 0,
  };
}
