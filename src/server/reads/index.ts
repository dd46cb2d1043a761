/** The reader of every read; the compiler checks that none is missing. */
import type { ReadName } from '../../contract/registry.js';
import type { Reader } from './reader.js';
import { readAds } from './readers/ads.js';
import { answersReader } from './readers/answers.js';
import { brandsReader } from './readers/brands.js';
import { readCommunityThreads } from './readers/community-threads.js';
import { readCompetitors } from './readers/competitors.js';
import { readContentCoverage } from './readers/content-coverage.js';
import { crawlersReader } from './readers/crawlers.js';
import { factCheckReader } from './readers/fact-check.js';
import { readFanouts } from './readers/fanouts.js';
import { readHistory } from './readers/history/history.js';
import { readOffsiteMentions } from './readers/offsite-mentions.js';
import { readOverview } from './readers/overview.js';
import { readPrompts } from './readers/prompts.js';
import { readSentiment } from './readers/sentiment.js';
import { readShopping } from './readers/shopping.js';
import { readShoppingTrend } from './readers/shopping-trend.js';
import { readSiteHealth } from './readers/site-health.js';
import { readSources } from './readers/sources.js';
import { readTrackedPages } from './readers/tracked-pages.js';
import { readUrls } from './readers/urls.js';
import { readVisitorStats } from './readers/visitor-stats.js';
import { readYoutubeCitations } from './readers/youtube-citations.js';

export const readers: { readonly [N in ReadName]: Reader<N> } = {
  brands: brandsReader,
  overview: { compute: readOverview },
  prompts: { compute: readPrompts },
  competitors: { compute: readCompetitors },
  sources: { compute: readSources },
  urls: { compute: readUrls },
  answers: answersReader,
  shopping: { compute: readShopping },
  'shopping-trend': { compute: readShoppingTrend },
  'fact-check': factCheckReader,
  ads: { compute: readAds },
  sentiment: { compute: readSentiment },
  history: { compute: readHistory },
  crawlers: crawlersReader,
  'youtube-citations': { compute: readYoutubeCitations },
  'offsite-mentions': { compute: readOffsiteMentions },
  'tracked-pages': { compute: readTrackedPages },
  'site-health': { compute: readSiteHealth },
  'visitor-stats': { compute: readVisitorStats },
  'community-threads': { compute: readCommunityThreads },
  'content-coverage': { compute: readContentCoverage },
  fanouts: { compute: readFanouts },
};
