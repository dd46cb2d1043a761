/** Generates the pages that an answer cites. */
import type { Run } from '../../server/dataset/records/run.js';
import { channelOf } from './channels.js';
import type { Market, Page } from './market.js';
import type { Naming } from './mentions.js';
import type { Random } from './random.js';
import type { Slot } from './schedule.js';
import { spelled } from './spellings.js';

type Citation = Run['citations'][number];

/** The share of answers without links of an engine that usually cites. */
const UNCITED_SHARE = 0.06;
const REPEATED_SHARE = 0.05;
const UNTITLED_SHARE = 0.1;
/** The weight of the pages of a named maker, relative to other pages. */
const SITE_WEIGHT = 0.7;

const fits = (page: Page, slot: Slot): boolean =>
  (page.region === undefined || page.region === slot.region) &&
  (page.topics === undefined || page.topics.includes(slot.prompt.topic));

/** The pages that may be cited: all pages of third parties, and the pages of makers that the answer names. */
function candidates(market: Market, slot: Slot, namings: readonly Naming[]): Page[] {
  const named = market.entities.filter((entity) => namings.some(({ maker }) => maker === entity));
  const sites = named.flatMap((entity) => market.sites[entity.id] ?? []);
  return [
    ...market.pages.filter((page) => fits(page, slot)),
    ...sites
      .filter((page) => fits(page, slot))
      .map((page) => ({ ...page, weight: page.weight * SITE_WEIGHT })),
  ];
}

/** The citations in the order of the answer's list. A page may occur twice. */
export function citationsOf(
  market: Market,
  slot: Slot,
  namings: readonly Naming[],
  random: Random,
): Citation[] {
  const channel = channelOf(slot.engine);
  const [fewest, most] = channel.citations;
  if (most === 0 || random.chance(UNCITED_SHARE)) return [];
  const count = random.integer(fewest, most);
  const pages = random.sample(candidates(market, slot, namings), count, (page) => page.weight);
  if (random.chance(REPEATED_SHARE)) pages.push(random.pick(pages));
  return pages.map((page) => {
    const url = spelled(page.url, channel.tracking, random);
    return page.title === undefined || random.chance(UNTITLED_SHARE) ? { url } : { url, title: page.title };
  });
}
