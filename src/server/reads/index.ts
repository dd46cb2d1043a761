/** The reader of every resource; the compiler checks that none is missing. */
import type { ResourceName } from '../../contract/registry.js';
import type { Reader } from './reader.js';
import { readAds } from './readers/ads.js';
import { readAnswers } from './readers/answers.js';
import { readBrands } from './readers/brands.js';
import { readCompetitors } from './readers/competitors.js';
import { readCrawlers } from './readers/crawlers.js';
import { readFactCheck } from './readers/fact-check.js';
import { readHistory } from './readers/history/history.js';
import { readOverview } from './readers/overview.js';
import { readPrompts } from './readers/prompts.js';
import { readSentiment } from './readers/sentiment.js';
import { readShopping } from './readers/shopping.js';
import { readShoppingTrend } from './readers/shopping-trend.js';
import { readSources } from './readers/sources.js';
import { readUrls } from './readers/urls.js';

export const readers: { readonly [N in ResourceName]: Reader<N> } = {
  brands: readBrands,
  overview: readOverview,
  prompts: readPrompts,
  competitors: readCompetitors,
  sources: readSources,
  urls: readUrls,
  answers: readAnswers,
  shopping: readShopping,
  'shopping-trend': readShoppingTrend,
  'fact-check': readFactCheck,
  ads: readAds,
  sentiment: readSentiment,
  'metrics/history': readHistory,
  crawlers: readCrawlers,
};
