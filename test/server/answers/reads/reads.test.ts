import { expect } from 'chai';
import type { Read } from '../../../../src/contract/read.js';
import { type ResourceName, resources } from '../../../../src/contract/registry.js';
import { canonicalUrl } from '../../../../src/server/answers/citations/canonical-url.js';
import { domainLabel } from '../../../../src/server/answers/citations/domain-labels.js';
import { pageType } from '../../../../src/server/answers/citations/page-type.js';
import { addDays } from '../../../../src/server/base/days.js';
import { fresh } from '../../../support/hooks.js';
import { onServer } from '../../../support/on-server.js';
import {
  argumentsOf,
  type DatasetRecord,
  everyScope,
  expectedAnswer,
  expectedAnswers,
  expectedBrands,
  expectedCompetitors,
  expectedOverview,
  expectedPrompts,
  expectedSources,
  expectedUrls,
  memoisedUrlRules,
  queryOf,
  randomDataset,
  randomSlices,
  recordsOf,
  recordsOfBrand,
  type Scope,
  type SliceParams,
  settled,
} from '../../../support/reference/index.js';
import { testServer } from '../../../support/server.js';
import { call, STRUCTURED, textOf } from '../../web/mcp/support/rpc.js';

const TODAY = '2026-11-20';
const NOW = new Date(`${TODAY}T12:00:00Z`);
/**
 * Data sets with archived brands, with brands without runs, and with several that have many. A server has them all; the embedded
 * database runs the same statements, and `npm test` should be short.
 */
const SEEDS = onServer([0, 1, 2, 5], [1]);
const rules = memoisedUrlRules({ canonicalUrl, pageType, domainLabel });

interface Expected {
  readonly body: object;
  readonly listing?: readonly object[];
}
type Expectation = (records: DatasetRecord[], scope: Scope, slice?: SliceParams) => Expected | null;

const overviewOf: Expectation = (records, scope, slice) => {
  const body = expectedOverview(records, scope, rules, slice);
  return body && { body };
};
const EXPECTED: Readonly<Record<string, Expectation>> = {
  brands: (records, scope) => expectedBrands(records, scope),
  overview: overviewOf,
  prompts: (records, scope, slice) => expectedPrompts(records, scope, rules, slice),
  competitors: (records, scope, slice) => expectedCompetitors(records, scope, rules, slice),
  sources: (records, scope, slice) => expectedSources(records, scope, rules, slice),
  urls: (records, scope, slice) => expectedUrls(records, scope, rules, slice),
  answers: (records, scope, slice) => expectedAnswers(records, scope, rules, slice),
};
const SLICED = ['overview', 'prompts', 'competitors', 'sources', 'urls', 'answers'] as const;

/** The part of a slice that a read takes. */
function takenBy(read: ResourceName, slice: SliceParams): SliceParams {
  if (read !== 'prompts') return slice;
  const { prompts, topics, tags, regions, surfaces, ...taken } = slice;
  return taken;
}

describe('the core reads', () => {
  const server = fresh(() => testServer({ now: NOW }));

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

  async function compare(
    read: string,
    records: DatasetRecord[],
    scope: Scope,
    key: string,
    limit: number,
    slice: SliceParams = {},
  ) {
    const query = queryOf(slice) && `${queryOf(slice)}&`;
    const path = `/api/v1/${read}?${scope.brand === undefined ? '' : `brand=${scope.brand}&`}${query}`;
    const expected = EXPECTED[read]!(records, scope, slice);
    const { status, body } = await get(path, key);
    const words = `${read} of ${scope.brand ?? 'the default brand'} ${query}`;
    expect(status, words).to.equal(expected ? 200 : 404);
    if (!expected) return;
    expect(settled(body, expected.body), words).to.deep.equal(expected.body);
    if (!expected.listing) return;
    const listed = await walk(path, read, key, limit);
    expect(settled(listed, expected.listing), `${words}, paged`).to.deep.equal(expected.listing);
  }

  /** What the tool returns, row by row as far as tools return rows. */
  async function compareTool(
    read: ResourceName,
    records: DatasetRecord[],
    scope: Scope,
    key: string,
    slice: SliceParams,
  ) {
    const { tool, rows, toolCap }: Read = resources[read];
    server.now = new Date(server.now.getTime() + 500);
    const args = { ...argumentsOf(slice), brand_id: scope.brand };
    const result = await call(server, tool, args, { key, headers: STRUCTURED });
    const words = `${tool} ${JSON.stringify(args)}`;
    const body = EXPECTED[read]!(records, scope, slice)?.body as Record<string, unknown> | undefined;
    expect(result.isError ?? false, `${words}: ${textOf(result)}`).to.equal(body === undefined);
    if (body === undefined) return;
    const shown = rows ? { ...body, [rows]: (body[rows] as unknown[]).slice(0, toolCap) } : body;
    expect(settled(JSON.parse(textOf(result)), shown), words).to.deep.equal(shown);
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
        if (scope.brand === undefined) continue;
        const key = keys.get(scope.workspace)!;
        // Slices of an empty window are all alike.
        const count = expectedOverview(records, scope, rules)?.run_count ? 3 : 1;
        for (const [at, drawn] of randomSlices(seed, records, scope.brand, TODAY, count).entries()) {
          for (const read of SLICED) {
            await compare(read, records, scope, key, 50, takenBy(read, drawn));
          }
          const read = SLICED[(seed + at) % SLICED.length]!;
          await compareTool(read, records, scope, key, takenBy(read, drawn));
        }
      }
    });
  }

  /** The number of texts in which names were found. */
  async function compareAnswers(records: DatasetRecord[], scope: Scope, key: string): Promise<number> {
    const runs = recordsOfBrand(records, 'run', scope.brand!);
    let marked = 0;
    for (const { id } of [...runs, { id: 'no such run' }]) {
      const { status, body } = await get(
        `/api/v1/answer?brand=${scope.brand}&${new URLSearchParams({ run_id: id })}`,
        key,
      );
      const expected = expectedAnswer(records, scope, rules, id);
      expect(status, id).to.equal(expected ? 200 : 404);
      const { note: _, notes: __, ...shown } = body;
      if (expected) expect(shown, id).to.deep.equal(expected);
      server.now = new Date(server.now.getTime() + 500);
      const tool = await call(server, 'get_answer', { brand_id: scope.brand, run_id: id }, { key });
      if (expected) expect(JSON.parse(textOf(tool)), id).to.deep.equal(body);
      else expect(tool.isError).to.equal(true);
      marked += Number((expected?.answer.spans.length ?? 0) > 0);
    }
    return marked;
  }

  for (const seed of SEEDS)
    it(`return each answer with the names that its text has, over HTTP and as a tool: data set ${seed}`, async () => {
      const records = randomDataset(seed, TODAY, { runs: 200 });
      await server.load(records);
      let marked = 0;
      for (const scope of everyScope(records, TODAY).filter(({ brand }) => brand !== undefined)) {
        const key = await server.key({ workspace: scope.workspace, kind: 'read' });
        marked += await compareAnswers(records, scope, key);
      }
      expect(marked, 'texts with names').to.be.above(0);
    });

  for (const rising of [true, false]) {
    it(`return what the formulas give where the brand ${rising ? 'rises' : 'falls'}: verdicts included`, async () => {
      const records = moving(randomDataset(9, TODAY, { runs: 600 }), rising);
      await server.load(records);
      const verdicts = new Set<string>();
      for (const scope of everyScope(records, TODAY).filter(({ brand }) => brand !== undefined)) {
        const key = await server.key({ workspace: scope.workspace, kind: 'read' });
        const slices = randomSlices(7, records, scope.brand!, TODAY, onServer(3, 1));
        for (const slice of [{}, ...slices])
          for (const read of ['overview', 'competitors'])
            await compare(read, records, scope, key, 200, slice);
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
