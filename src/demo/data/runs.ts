/** Generates runs, each one collected answer, with its ad, searches and citations. */
import { findEngine } from '../../contract/engines.js';
import type { Run } from '../../server/intake/dataset/records/run.js';
import { answerOf, type Naming, namingsOf } from './answers.js';
import { dayOfText, type Slot, slotsOf, timeText } from './calendar.js';
import { channelOf, modelOn } from './channels.js';
import type { Market, Page } from './market.js';
import { type Random, randomOf } from './random.js';
import { carouselsOf } from './shopping.js';

function identity(market: Market, slot: Slot) {
  const model = modelOn(slot.engine, slot.date);
  return {
    type: 'run' as const,
    id: `${slot.date}.${slot.engine}.${slot.prompt.id}.${slot.region}`,
    brand: market.brand,
    prompt: slot.prompt.id,
    engine: slot.engine,
    ...(model === undefined ? {} : { model }),
    region: slot.region,
    collected_at: timeText(slot.day, slot.second),
  };
}

/** The run of a slot. It depends only on the slot, so it is the same whenever it is made. */
export function runOf(market: Market, slot: Slot): Run {
  const run = identity(market, slot);
  // Each part has its own random source, so that a change to one generator does not change the other parts.
  const random = (part: string) => randomOf(market.brand, run.id, part);
  if (random('silent').chance(channelOf(slot.engine).silent)) return { ...run, mentions: [], citations: [] };
  const namings = namingsOf(market, slot, random('names'));
  const { text, mentions } = answerOf(market, slot, namings, random('text'));
  const carousels = carouselsOf(market, slot, namings, random('shelf'));
  const ad = adOf(market, slot, random('ad'));
  const fanouts = fanoutsOf(market, slot, random('searches'));
  return {
    ...run,
    answer: text,
    mentions,
    citations: citationsOf(market, slot, namings, random('links')),
    ...(carousels.length > 0 ? { carousels } : {}),
    ...(ad === null ? {} : { ad }),
    ...(fanouts.length > 0 ? { fanouts } : {}),
  };
}

/** The runs of one day that were collected up to `until` (RFC 3339, UTC, milliseconds). */
export function* runsOf(market: Market, day: number, until: string): Generator<Run> {
  for (const slot of slotsOf(market, day)) {
    if (timeText(slot.day, slot.second) <= until) yield runOf(market, slot);
  }
}

// Generates the ad unit next to an answer, on engines that report ads.

type Ad = NonNullable<Run['ad']>;

/** The first day on which ads were captured. */
const CAPTURE_BEGAN = dayOfText('2026-07-01');
const AD_SHARE = 0.14;

/** At most one ad unit per answer; null: none was shown, or the engine does not report ads. */
function adOf(market: Market, slot: Slot, random: Random): Ad | null {
  const isObservable = findEngine(slot.engine)?.adsObservable === true && slot.day >= CAPTURE_BEGAN;
  if (!isObservable || !slot.prompt.shopping || !random.chance(AD_SHARE)) return null;
  return market.ads.length === 0 ? null : random.weighted(market.ads, ({ weight }) => weight).ad;
}

// Generates the searches that an engine reports for an answer.

const ECHO_SHARE = 0.4;

/** The prompt as a search query: in lower case and without punctuation. */
export const echoOf = (text: string): string => text.toLowerCase().replace(/[?:,]/g, '');

/** Distinct queries; if one repeats the prompt, it is the first. */
function fanoutsOf(market: Market, slot: Slot, random: Random): string[] {
  const most = channelOf(slot.engine).fanouts;
  const count = most === 0 ? 0 : random.integer(0, most);
  if (count === 0) return [];
  const echo = random.chance(ECHO_SHARE) ? [echoOf(slot.prompt.text)] : [];
  const topic = market.topics.find(({ id }) => id === slot.prompt.topic)!;
  return [...echo, ...random.sample(topic.searches, count - echo.length, () => 1)];
}

// Generates the pages that an answer cites.

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
function citationsOf(market: Market, slot: Slot, namings: readonly Naming[], random: Random): Citation[] {
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

// Varies a link as engines do: short forms, time marks, old hosts, tracking pairs.

type Spelling = (id: string) => string;

const videoSpellings: readonly Spelling[] = [
  (id) => `https://www.youtube.com/watch?v=${id}`,
  (id) => `https://youtu.be/${id}`,
  (id) => `https://www.youtube.com/watch?v=${id}&t=95s`,
  (id) => `https://m.youtube.com/watch?v=${id}`,
  (id) => `https://www.youtube.com/embed/${id}`,
  (id) => `https://www.youtube.com/shorts/${id}`,
];
const VIDEO = /^https:\/\/www\.youtube\.com\/watch\?v=([\w-]{11})$/;
const PERMALINK = /^https:\/\/www\.reddit\.com\/(r\/\w+\/comments\/\w+\/)(\w+\/)$/;

const PLAIN_SHARE = 0.55;

function respelled(url: string, random: Random): string {
  const video = VIDEO.exec(url)?.[1];
  if (video) return random.pick(videoSpellings)(video);
  const permalink = PERMALINK.exec(url);
  if (!permalink) return url;
  const [, thread, slug] = permalink;
  return random.pick([
    `https://old.reddit.com/${thread}${slug}`,
    `https://www.reddit.com/${thread}`,
    `https://www.reddit.com/${thread}${slug}m4x7q1z/`,
  ]);
}

/** The link as an engine writes it. `tracking` is a query pair that the engine adds to most links. */
export function spelled(url: string, tracking: string | undefined, random: Random): string {
  const link = random.chance(PLAIN_SHARE) ? url : respelled(url, random);
  if (tracking === undefined || random.chance(0.3)) return link;
  return `${link}${link.includes('?') ? '&' : '?'}${tracking}`;
}
