import { expect } from 'chai';
import { resourceNames, resources } from '../../src/contract/registry.js';
import { API_VERSION } from '../../src/contract/versions.js';
import { SvcClient } from '../../src/sdk/index.js';
import { overviewBody } from './support/rows.js';
import { KEY } from './support/server.js';
import { failureOf, withServer } from './support/setup.js';

/** Runs `use` with these variables of the environment, and no other variables of the SDK. */
async function withEnvironment(values: Record<string, string>, use: () => Promise<void>): Promise<void> {
  const before = { ...process.env };
  for (const name of ['SVC_URL', 'SVC_API_KEY', 'SVC_BRAND']) delete process.env[name];
  Object.assign(process.env, values);
  try {
    await use();
  } finally {
    process.env = before;
  }
}

/** A read without type checks of its parameters. */
type AnyRead = (params: object) => PromiseLike<unknown>;

describe('SvcClient', () => {
  it('sends the key as bearer and returns the body unchanged, including fields of newer servers', async () => {
    await withServer({}, async (svc, server) => {
      const overview = await svc.overview({ brand: 'b-acme' });
      expect(overview).to.deep.equal({ ...overviewBody, added_later: { by: 'a newer server' } });
      expect(server.paths).to.deep.equal(['/api/v1/overview?brand=b-acme']);
      expect(server.requests[0]!.headers.authorization).to.equal(`Bearer ${KEY}`);
    });
  });

  it('has a method for every resource of the contract', async () => {
    await withServer({}, async (svc, server) => {
      const { tools, ...methods } = svc;
      expect(tools).to.have.keys('list', 'call');
      for (const [name, method] of Object.entries(methods)) {
        const params = name === 'history' ? { metric: 'visibility' } : {};
        await (typeof method === 'function' ? (method as AnyRead)(params) : method.top());
      }
      const asked = server.paths.map((path) => new URL(path, server.url).pathname.replace('/api/v1/', ''));
      expect(asked.sort()).to.deep.equal([...resourceNames].sort());
    });
  });

  it('refuses parameters that the API does not have, and sends nothing', async () => {
    await withServer({}, async (svc, server) => {
      const { tools, ...methods } = svc;
      const reads = Object.entries(methods).flatMap(([name, method]): [string, AnyRead][] =>
        typeof method === 'function'
          ? [[name, method as AnyRead]]
          : [
              [`${name}.list`, method.list as AnyRead],
              [`${name}.top`, method.top as AnyRead],
            ],
      );
      expect(reads.length).to.be.above(resourceNames.length);
      for (const [name, read] of reads) {
        for (const unknown of ['brnad', 'toString', '__proto_', 'timeout']) {
          const error = (await failureOf(read({ brand: undefined, [unknown]: 1 }))) as Error;
          expect(error, `${name} ${unknown}`).to.have.property('name', 'SvcError');
          expect(error.message).to.match(new RegExp(`^Unknown parameter: ${unknown}\\. Known parameters: `));
        }
      }
      expect(server.paths).to.deep.equal([]);
    });
  });

  it('names the parameters of a call that has an unknown one', async () => {
    await withServer({}, async (svc, server) => {
      const messageOf = async (call: PromiseLike<unknown>) => ((await failureOf(call)) as Error).message;
      const limited = { limit: 5 } as object;
      expect(await messageOf(svc.sources.top(limited))).to.equal(
        'Unknown parameter: limit. Known parameters: brand, from, to, days, engine, prompt, topic, tag, region, surface',
      );
      expect(await messageOf(svc.brands.top(limited as never))).to.equal(
        'Unknown parameter: limit. Known parameters: days, include',
      );
      const misspelt = { metric: 'visibility', day: 7 } as const;
      expect(await messageOf(svc.history(misspelt as { metric: 'visibility' }))).to.equal(
        'Unknown parameter: day. Known parameters: brand, from, to, days, engine, prompt, topic, tag, region, surface, metric, competitors',
      );
      const paged = { limit: 5, page: 2 } as object;
      expect(await messageOf(svc.urls.list(paged).all({ max: 5 }))).to.equal(
        'Unknown parameter: page. Known parameters: brand, from, to, days, engine, prompt, topic, tag, region, surface, cursor, limit',
      );
      expect(server.paths).to.deep.equal([]);
    });
  });

  it('refuses an element with a comma in an array, which the API would read as several, and sends nothing', async () => {
    await withServer({}, async (svc, server) => {
      for (const call of [
        svc.overview({ tag: ['price, total'] }),
        svc.answers.top({ tag: ['price, total'] }),
        svc.tools.call('get_overview', { tag: ['price, total'] }),
      ]) {
        const error = (await failureOf(call)) as Error;
        expect([error.name, error.message]).to.deep.equal(['SvcError', 'Comma in tag: price, total.']);
      }
      expect(server.paths).to.deep.equal([]);
      await svc.overview({ tag: ['price', 'milk'], region: 'us,gb' });
      expect(server.paths).to.deep.equal(['/api/v1/overview?tag=price%2Cmilk&region=us%2Cgb']);
    });
  });

  it('takes every parameter of the contract, and ignores unknown ones that are null or undefined', async () => {
    await withServer({}, async (svc, server) => {
      const { tools, ...methods } = svc;
      const byPath = Object.values(methods).map(
        (method) => (typeof method === 'function' ? method : method.list) as AnyRead,
      );
      for (const [index, read] of byPath.entries()) {
        await read({});
        const { pathname } = new URL(server.paths.at(-1)!, server.url);
        const { params } = resources[pathname.replace('/api/v1/', '') as keyof typeof resources];
        const given = Object.fromEntries(Object.keys(params).map((name) => [name, '1']));
        await read({ ...given, brnad: undefined, engin: null });
        const sent = new URL(server.paths.at(-1)!, server.url).searchParams;
        expect([...sent.keys()].sort(), String(index)).to.deep.equal(Object.keys(params).sort());
      }
    });
  });

  it('returns the data of the headers by withResponse', async () => {
    await withServer({}, async (svc) => {
      const { data, rateLimit, apiVersion, requestId, keyKind } = await svc.overview().withResponse();
      expect(data.visibility).to.equal(41.3);
      expect({ ...rateLimit, reset: 0 }).to.deep.equal({ limit: 120, remaining: 119, reset: 0 });
      expect([apiVersion, requestId, keyKind]).to.deep.equal([API_VERSION, 'r-1', 'full']);
    });
  });

  it('returns null for a missing header', async () => {
    const fetch = async () => Response.json(overviewBody);
    const svc = new SvcClient({ baseUrl: 'http://svc.example', apiKey: KEY, fetch });
    const { data, ...metadata } = await svc.overview().withResponse();
    expect(data).to.deep.equal(overviewBody);
    expect(metadata).to.deep.equal({ rateLimit: null, apiVersion: null, requestId: null, keyKind: null });
  });

  it('sends its default brand unless the call has one, but not for the list of brands', async () => {
    await withServer({ client: { brand: 'b-default' } }, async (svc, server) => {
      await svc.overview();
      await svc.sources.top({ brand: 'b-other' });
      await svc.brands.top();
      expect(server.paths).to.deep.equal([
        '/api/v1/overview?brand=b-default',
        '/api/v1/sources?brand=b-other',
        '/api/v1/brands',
      ]);
    });
  });

  it('escapes the values of the query', async () => {
    await withServer({}, async (svc, server) => {
      await svc.overview({ brand: 'a&b=c ü' });
      expect(new URL(server.paths[0]!, 'http://any').searchParams.get('brand')).to.equal('a&b=c ü');
    });
  });

  it('reads address, key and brand from its options, else from the environment', async () => {
    await withServer({}, async (_, server) => {
      const environment = { SVC_URL: `${server.url}/`, SVC_API_KEY: ` ${KEY}\n`, SVC_BRAND: 'b-env' };
      await withEnvironment(environment, async () => {
        await new SvcClient().overview();
        await new SvcClient({ brand: 'b-own' }).overview();
      });
      const [first, second] = server.paths;
      expect([first, second]).to.deep.equal(['/api/v1/overview?brand=b-env', '/api/v1/overview?brand=b-own']);
    });
  });

  it('reports missing and invalid options at once', async () => {
    await withEnvironment({}, async () => {
      const refusals: [object, RegExp][] = [
        [{ apiKey: KEY }, /baseUrl or SVC_URL/],
        [{ apiKey: KEY, baseUrl: 'localhost:8080' }, /not an http or https address/],
        [{ apiKey: KEY, baseUrl: 'http://user:pw@svc.example' }, /without a user or query/],
        [{ apiKey: KEY, baseUrl: 'http://svc.example/?' }, /without a user or query/],
        [{ apiKey: KEY, baseUrl: 'http://svc.example/#top' }, /without a user or query/],
        [{ baseUrl: 'http://svc.example' }, /apiKey or SVC_API_KEY/],
        [{ baseUrl: 'http://svc.example', apiKey: 'svc_line\nbreak' }, /contains invalid characters/],
      ];
      for (const [options, message] of refusals) {
        expect(() => new SvcClient(options), String(message))
          .to.throw(message)
          .with.property('name', 'SvcError');
      }
    });
  });

  it('works with a path in the address and with a given fetch, which gets a Request', async () => {
    const asked: string[] = [];
    const fetch = async (input: string | URL | Request) => {
      asked.push((input as Request).url);
      return Response.json(overviewBody);
    };
    const svc = new SvcClient({ baseUrl: 'https://svc.example/metrics/', apiKey: KEY, fetch });
    await svc.overview();
    expect(svc.baseUrl).to.equal('https://svc.example/metrics');
    expect(asked).to.deep.equal(['https://svc.example/metrics/api/v1/overview']);
  });

  it('uses the current global fetch, which a test may replace', async () => {
    const svc = new SvcClient({ baseUrl: 'http://svc.example', apiKey: KEY });
    const { fetch } = globalThis;
    globalThis.fetch = async () => Response.json(overviewBody);
    try {
      expect(await svc.overview()).to.deep.equal(overviewBody);
    } finally {
      globalThis.fetch = fetch;
    }
  });

  it('causes no unhandled rejection if only withResponse is used', async () => {
    await withServer({ client: { apiKey: 'svc_wrong' } }, async (svc) => {
      const unhandled: unknown[] = [];
      const listen = (reason: unknown) => unhandled.push(reason);
      process.on('unhandledRejection', listen);
      await failureOf(svc.overview().withResponse());
      await new Promise((resolve) => setTimeout(resolve, 20));
      process.off('unhandledRejection', listen);
      expect(unhandled).to.deep.equal([]);
    });
  });
});
