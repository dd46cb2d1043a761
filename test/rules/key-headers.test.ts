import { expect } from 'chai';
import type { NewKey } from '../../src/server/accounts/keys.js';
import { OPERATOR_KEY } from '../support/server.js';
import { brandRecords } from './support/records.js';
import { ruleServer } from './support/rule-server.js';

const STATED = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-SVC-Key-Kind'];

describe('rule: responses to a known key state its kind and its bucket, with every status', () => {
  const server = ruleServer({ data: brandRecords });

  const stated = ({ headers }: Response) => STATED.filter((name) => headers.has(name));

  for (const kind of ['full', 'read', 'ingest', 'operator'] as const) {
    it(`${kind}`, async () => {
      const key = kind === 'operator' ? OPERATOR_KEY : await server.key({ workspace: 'w', kind });
      const asked: [path: string, method?: string][] = [
        ['/api/v1/brands'],
        ['/api/v1/brands', 'HEAD'],
        ['/api/v1/brands', 'PUT'],
        ['/api/v1/nonsense'],
        ['/api/v1'],
        ['/api/v1/overview?brand=nobody'],
        ['/api/v1/prompts?limit=201'],
      ];
      for (const [path, method = 'GET'] of asked) {
        const reply = await server.request(path, key, { method });
        expect(stated(reply), `${method} ${path}`).to.deep.equal(STATED);
        expect(reply.headers.get('X-SVC-Key-Kind')).to.equal(kind);
        expect(reply.headers.get('X-RateLimit-Limit')).to.equal('120');
      }
    });
  }

  const refusedKeys: [status: number, wanted: Partial<NewKey>][] = [
    [401, { expires: '2026-11-19' }],
    [403, { allow: ['203.0.113.7'] }],
  ];
  for (const [status, wanted] of refusedKeys) {
    it(`a key refused with ${status} is known anyway, and keeps its tokens`, async () => {
      const key = await server.key({ workspace: 'w', kind: 'full', ...wanted });
      for (let i = 0; i < 3; i++) {
        const reply = await server.request('/api/v1/overview', key);
        expect(reply.status).to.equal(status);
        expect(stated(reply)).to.deep.equal(STATED);
        expect(reply.headers.get('X-RateLimit-Remaining')).to.equal('120');
      }
    });
  }

  it('responses to an unknown key, or without a key, do not have these headers', async () => {
    const authorizations = [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      'Bearer svc_nobody',
      `Basic ${OPERATOR_KEY}`,
      OPERATOR_KEY,
      `Bearer ${OPERATOR_KEY} extra`,
      `Bearer ${OPERATOR_KEY.slice(0, -1)}`,
      `Bearer ${OPERATOR_KEY}x`,
      `Bearer ${'a'.repeat(8000)}`,
    ];
    for (const Authorization of authorizations) {
      const headers: Record<string, string> = Authorization === undefined ? {} : { Authorization };
      const reply = await server.request('/api/v1/brands', null, { headers });
      expect(reply.status, Authorization).to.equal(401);
      expect(await reply.json()).to.deep.equal({ error: 'Unauthorized', code: 'unauthorized' });
      expect(reply.headers.get('WWW-Authenticate')).to.equal('Bearer');
      expect(stated(reply)).to.deep.equal([]);
    }
  });

  it('the scheme is read in any case', async () => {
    const headers = { Authorization: `bEARER   ${OPERATOR_KEY} ` };
    expect((await server.request('/api/v1/brands', null, { headers })).status).to.equal(200);
  });

  it('outside the two surfaces a key changes nothing', async () => {
    for (const path of ['/livez', '/readyz', '/nowhere']) {
      expect(stated(await server.request(path)), path).to.deep.equal([]);
    }
  });
});
