import { expect } from 'chai';
import { historyMetricNames } from '../../src/contract/reads/history.js';
import { distribute } from '../../src/server/database/citus.js';
import { type Database, migrate, openDatabase } from '../../src/server/database/database.js';
import { importRecords } from '../../src/server/intake/dataset/import.js';
import { call, STRUCTURED, textOf } from '../server/web/mcp/support/rpc.js';
import { citusWorkers } from '../support/citus.js';
import { createDatabaseUrl, serverUrl } from '../support/database.js';
import { randomDataset } from '../support/reference/generators/dataset.js';
import { TODAY } from '../support/reference/generators/seeds.js';
import { recordsOf } from '../support/reference/index.js';
import { type TestServer, testServer } from '../support/server.js';
import { partitionTables } from './support/partitions.js';
import { lists, plainReads, toolsWithoutPath } from './support/reads.js';

const now = new Date(`${TODAY}T12:00:00Z`);
/** Two brands with 200 runs each. One is read; rows of the other would show in its answers. */
const dataset = randomDataset(12, TODAY, { runs: 400 });
const [brand] = recordsOf(dataset, 'brand').map(({ id }) => id) as [string];

const paths: string[] = [
  ...plainReads.flatMap((name) => [`${name}?brand=${brand}`, `${name}?brand=${brand}&days=28`]),
  ...lists.map((name) => `${name}?brand=${brand}&limit=3`),
  ...plainReads.flatMap((name) =>
    ['engine=chatgpt', 'engine=gemini,llama&region=us,de&limit=3'].map(
      (query) => `${name}?brand=${brand}&${query}`,
    ),
  ),
  ...historyMetricNames.map((metric) => `metrics/history?brand=${brand}&metric=${metric}&competitors=true`),
];

/** What every read answers, by path or tool. */
async function everyAnswer(database: Database): Promise<Record<string, string>> {
  const server: TestServer = await testServer({ database, now });
  const answers: Record<string, string> = {};
  const spaced = async <T>(request: () => Promise<T>): Promise<T> => {
    // Keeps the bucket of the key full.
    server.now = new Date(server.now.getTime() + 500);
    return request();
  };
  for (const path of paths) {
    const response = await spaced(() => server.request(`/api/v1/${path}`));
    answers[path] = `${response.status} ${await response.text()}`;
  }
  for (const tool of toolsWithoutPath) {
    const args = { brand_id: brand };
    answers[tool] = textOf(await spaced(() => call(server, tool, args, { headers: STRUCTURED })));
  }
  await server.close();
  return answers;
}

describe('rule: a distributed database returns the answers of any other, byte for byte', () => {
  let database: Database;
  before(async function () {
    // The embedded database cannot be distributed.
    if (!serverUrl) return this.skip();
    database = await openDatabase({ url: await createDatabaseUrl(serverUrl) });
    await migrate(database.knex);
    return undefined;
  });
  after(() => database?.close());

  it('after it was distributed, and after an import into it', async () => {
    await importRecords(database.knex, dataset, { now });
    const before = await everyAnswer(database);
    expect(Object.values(before).filter((answer) => answer.startsWith('200'))).not.to.deep.equal([]);
    // Without Citus, partitions show what needs the brand in every key.
    if (citusWorkers.length > 0) await distribute(database.knex, 4);
    else await database.knex.transaction((trx) => partitionTables(trx));
    expect(await everyAnswer(database)).to.deep.equal(before);
    await importRecords(database.knex, dataset, { now });
    expect(await everyAnswer(database)).to.deep.equal(before);
  });
});
