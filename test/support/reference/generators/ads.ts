import type { CapturedAd, CapturedCard, RunRecord } from '../records.js';
import { byCodePoint } from '../text-order.js';
import type { Draw } from './draw.js';

const ADVERTISERS = ['Globex', 'Acme Analytics', 'Ünïcode GmbH', '🚀 Rocket'] as const;
const LINKS = [
  'https://globex.io/?utm_source=ad',
  'https://www.Rocket.dev:8443/buy#now',
  'https://shop.acme.com/',
] as const;

/** A unit with a name or a link; the meaning of a unit without both is not specified. */
export function randomAd(draw: Draw): CapturedAd {
  const named = draw.chance(0.8);
  const advertiser_url = draw.pick(LINKS);
  return {
    ...(named ? { advertiser: draw.pick(ADVERTISERS) } : draw.pick([{}, { advertiser: null }])),
    ...(named ? draw.pick([{}, { advertiser_url: null }, { advertiser_url }]) : { advertiser_url }),
    ...draw.pick([{}, { favicon_url: null }, { favicon_url: 'https://icons.example/globex.png' }]),
    ...draw.pick([{}, { cards: null }, { cards: [] }, { cards: randomCards(draw) }]),
  };
}

function randomCards(draw: Draw): CapturedCard[] {
  return Array.from({ length: draw.int(1, 3) }, (_, index) => ({
    ...draw.pick([{}, { title: null }, { title: `Card ${index}` }]),
    ...draw.pick([{}, { body: 'Buy now\nand save' }]),
    ...draw.pick([{}, { target_url: null }, { target_url: draw.pick(LINKS) }]),
    ...draw.pick([{}, { image_url: 'https://icons.example/card.png' }]),
  }));
}

/**
 * The same runs with the ids of those that carry ads swapped among them until they grow with the time: whether
 * "newest first" goes by instant or by day and id is nowhere said, and so it is the same.
 */
export function withAdIdsInOrder(runs: RunRecord[]): RunRecord[] {
  const carrying = runs.filter((run) => run.ad);
  const ids = carrying.map((run) => run.id).sort(byCodePoint);
  const oldestFirst = [...carrying].sort((a, b) => Date.parse(a.collected_at) - Date.parse(b.collected_at));
  const idOf = new Map(oldestFirst.map((run, index) => [run, ids[index]!]));
  return runs.map((run) => ({ ...run, id: idOf.get(run) ?? run.id }));
}
