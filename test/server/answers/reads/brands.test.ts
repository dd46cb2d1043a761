import { expect } from 'chai';
import {
  brandKeyOf,
  endCollection,
  planCollections,
  takeCollection,
} from '../../../../src/server/answers/collections.js';
import { NOW } from '../../../rules/support/records.js';
import { ruleServer } from '../../../rules/support/rule-server.js';
import { OPERATOR_KEY } from '../../../support/server.js';

describe('the brands', () => {
  const server = ruleServer();
  const day = NOW.toISOString().slice(0, 10);
  let brandKey: number;
  before(async () => {
    brandKey = (await brandKeyOf(server.database.knex, { id: 'first' }))[0]!.brandKey;
  });

  /** The fault of one brand by what a request a moment later gets; a server knows its brands anew once a second. */
  async function fault(): Promise<unknown> {
    server.now = new Date(server.now.getTime() + 60_000);
    const { brands } = (await (await server.request('/api/v1/brands', OPERATOR_KEY)).json()) as {
      brands: { id: string; collection_fault: object | null }[];
    };
    expect(
      brands.filter(({ id }) => id !== 'first').every((each) => each.collection_fault === null),
    ).to.equal(true);
    return brands.find(({ id }) => id === 'first')!.collection_fault;
  }

  it('say why the next collection cannot begin or the last gave no answer, and no longer when one did', async () => {
    const db = server.database.knex;
    expect(await fault()).to.equal(null);
    const next = { day, dueAt: NOW };
    const missing = { reason: 'OPENAI_API_KEY is not set.', remedy: 'restart' } as const;
    await planCollections(db, brandKey, { next: { ...next, ...missing }, missed: [], now: NOW });
    expect(await fault()).to.deep.equal(missing);
    await takeCollection(db, { brandKey, day, journal: 'j', host: 'h', now: NOW, isForced: false });
    expect(await fault()).to.equal(null);
    const end = (answered: number, reason: string | null) =>
      endCollection(db, {
        ...{ brandKey, day, now: NOW, outcome: reason ? 'incomplete' : 'complete', reason, calls: 2 },
        ...{ costUsd: 0, assumedUsd: 0, answered, missing: 2 - answered, waiting: 0 },
      });
    await end(0, 'chatgpt us: HTTP 401.');
    expect(await fault()).to.deep.equal({ reason: 'chatgpt us: HTTP 401.', remedy: null });
    // Most answers came: the page states how many.
    await end(1, 'gemini us: HTTP 500.');
    expect(await fault()).to.equal(null);
    await end(2, null);
    expect(await fault()).to.equal(null);
  });
});
