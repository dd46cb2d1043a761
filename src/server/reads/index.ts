/** The reader of every resource; the compiler checks that none is missing. */
import type { ResourceName } from '../../contract/registry.js';
import { readAds } from './ads.js';
import { readAnswers } from './answers.js';
import { readBrands } from './brands.js';
import { readCompetitors } from './competitors.js';
import { readCrawlers } from './crawlers.js';
import { readFactCheck } from './fact-check.js';
import { readHistory } from './history.js';
import { readOverview } from './overview.js';
import { readPrompts } from './prompts.js';
import type { Reader } from './scope.js';
import { readSentiment } from './sentiment.js';
import { readShopping } from './shopping.js';
import { readShoppingTrend } from './shopping-trend.js';
import { readSources } from './sources.js';
import { readUrls } from './urls.js';

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
