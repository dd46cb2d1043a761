import { expect } from 'chai';
import { canonicalUrl } from '../../../src/server/citations/canonical-url.js';
import { domainLabel } from '../../../src/server/citations/domain-labels.js';
import { pageType } from '../../../src/server/citations/page-type.js';
import { addDays } from '../../../src/server/days.js';
import {
  type DatasetRecord,
  everyScope,
  expectedAnswers,
  expectedBrands,
  expectedCompetitors,
  expectedOverview,
  expectedPrompts,
  expectedSources,
  expectedUrls,
  randomDataset,
  recordsOf,
  type Scope,
  settled,
  type UrlRules,
} from '../../support/reference/index.js';
import { type TestServer, testServer } from '../../support/server.js';

const TODAY = '2026-11-20';
const NOW = new Date(`${TODAY}T12:00:00Z`);
const SEEDS = Array.from({ length: 12 }, (_, seed) => seed);
const rules: UrlRules = { canonicalUrl, pageType, domainLabel };

interface Expected {
  readonly body: object;
  readonly listing?: readonly object[];
}
type Expectation = (records: DatasetRecord[], scope: Scope) => Expected | null;

const overviewOf: Expectation = (records, scope) => {
  const body = expectedOverview(records, scope, rules);
  return body && { body };
};
const EXPECTED: Readonly<Record<string, Expectation>> = {
  brands: expectedBrands,
  overview: overviewOf,
  prompts: (records, scope) => expectedPrompts(records, scope, rules),
  competitors: (records, scope) => expectedCompetitors(records, scope, rules),
  sources: (records, scope) => expectedSources(records, scope, rules),
  urls: (records, scope) => expectedUrls(records, scope, rules),
  answers: (records, scope) => expectedAnswers(records, scope, rules),
};

/** The last fields of a read without a slice. */
const NO_SLICE = { window: { start: addDays(TODAY, -6), end: TODAY, days: 7 }, slice: null };

describe('the core reads', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await testServer({ now: NOW });
  });
  afterEach(() => server.close());

  async function get(path: string, key: string): Promise<{ status: number; body: Record<string, unknown> }> {
    // Half a second refills the token of the request.
    server.now = new Date(server.now.getTime() + 500);
    const response = await server.request(path, key);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  /** All rows of a listing, read page by page. */
  async function walk(path: string, rows: string, key: string, limit: number): Promise<unknown[]> {
    const found: unknown[] = [];
    for (let cursor: unknown = ''; cursor !== null; ) {
      const { body } = await get(`${path}limit=${limit}${cursor && `&cursor=${cursor}`}`, key);
      found.push(...(body[rows] as unknown[]));
      cursor = body.next_cursor;
    }
    return found;
  }

  async function compare(read: string, records: DatasetRecord[], scope: Scope, key: string, limit: number) {
    const path = `/api/v1/${read}?${scope.brand === undefined ? '' : `brand=${scope.brand}&`}`;
    const expected = EXPECTED[read]!(records, scope);
    const { status, body } = await get(path, key);
    const words = `${read} of ${scope.brand ?? 'the default brand'}`;
    expect(status, words).to.equal(expected ? 200 : 404);
    if (!expected) return;
    const plain = { ...expected.body, ...(read !== 'brands' && NO_SLICE) };
    expect(settled(body, plain), words).to.deep.equal(plain);
    if (!expected.listing) return;
    const listed = await walk(path, read, key, limit);
    expect(settled(listed, expected.listing), `${words}, paged`).to.deep.equal(expected.listing);
  }

  for (const seed of SEEDS) {
    it(`return over HTTP what the formulas give, field by field, unpaged and paged: data set ${seed}`, async () => {
      const records = randomDataset(seed, TODAY);
      await server.load(records);
      const keys = new Map<string, string>();
      for (const { id } of recordsOf(records, 'workspace')) {
        if (!keys.has(id)) keys.set(id, await server.key({ workspace: id, kind: 'read' }));
      }
      for (const scope of everyScope(records, TODAY)) {
        for (const read of Object.keys(EXPECTED)) {
          await compare(read, records, scope, keys.get(scope.workspace)!, seed % 2 ? 200 : 7 + (seed % 25));
        }
      }
    });
  }

  for (const rising of [true, false]) {
    it(`return what the formulas give where the brand ${rising ? 'rises' : 'falls'}: verdicts included`, async () => {
      const records = moving(randomDataset(9, TODAY, { runs: 600 }), rising);
      await server.load(records);
      const verdicts = new Set<string>();
      for (const scope of everyScope(records, TODAY).filter(({ brand }) => brand !== undefined)) {
        const key = await server.key({ workspace: scope.workspace, kind: 'read' });
        for (const read of ['overview', 'competitors']) await compare(read, records, scope, key, 200);
        const change = expectedOverview(records, scope, rules)?.change ?? {};
        for (const { verdict } of Object.values(change)) verdicts.add(verdict);
      }
      expect([...verdicts]).to.include(rising ? 'up' : 'down');
    });
  }
});

/** Without the mentions of most runs of the current window, or of all before it. */
function moving(records: DatasetRecord[], rising: boolean): DatasetRecord[] {
  const start = addDays(TODAY, -6);
  return records.map((record) => {
    // A run may be in the data set twice.
    if (record.type !== 'run' || record.id.charCodeAt(record.id.length - 1) % 4 === 0) return record;
    const isCurrent = new Date(record.collected_at).toISOString().slice(0, 10) >= start;
    return isCurrent === rising ? record : { ...record, mentions: [] };
  });
}
