/** The market of the demo's main brand. */
import type { Market } from '../market.js';
import { demand } from './demand.js';
import { makers, untracked } from './makers.js';
import { pages } from './pages.js';
import { phrases } from './phrases.js';
import { prompts } from './prompts.js';
import { ads, merchants } from './shops.js';
import { sites } from './sites.js';
import { topics } from './topics.js';

export const espresso: Market = {
  brand: 'torvello',
  entities: makers,
  untracked,
  topics,
  prompts,
  demand,
  phrases,
  pages,
  sites,
  merchants,
  ads,
  productKind: 'Espresso Machine',
  cadenceDays: 2,
  dailyEngines: ['chatgpt'],
};
