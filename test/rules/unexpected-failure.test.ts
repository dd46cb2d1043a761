import { expect } from 'chai';
import { OPERATOR_KEY } from '../support/server.js';
import { collectingLog } from './support/collecting-log.js';
import { ruleServer } from './support/rule-server.js';

/** Words from inside the server, which no response may contain. */
const INSIDE = /select|relation|prompts|tag_groups|\.ts|\.js|node_modules|at .*:\d+|knex|postgres|stack/i;

describe('rule: an unexpected failure reveals only its request id', () => {
  const { log, lines } = collectingLog();
  const server = ruleServer({ log });

  /** While a table is away, every read of it fails. */
  async function withoutTable<T>(table: string, work: () => Promise<T>): Promise<T> {
    await server.database.knex.raw(`alter table ${table} rename to ${table}_away`);
    try {
      return await work();
    } finally {
      await server.database.knex.raw(`alter table ${table}_away rename to ${table}`);
    }
  }

  it('500 with the id that the log has too, once; the read works again when the cause is gone', async () => {
    await withoutTable('tag_groups', async () => {
      lines.length = 0;
      const reply = await server.request('/api/v1/prompts?brand=first');
      const id = reply.headers.get('X-Request-Id');
      expect(reply.status).to.equal(500);
      expect(reply.headers.get('Content-Type')).to.equal('application/json');
      expect(await reply.json()).to.deep.equal({ error: 'Internal error', code: 'internal', request_id: id });
      expect(lines.filter((line) => line.includes(id!))).to.have.lengthOf(1);
      expect(reply.headers.get('X-SVC-Key-Kind')).to.equal('operator');
      expect(reply.headers.has('ETag')).to.equal(false);
    });
    expect((await server.request('/api/v1/prompts?brand=first')).status).to.equal(200);
  });

  it('no stack, SQL or path leaves the server, in body or headers, whichever gate fails', async () => {
    for (const table of ['api_keys', 'brands', 'brand_versions', 'day_prompt']) {
      const key = await server.key({ workspace: 'w', kind: 'full' });
      const reply = await withoutTable(table, () => server.request('/api/v1/prompts?brand=second', key));
      const headers = [...reply.headers].map((header) => header.join(': ')).join('\n');
      const { request_id, ...body } = (await reply.json()) as Record<string, string>;
      expect([reply.status, body], table).to.deep.equal([500, { error: 'Internal error', code: 'internal' }]);
      expect(request_id).to.equal(reply.headers.get('X-Request-Id'));
      expect(headers).to.not.match(INSIDE);
    }
  });

  it('no secret is in any log line, of failures and of refusals', async () => {
    const key = await server.key({ workspace: 'w', kind: 'full' });
    const guess = 'svc_a-guess-that-nobody-has-0123456789';
    lines.length = 0;
    for (const table of ['api_keys', 'brands', 'tag_groups']) {
      await withoutTable(table, async () => {
        for (const each of [key, guess, OPERATOR_KEY]) {
          await (await server.request(`/api/v1/prompts?brand=stopped&x=${each}`, each)).arrayBuffer();
        }
      });
    }
    for (const each of [key, guess, OPERATOR_KEY]) {
      await (await server.request('/api/v1/prompts?limit=0', each)).arrayBuffer();
    }
    expect(lines).to.not.deep.equal([]);
    for (const secret of [key, guess, OPERATOR_KEY]) {
      expect(lines.filter((line) => line.includes(secret))).to.deep.equal([]);
    }
  });
});
