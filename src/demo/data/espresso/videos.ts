/** Videos that answers cite, with the statistics that the vendor states. */
import type { Page } from '../market.js';

export interface Video extends Page {
  readonly id: string;
  readonly title: string;
  readonly channel?: { readonly id: string; readonly name: string };
  readonly publishedAt?: string;
  /** Absent: statistics were never stated. */
  readonly views?: number;
  readonly likes?: number;
}

const watch = (video: Omit<Video, 'url'>): Video => ({
  ...video,
  url: `https://www.youtube.com/watch?v=${video.id}`,
});

const tamper = { id: 'UCq7Tn3mPlaEsprLab5kZt2w', name: 'Tamper & Test' };
const smallKitchen = { id: 'UCs1mKitch9nGear0aLrXy8v', name: 'Small Kitchen Gear' };

export const videos: readonly Video[] = [
  watch({
    id: 'tT4vRc0Esp8',
    title: 'Torvello Arco: three months of daily use',
    channel: tamper,
    publishedAt: '2026-02-11T16:00:00Z',
    views: 184_220,
    likes: 6_120,
    topics: ['buying', 'milk'],
    weight: 4,
  }),
  watch({
    id: 'Lz9PrMo_2xA',
    title: 'Lanzaro Primo vs everything under $1000',
    channel: tamper,
    publishedAt: '2026-01-20T17:30:00Z',
    views: 612_904,
    likes: 21_377,
    topics: ['buying', 'value'],
    weight: 6,
  }),
  watch({
    id: 'k5MiLkFoam1',
    title: 'Steam wands compared: 9 home machines',
    channel: tamper,
    publishedAt: '2025-11-04T15:00:00Z',
    views: 97_411,
    likes: 3_902,
    topics: ['milk'],
    weight: 6,
  }),
  watch({
    id: 'sM4LL-15cmW',
    title: 'Espresso in 15 centimetres',
    channel: smallKitchen,
    publishedAt: '2026-03-29T09:00:00Z',
    views: 41_808,
    topics: ['compact'],
    weight: 5,
  }),
  watch({
    id: 'd1aLin30sec',
    title: 'Dial in your espresso in ten minutes',
    topics: ['beginner'],
    weight: 4,
  }),
];
