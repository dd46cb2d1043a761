/** The briefing that follows from the other bodies of a fake server. */
import { wordsOf } from '../../../src/contract/needs.js';
import { textOf } from '../../../src/contract/phrase.js';
import type { Briefing } from '../../../src/contract/reads/briefing.js';
import type { ResourceName, ResponseOf } from '../../../src/contract/registry.js';
import { rankIn, sentenceOf } from '../../../src/contract/summary.js';
import { needsOf } from '../../../src/server/answers/reads/needs.js';
import { gapsOf } from './gap-fixtures.js';

type Bodies = { readonly [N in Exclude<ResourceName, 'briefing'>]: ResponseOf<N> };

const KINDS = ['sources', 'within_reach', 'lost_pages'] as const;

export function briefingOf(bodies: Bodies): Briefing {
  const { overview, competitors, sentiment, prompts, brands, moves } = bodies;
  const { brand, window, slice, measured } = overview;
  const hasAnswers = overview.run_count > 0;
  const isDated = bodies['metrics/history'].source === 'daily_stats';
  const found = needsOf({
    today: window.end,
    archived: false,
    newest: measured?.last_day ?? null,
    fault: brands.brands.find(({ id }) => id === brand.id)?.collection_fault ?? null,
    overview,
    ...(hasAnswers && {
      prompts: prompts.prompts,
      sentiment,
      gaps: Object.fromEntries(KINDS.map((kind) => [kind, gapsOf(kind)])),
    }),
  });
  const instead = !hasAnswers && isDated ? ('statistics' as const) : undefined;
  return {
    brand,
    sentence: textOf(
      sentenceOf({ overview, competitors: competitors.competitors, instead, today: window.end }),
    ),
    place: hasAnswers ? rankIn(competitors.competitors) : null,
    needs: found.map(({ id, kind, worth, facts, lead }, at) => {
      const { phrase, advice } = wordsOf({ kind, worth, facts, lead }, at);
      return { kind, worth, text: textOf(phrase), advice: textOf(advice), facts, lead, id };
    }),
    moves: moves.moves,
    overview,
    newest_day: measured?.last_day ?? null,
    ...{ window, slice, measured },
    note: null,
    notes: [],
    aside: [],
  };
}
