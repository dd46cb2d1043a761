/** Generates observations besides runs: cited pages, mentions off the site, and facts. */
import type { DatasetRecord, RecordOf } from '../../server/intake/dataset/records/index.js';
import { dateText, dayOf, daysBefore, slotsOf, timeText } from './calendar.js';
import { type Entity, espresso, type Market } from './market.js';
import { type Random, randomOf } from './random.js';
import { echoOf, runOf } from './runs.js';

/** A thread that was not checked has neither a verdict nor the time of a check. */
function* communityThreads(brand: string, checkedAt: string): Generator<RecordOf<'community_thread'>> {
  for (const { url, title, kind, brandInThread } of espresso.threads) {
    const verdict =
      brandInThread === undefined ? {} : { brand_in_thread: brandInThread, checked_at: checkedAt };
    yield { type: 'community_thread', brand, url, title, kind, ...verdict };
  }
  for (const { url, title } of espresso.videos)
    yield { type: 'community_thread', brand, url, title, kind: 'video' };
}

function* youtubeVideos(asOf: string): Generator<RecordOf<'youtube_video'>> {
  for (const { id, title, channel, publishedAt, views, likes } of espresso.videos) {
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

const metrics = ['page_authority', 'organic_visits'];

function* trackedPages(brand: string, fetched_at: string): Generator<RecordOf<'tracked_page'>> {
  for (const { url, title, ranks } of espresso.trackedPages) {
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

const DAYS_IN_WEEK = 7;
const slug = (title: string): string => title.toLowerCase().replace(/[^a-z0-9]+/g, '-');

function finding(
  brand: string,
  monday: number,
  entity: Entity,
  nth: number,
  random: Random,
): RecordOf<'offsite_mention'> {
  const { kind, host, title } = random.pick(espresso.offsiteSources);
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

const CHECKED_DAYS_AGO = 3;
const ENGINES_CHECKED = 7;

function* fanoutVolumes(measured_at: string): Generator<RecordOf<'fanout_volume'>> {
  const searches = espresso.topics.flatMap((topic) => topic.searches.slice(0, 1));
  const echoes = espresso.prompts.slice(2, 3).map(({ text }) => echoOf(text));
  for (const [i, query] of [...searches, ...echoes].entries()) {
    yield { type: 'fanout_volume', query, volume: espresso.searchVolumes[i]!, measured_at };
  }
}

/** Days in which an answer with a claim is looked for. */
const CLAIM_DAYS = 45;

/** Adds to each claim the newest answer of its engine up to a day that states it. */
function withRuns(checked: number): RecordOf<'fact_check'>['discrepancies'] {
  const runs = new Map<string, string>();
  for (let day = checked; day > checked - CLAIM_DAYS && runs.size < espresso.discrepancies.length; day--) {
    for (const slot of slotsOf(espresso, day)) {
      const claims = espresso.discrepancies.filter(
        ({ engine, claim }) => engine === slot.engine && !runs.has(claim),
      );
      if (claims.length === 0) continue;
      const { id, answer } = runOf(espresso, slot);
      for (const { claim } of claims) if (answer?.includes(claim)) runs.set(claim, id);
    }
  }
  return espresso.discrepancies.map((one) => ({ ...one, run_id: runs.get(one.claim) }));
}

/** The knowledge base, the check of three days ago and the measured volumes. */
export function* facts(brand: string, now: Date): Generator<DatasetRecord> {
  yield { type: 'knowledge_base', brand, text: espresso.knowledgeBase.join('\n') };
  yield {
    type: 'fact_check',
    brand,
    checked_at: daysBefore(now, CHECKED_DAYS_AGO),
    answers_checked: ENGINES_CHECKED,
    cost_usd: 0.0132,
    discrepancies: withRuns(dayOf(now) - CHECKED_DAYS_AGO - 1),
  };
  yield* fanoutVolumes(daysBefore(now, CHECKED_DAYS_AGO));
}
