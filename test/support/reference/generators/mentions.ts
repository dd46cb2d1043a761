import type { CapturedMention } from '../records.js';
import type { Draw } from './draw.js';
import { spellName } from './entities.js';

const TONES = ['positive', 'neutral', 'negative'] as const;

/**
 * The mentions of one run: some entities, some of them twice under name and alias, names that are not tracked; orders in
 * sequence or drawn freely, so that ties and gaps occur; in any order.
 * @param entityNames the names of each entity, name first
 */
export function randomMentions(
  draw: Draw,
  entityNames: readonly string[][],
  untracked: readonly string[],
): CapturedMention[] {
  const names = draw.some(entityNames, 0.45).flatMap((own) => {
    return Array.from({ length: draw.chance(0.2) ? 2 : 1 }, () => draw.pick(own));
  });
  if (draw.chance(0.4)) names.push(draw.pick(untracked));
  const inSequence = draw.chance(0.6);
  const mentions = draw.shuffled(names).map((name, index) => ({
    name: spellName(draw, name),
    order: inSequence ? index + 1 : draw.int(1, 6),
    ...randomTone(draw),
  }));
  return draw.chance(0.5) ? draw.shuffled(mentions) : mentions;
}

/** Evidence requires a tone; a tone may have no evidence. */
function randomTone(draw: Draw): Pick<CapturedMention, 'sentiment' | 'evidence'> {
  if (draw.chance(0.4)) return draw.pick([{}, { sentiment: null }, { sentiment: null, evidence: null }]);
  const sentiment = draw.pick(TONES);
  return draw.chance(0.5) ? { sentiment } : { sentiment, evidence: `said to be ${sentiment}` };
}
