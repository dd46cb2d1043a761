/** The reader of every read: each module exports its own as `reader`. The compiler checks that none is missing. */
import type { ReadName } from '../../../contract/registry.js';
import type { Reader } from './reader.js';

export const readers: { readonly [N in ReadName]: Reader<N> } = {
  brands: (await import('./brands.js')).reader,
  overview: (await import('./overview.js')).reader,
  prompts: (await import('./prompts.js')).reader,
  competitors: (await import('./competitors.js')).reader,
  sources: (await import('./sources.js')).reader,
  urls: (await import('./urls.js')).reader,
  answers: (await import('./answers.js')).reader,
  answer: (await import('./answer.js')).reader,
  names: (await import('./names.js')).reader,
  shopping: (await import('./shopping.js')).reader,
  'shopping-trend': (await import('./shopping-trend.js')).reader,
  'fact-check': (await import('./fact-check.js')).reader,
  ads: (await import('./ads.js')).reader,
  sentiment: (await import('./sentiment.js')).reader,
  history: (await import('./history.js')).reader,
  crawlers: (await import('./crawlers.js')).reader,
  'youtube-citations': (await import('./youtube.js')).reader,
  'offsite-mentions': (await import('./offsite.js')).reader,
  'tracked-pages': (await import('./tracked-pages.js')).reader,
  'site-health': (await import('./site-health.js')).reader,
  'visitor-stats': (await import('./visitors.js')).reader,
  'community-threads': (await import('./threads.js')).reader,
  'content-coverage': (await import('./coverage.js')).reader,
  fanouts: (await import('./fanouts.js')).reader,
  gaps: (await import('./gaps.js')).reader,
  why: (await import('./why.js')).reader,
  moves: (await import('./moves.js')).reader,
  briefing: (await import('./briefing.js')).reader,
};
