/** Varies a link as engines do: short forms, time marks, old hosts, tracking pairs. */
import type { Random } from './random.js';

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
