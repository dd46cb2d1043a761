import { expect } from 'chai';
import { canonicalUrl } from '../../../src/server/citations/canonical-url.js';
import { domainLabel } from '../../../src/server/citations/domain-labels.js';
import { pageType } from '../../../src/server/citations/page-type.js';
import * as ref from '../../support/reference/index.js';
import { testServer } from '../../support/server.js';
const TODAY = '2026-11-20';
const rules: any = { canonicalUrl, pageType, domainLabel };
const found = new Map<string, { n: number; seed: number; a: unknown; b: unknown; where: string }>();
function diff(a: any, b: any, path: string, where: string, seed: number): void {
  if (a === b) return;
  if (a && b && typeof a === 'object' && typeof b === 'object' && Array.isArray(a) === Array.isArray(b)) {
    for (const k of new Set([...Object.keys(a), ...Object.keys(b)])) diff(a[k], b[k], `${path}.${Array.isArray(a) ? '[]' : k}`, where, seed);
    return;
  }
  const hit = found.get(path);
  if (hit) hit.n++;
  else found.set(path, { n: 1, seed, a, b, where });
}
describe('compare', function () {
  this.timeout(300000);
  it('all', async () => {
    let compared = 0;
    for (let seed = 0; seed < 40; seed++) {
      const server = await testServer({ now: new Date(`${TODAY}T12:00:00Z`) });
      const records = ref.randomHistoryDataset(seed, TODAY);
      await server.load(records);
      const check = async (read: string, query: string, scope: any, expected: any) => {
        server.now = new Date(server.now.getTime() + 500);
        const response = await server.request(`/api/v1/${read}?brand=${scope.brand}${query && `&${query}`}`);
        const where = `${read} ${scope.brand} ${query}`;
        compared++;
        if (expected === null) return diff(response.status, 404, `${read} status`, where, seed);
        if (expected === 400 || expected === (ref as any).BAD_REQUEST) return diff(response.status, 400, `${read} status`, where, seed);
        const body: any = (ref as any).withoutWording(await response.json());
        diff(body, (ref as any).settled(body, expected), read, where, seed);
      };
      for (const scope of ref.everyScope(records, TODAY)) {
        if (scope.brand === undefined) continue;
        const p = ref.randomParameters(seed, TODAY);
        await check('shopping', '', scope, ref.expectedShopping(records, scope));
        await check('shopping-trend', '', scope, ref.expectedShoppingTrend(records, scope));
        await check('fact-check', '', scope, (ref.expectedFactCheck as any)(records, scope, server.now));
        for (const q of p.sentiment) await check('sentiment', (ref as any).queryOf(q), scope, (ref.expectedSentiment as any)(records, scope, q, rules));
        for (const q of p.ads) await check('ads', (ref as any).queryOf(q), scope, (ref.expectedAds as any)(records, scope, q, rules));
        for (const q of p.history) await check('metrics/history', (ref as any).queryOf(q), scope, (ref.expectedHistory as any)(records, scope, q, rules));
      }
      await server.close();
    }
    console.log('compared', compared);
    for (const [path, hit] of found) console.log(path, JSON.stringify(hit));
  });
});
