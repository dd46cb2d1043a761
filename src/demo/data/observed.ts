/** Generates observations besides runs: cited pages, mentions off the site, and facts. */
import type { DatasetRecord, RecordOf } from '../../server/dataset/records/index.js';
import { dateText, daysBefore, timeText } from './calendar.js';
import { SITE } from './espresso/makers.js';
import { threads, videos } from './espresso/pages.js';
import { prompts, topics } from './espresso/prompts.js';
import type { Entity, Market } from './market.js';
import { type Random, randomOf } from './random.js';
import { echoOf } from './runs.js';

/** A thread that was not checked has neither a verdict nor the time of a check. */
function* communityThreads(brand: string, checkedAt: string): Generator<RecordOf<'community_thread'>> {
  for (const { url, title, kind, brandInThread } of threads) {
    const verdict =
      brandInThread === undefined ? {} : { brand_in_thread: brandInThread, checked_at: checkedAt };
    yield { type: 'community_thread', brand, url, title, kind, ...verdict };
  }
  for (const { url, title } of videos) yield { type: 'community_thread', brand, url, title, kind: 'video' };
}

function* youtubeVideos(asOf: string): Generator<RecordOf<'youtube_video'>> {
  for (const { id, title, channel, publishedAt, views, likes } of videos) {
    yield {
      type: 'youtube_video',
      video_id: id,
      title,
      ...(channel === undefined ? {} : { channel_id: channel.id, channel_name: channel.name }),
      ...(publishedAt === undefined ? {} : { published_at: publishedAt }),
      ...(views === undefined ? {} : { views, stats_as_of: asOf }),
      ...(likes === undefined ? {} : { likes }),
    };
  }
}

/** Path or address, title, and the rank values if they were ever fetched. */
const tracked: readonly {
  readonly url: string;
  readonly title: string;
  readonly ranks?: readonly number[];
}[] = [
  { url: `${SITE}/`, title: 'Torvello', ranks: [41, 1840] },
  { url: `${SITE}/products/arco`, title: 'Torvello Arco', ranks: [33, 620] },
  { url: `${SITE}/products/piccola`, title: 'Torvello Piccola', ranks: [29, 410] },
  { url: `${SITE}/guides/how-to-descale`, title: 'How To Descale | Torvello', ranks: [24, 0] },
  { url: `${SITE}/compare/arco-vs-lanzaro-primo`, title: 'Torvello Arco vs Lanzaro Primo' },
  {
    url: 'https://www.homegrounds.co/lanzaro-primo-vs-torvello-arco/',
    title: 'Lanzaro Primo vs Torvello Arco',
  },
];
const metrics = ['page_authority', 'organic_visits'];

function* trackedPages(brand: string, fetched_at: string): Generator<RecordOf<'tracked_page'>> {
  for (const { url, title, ranks } of tracked) {
    const values = ranks?.map((value, i) => ({
      provider: 'linkindex',
      metric: metrics[i]!,
      value,
      fetched_at,
    }));
    const stated = values === undefined ? {} : { ranks: values };
    yield { type: 'tracked_page', brand, url, title, added_at: '2026-02-16T08:00:00Z', ...stated };
  }
}

/** The data as of the last check on that day. */
export function* citedPages(brand: string, day: number): Generator<DatasetRecord> {
  yield* communityThreads(brand, timeText(day, 5 * 3600));
  yield* youtubeVideos(timeText(day, 4 * 3600));
  yield* trackedPages(brand, timeText(day, 6 * 3600));
}

// Generates weekly mentions of the tracked names on the web and in the news.

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

// Generates the knowledge base, the fact check and the measured search volumes of the demo.

const KNOWLEDGE_BASE = `Torvello makes espresso machines for the home since 2014, in Turin.
Arco: single boiler, PID, 58 mm basket, heats up in 45 seconds, 1.8 litre tank, $699.
Arco Duo: two boilers, 58 mm basket, plumbed in or with a 2.5 litre tank, $1,149.
Piccola: 14 cm wide, 54 mm basket, 1.1 litre tank, $449.
Tempo: single boiler with a built-in grinder, $899.
Warranty: five years on every machine, ten on boilers. Spare parts are kept for fifteen years.
Steam: since the 2026 model year the Arco builds steam pressure in 25 seconds.`;

const discrepancies: RecordOf<'fact_check'>['discrepancies'] = [
  {
    engine: 'perplexity',
    claim: 'The steam wand of the Arco needs almost a minute to build pressure.',
    truth: 'Since the 2026 model year the Arco builds steam pressure in 25 seconds.',
    severity: 'high',
  },
  {
    engine: 'copilot',
    claim: 'The Torvello Piccola has a two-litre tank.',
    truth: 'The Piccola has a 1.1 litre tank.',
    severity: 'medium',
  },
  {
    engine: 'gemini',
    claim: 'The Arco has a 54 mm basket.',
    truth: 'The Arco has a 58 mm basket.',
    severity: 'low',
  },
];
const CHECKED_DAYS_AGO = 3;
const ENGINES_CHECKED = 7;

/** The volumes of the first searches; the others were never measured. */
const VOLUMES = [8100, 2400, 590, 320, 1300, 210];

function* fanoutVolumes(measured_at: string): Generator<RecordOf<'fanout_volume'>> {
  const searches = topics.flatMap((topic) => topic.searches.slice(0, 1));
  const echoes = prompts.slice(2, 3).map(({ text }) => echoOf(text));
  for (const [i, query] of [...searches, ...echoes].entries()) {
    yield { type: 'fanout_volume', query, volume: VOLUMES[i]!, measured_at };
  }
}

/** The knowledge base, the check of three days ago and the measured volumes. */
export function* facts(brand: string, now: Date): Generator<DatasetRecord> {
  yield { type: 'knowledge_base', brand, text: KNOWLEDGE_BASE };
  yield {
    type: 'fact_check',
    brand,
    checked_at: daysBefore(now, CHECKED_DAYS_AGO),
    answers_checked: ENGINES_CHECKED,
    cost_usd: 0.0132,
    discrepancies,
  };
  yield* fanoutVolumes(daysBefore(now, CHECKED_DAYS_AGO));
}
