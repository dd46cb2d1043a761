/** The reader of every resource; the compiler checks that none is missing. */
import type { ResourceName } from '../../contract/registry.js';
import { readAnswers } from './answers.js';
import { readBrands } from './brands.js';
import { readCompetitors } from './competitors.js';
import { readOverview } from './overview.js';
import { readPrompts } from './prompts.js';
import type { Reader } from './scope.js';
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
};
