/** The reader of every read; the compiler checks that none is missing. */
import type { ReadName } from '../../contract/registry.js';
import { readAds } from './ads.js';
import { answersReader } from './answers.js';
import { brandsReader } from './brands.js';
import { readCommunityThreads } from './community-threads.js';
import { readCompetitors } from './competitors.js';
import { readContentCoverage } from './content-coverage.js';
import { crawlersReader } from './crawlers.js';
import { factCheckReader } from './fact-check.js';
import { readFanouts } from './fanouts.js';
import { readHistory } from './history.js';
import { readOffsiteMentions } from './offsite-mentions.js';
import { readOverview } from './overview.js';
import { readPrompts } from './prompts.js';
import type { Reader } from './reader.js';
import { readSentiment } from './sentiment.js';
import { readShopping } from './shopping.js';
import { readShoppingTrend } from './shopping-trend.js';
import { readSiteHealth } from './site-health.js';
import { readSources } from './sources.js';
import { readTrackedPages } from './tracked-pages.js';
import { readUrls } from './urls.js';
import { readVisitorStats } from './visitor-stats.js';
import { readYoutubeCitations } from './youtube-citations.js';

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
