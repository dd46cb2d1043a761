/** Generates weekly mentions of the tracked names on the web and in the news. */
import type { RecordOf } from '../../server/dataset/records/index.js';
import { dateText, timeText } from './calendar.js';
import type { Entity, Market } from './market.js';
import { type Random, randomOf } from './random.js';

const sources = [
  {
    kind: 'news',
    host: 'https://www.reuters.com/business/retail-consumer',
    title: '{name} opens a second plant',
  },
  {
    kind: 'news',
    host: 'https://www.theguardian.com/business',
    title: 'Home cafés: what {name} does differently',
  },
  { kind: 'news', host: 'https://sprudge.com', title: '{name} shows a new machine at the autumn fair' },
  { kind: 'web', host: 'https://perfectdailygrind.com', title: 'A visit to {name}' },
  { kind: 'web', host: 'https://www.home-barista.com/blog', title: 'Long-term notes: {name} {product}' },
  {
    kind: 'web',
    host: 'https://kitchenledger.example/reviews',
    title: '{name} {product}, first impressions',
  },
] as const;

const DAYS_IN_WEEK = 7;
const slug = (title: string): string => title.toLowerCase().replace(/[^a-z0-9]+/g, '-');

function finding(
  brand: string,
  monday: number,
  entity: Entity,
  nth: number,
  random: Random,
): RecordOf<'offsite_mention'> {
  const { kind, host, title } = random.pick(sources);
  const text = title.replace('{name}', entity.name).replace('{product}', random.pick(entity.products).model);
  const week = dateText(monday);
  return {
    type: 'offsite_mention',
    id: `${week}.${entity.id}.${nth}`,
    brand,
    week,
    kind,
    entity: entity.id,
    title: text,
    url: `${host}/${week.slice(0, 4)}/${slug(text)}-${random.integer(1000, 9999)}`,
    found_at: timeText(monday + random.integer(0, DAYS_IN_WEEK - 1), random.integer(6 * 3600, 20 * 3600)),
  };
}

/** The mentions of the week that begins on `monday`, up to `until` (RFC 3339, UTC, milliseconds). */
export function* offsiteMentions(
  market: Market,
  monday: number,
  until: string,
): Generator<RecordOf<'offsite_mention'>> {
  for (const entity of market.entities) {
    const random = randomOf(market.brand, monday, entity.id, 'offsite');
    const count = Math.round(entity.presence * 3 * random.next());
    for (let nth = 1; nth <= count; nth++) {
      const found = finding(market.brand, monday, entity, nth, random);
      if (found.found_at <= until) yield found;
    }
  }
}
