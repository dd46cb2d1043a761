/** Why a metric moved: against a second computation from the runs, on random data. */
import { expect } from 'chai';
import { measureNames } from '../../../../src/contract/measures.js';
import { cutNames, type Why } from '../../../../src/contract/reads/why.js';
import { canonicalUrl } from '../../../../src/server/answers/citations/canonical-url.js';
import { domainLabel } from '../../../../src/server/answers/citations/domain-labels.js';
import { pageType } from '../../../../src/server/answers/citations/page-type.js';
import { fresh } from '../../../support/hooks.js';
import { onServer } from '../../../support/on-server.js';
import {
  everyScope,
  expectedWhy,
  isFitting,
  memoisedUrlRules,
  queryOf,
  randomDataset,
  randomSlices,
  recordsOf,
  type SliceParams,
  settled,
} from '../../../support/reference/index.js';
import { testServer } from '../../../support/server.js';

const TODAY = '2026-11-20';
const NOW = new Date(`${TODAY}T12:00:00Z`);
const SEEDS = onServer([1, 2, 5, 37], [1]);
const rules = memoisedUrlRules({ canonicalUrl, pageType, domainLabel });

/** Every metric with every cut that fits it. */
const questions = measureNames.flatMap((metric) =>
  cutNames.filter((by) => isFitting(by, metric)).map((by) => ({ metric, by })),
);

/** Where two values differ; numbers may differ in their last digits, which depend on the order of a sum. */
function differences(found: unknown, expected: unknown, path = ''): string[] {
  if (typeof found === 'number' && typeof expected === 'number')
    return Math.abs(found - expected) <= 1e-8 * Math.max(1, Math.abs(expected))
      ? []
      : [`${path}: ${found} instead of ${expected}`];
  if (found === null || expected === null || typeof found !== 'object' || typeof expected !== 'object')
    return found === expected
      ? []
      : [`${path}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`];
  const names = [...new Set([...Object.keys(found), ...Object.keys(expected)])];
  return names.flatMap((name) =>
    differences(
      (found as Record<string, unknown>)[name],
      (expected as Record<string, unknown>)[name],
      `${path}.${name}`,
    ),
  );
}

const byId = (a: { id: string | null }, b: { id: string | null }): number =>
  Buffer.compare(Buffer.from(`${a.id}`), Buffer.from(`${b.id}`));

describe('why a metric moved', () => {
  const server = fresh(() => testServer({ now: NOW }));

  async function ask(query: string, key: string) {
    // Half a second refills the token of the request.
    server.now = new Date(server.now.getTime() + 500);
    const response = await server.request(`/api/v1/why?${query}`, key);
    return { status: response.status, body: (await response.json()) as Why };
  }

  for (const seed of SEEDS)
    it(`is what a second computation from the runs says: data set ${seed}`, async () => {
      const records = randomDataset(seed, TODAY, { runs: 300 });
      await server.load(records);
      for (const { id: workspace } of recordsOf(records, 'workspace')) {
        const key = await server.key({ workspace, kind: 'read' });
        for (const scope of everyScope(records, TODAY).filter((each) => each.workspace === workspace)) {
          if (scope.brand === undefined) continue;
          const slices: SliceParams[] = [
            {},
            { from: '2026-10-21', to: TODAY },
            ...randomSlices(seed, records, scope.brand, TODAY, onServer(4, 1)),
          ];
          for (const slice of slices)
            for (const question of questions) {
              const expected = expectedWhy(records, scope, rules, { ...question, ...slice });
              const query = `brand=${scope.brand}&${queryOf(slice)}&limit=200&metric=${question.metric}&by=${question.by}`;
              const { status, body } = await ask(query, key);
              expect(status, query).to.equal(expected ? 200 : 404);
              if (expected === null) continue;
              if (expected.drivers.length > 200) continue;
              const sizes = body.drivers.map(({ total }) => Math.abs(total));
              expect(sizes, query).to.deep.equal([...sizes].sort((a, b) => b - a));
              const sorted = { ...body, drivers: [...body.drivers].sort(byId) };
              const wanted = { ...expected, drivers: [...expected.drivers].sort(byId) };
              expect(differences(settled({ ...sorted, note: 'x' }, wanted), wanted), query).to.deep.equal([]);
            }
        }
      }
    });
});
