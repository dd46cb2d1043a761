import { expect } from 'chai';
import { canonicalUrl } from '../../../../src/server/answers/citations/canonical-url.js';
import { domainLabel } from '../../../../src/server/answers/citations/domain-labels.js';
import { pageType } from '../../../../src/server/answers/citations/page-type.js';
import { fresh } from '../../../support/hooks.js';
import { onServer } from '../../../support/on-server.js';
import { addDays } from '../../../support/reference/days.js';
import {
  BAD_REQUEST,
  type DatasetRecord,
  everyScope,
  expectedAds,
  expectedAnswers,
  expectedCompetitors,
  expectedFactCheck,
  expectedHistory,
  expectedOverview,
  expectedSentiment,
  expectedShopping,
  expectedShoppingTrend,
  expectedSources,
  expectedUrls,
  findBrand,
  memoisedUrlRules,
  queryOf,
  randomHistoryDataset,
  randomParameters,
  randomSlicedHistory,
  randomSlices,
  type Scope,
  settled,
} from '../../../support/reference/index.js';
import { testServer } from '../../../support/server.js';

const TODAY = '2026-11-20';
const NOW = new Date(`${TODAY}T12:00:00Z`);
/** A server has them all; the embedded database runs the same statements, and `npm test` should be short. */
const SEEDS = onServer([1, 2, 3], [3]);
const rules = memoisedUrlRules({ canonicalUrl, pageType, domainLabel });

const SLICED = [
  ['overview', expectedOverview],
  ['competitors', expectedCompetitors],
  ['sources', expectedSources],
  ['urls', expectedUrls],
  ['answers', expectedAnswers],
] as const;

interface Question {
  readonly read: string;
  readonly query: string;
  readonly expected: (records: DatasetRecord[], scope: Scope) => unknown;
}

function questionsOf(seed: number): Question[] {
  const { sentiment, ads, history } = randomParameters(seed, TODAY);
  return [
    { read: 'shopping', query: '', expected: expectedShopping },
    { read: 'shopping-trend', query: '', expected: expectedShoppingTrend },
    {
      read: 'fact-check',
      query: '',
      expected: (records, scope) => expectedFactCheck(records, scope, { now: NOW }),
    },
    ...sentiment.map((params) => ({
      read: 'sentiment',
      query: queryOf(params),
      expected: (records: DatasetRecord[], scope: Scope) => expectedSentiment(records, scope, params),
    })),
    ...ads.map((params) => ({
      read: 'ads',
      query: queryOf(params),
      expected: (records: DatasetRecord[], scope: Scope) => expectedAds(records, scope, params),
    })),
    ...history.map((params) => ({
      read: 'metrics/history',
      query: queryOf(params),
      expected: (records: DatasetRecord[], scope: Scope) => expectedHistory(records, scope, params, rules),
    })),
  ];
}

/** Slices reach the days whose runs are older than the live horizon. */
function slicedQuestionsOf(seed: number, records: DatasetRecord[], scope: Scope): Question[] {
  const brand = findBrand(records, scope)!.id;
  const [first, ...others] = randomSlices(seed, records, brand, TODAY, 5);
  const ranged = { ...first, from: addDays(TODAY, -75), to: addDays(TODAY, -50) };
  return [
    ...[ranged, ...others].map((slice, at): Question => {
      const [read, expected] = SLICED[at]!;
      return {
        read,
        query: queryOf(slice),
        expected: (records, scope) => {
          const want = expected(records, scope, rules, slice);
          return want && 'body' in want ? want.body : want;
        },
      };
    }),
    ...randomSlicedHistory(seed, records, brand, TODAY, 6).map((params) => ({
      read: 'metrics/history',
      query: queryOf(params),
      expected: (records: DatasetRecord[], scope: Scope) => expectedHistory(records, scope, params, rules),
    })),
  ];
}

describe('the further reads', () => {
  const server = fresh(() => testServer({ now: NOW }));

  for (const seed of SEEDS) {
    it(`return over HTTP what the formulas give, field by field: data set ${seed}`, async () => {
      const records = randomHistoryDataset(seed, TODAY);
      await server.load(records);
      for (const scope of everyScope(records, TODAY)) {
        const get = unmetered(scope.workspace);
        for (const { read, query, expected } of [
          ...questionsOf(seed),
          ...slicedQuestionsOf(seed, records, scope),
        ]) {
          const brand = scope.brand === undefined ? '' : `brand=${scope.brand}`;
          const path = `/api/v1/${read}?${[brand, query].filter(Boolean).join('&')}`;
          const want = expected(records, scope);
          const response = await get(path);
          expect(response.status, path).to.equal(want === null ? 404 : want === BAD_REQUEST ? 400 : 200);
          if (response.status === 200) {
            expect(settled(await response.json(), want), path).to.deep.equal(want);
          }
        }
      }
    });
  }

  /** Uses a new key when the bucket of a key is empty, because the clock stands still and buckets never refill. */
  function unmetered(workspace: string): (path: string) => Promise<Response> {
    const newKey = () => server.key({ workspace, kind: 'read' });
    let key = newKey();
    return async (path) => {
      const response = await server.request(path, await key);
      if (response.status !== 429) return response;
      key = newKey();
      return server.request(path, await key);
    };
  }
});
