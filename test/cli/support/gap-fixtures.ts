/** Gaps of each kind, as the fake server answers. */
import type { GapKind, Gaps } from '../../../src/contract/reads/gaps.js';
import { brand, unsliced } from './fixtures.js';

const rows: { readonly [K in GapKind]: Gaps['gaps'] } = {
  sources: [
    {
      ...{ domain: 'reviews.example', answers: 34, own_answers: 5, prompts: 9, engines: ['chatgpt', 'aio'] },
      rivals: [
        { id: 'lanzaro', answers: 30, name: 'Lanzaro' },
        { id: 'caldera', answers: 12, name: 'Caldera' },
      ],
      ...{ days: 7, stability: 1, score: 34 },
    },
    {
      ...{ domain: 'forum.example', answers: 7, own_answers: 0, prompts: 2, engines: ['perplexity'] },
      rivals: [{ id: 'caldera', answers: 7, name: 'Caldera' }],
      ...{ days: 3, stability: 3 / 7, score: 3 },
    },
  ],
  lost_pages: [
    {
      ...{ url: 'https://www.fernweh.example/guides/grinders', title: 'How to choose a grinder' },
      ...{ citations_before: 41, days_before: 6, p_value: 0.000012 },
    },
    {
      ...{ url: 'https://www.fernweh.example/old', title: null },
      ...{ citations_before: 3, days_before: 3, p_value: 0.2 },
    },
  ],
  within_reach: [
    {
      ...{ prompt_id: 'p1', prompt: 'best coffee?', runs: 40, present_runs: 30, answers: 25 },
      ahead: { id: 'lanzaro', name: 'Lanzaro', answers: 20 },
      ...{ visibility: 45.5, visibility_if_first: 68.75, gain: 23.25, brand_gain: 1.26 },
    },
    {
      ...{ prompt_id: 'p2', prompt: 'quiet grinder for a flat', runs: 12, present_runs: 2, answers: 1 },
      ...{ ahead: null, visibility: 12.5, visibility_if_first: 16.6, gain: 4.1, brand_gain: 0.04 },
    },
  ],
  absent: [
    {
      ...{ prompt_id: 'p3', prompt: 'espresso under 300', runs: 56 },
      winner: { id: 'caldera', name: 'Caldera', answers: 50 },
      cited: [
        { domain: 'reviews.example', answers: 31 },
        { domain: 'forum.example', answers: 12 },
      ],
    },
  ],
  crawl: [
    {
      ...{ url: 'https://www.fernweh.example/prices', fault: 'refused', citations: 12, engines: ['chatgpt'] },
      ...{ agent: 'oai-searchbot', requests: 9, refused: 8 },
      robots: { verdict: 'allowed', rule: 'User-agent: OAI-SearchBot / Allow: /' },
      funnel: { crawled: 30, allowed: 30, served: 2, cited: 12, visited: 5 },
    },
    {
      ...{
        url: 'https://www.fernweh.example/guides',
        fault: 'never_fetched',
        citations: 4,
        engines: ['claude'],
      },
      ...{ agent: null, requests: 0, refused: 0, robots: null },
      funnel: { crawled: 0, allowed: 0, served: 0, cited: 4, visited: null },
    },
    {
      ...{ url: 'https://fernweh.example/blog', fault: 'never_cited', citations: 0, engines: [] },
      ...{ agent: 'googlebot', requests: 44, refused: 0, robots: { verdict: 'unaddressed', rule: null } },
      funnel: { crawled: 44, allowed: 44, served: 44, cited: 0, visited: 0 },
    },
  ],
};

export const gapsOf = (kind: GapKind): Gaps => ({ brand, kind, gaps: rows[kind], ...unsliced });
