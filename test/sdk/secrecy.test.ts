import { inspect } from 'node:util';
import { expect } from 'chai';
import { type Logger, SvcClient, type SvcError } from '../../src/sdk/index.js';
import { KEY, reply, type Script } from './support/server.js';
import { failureOf, withServer } from './support/setup.js';

/** A value in all forms in which programs print it. */
function printed(value: unknown): string {
  const { stack, message, cause } = value as Error;
  const deep = inspect(value, { depth: 20, showHidden: true, getters: true });
  return [JSON.stringify(value), deep, String(value), stack, message, cause && printed(cause)].join('\n');
}

function recorder(): { lines: string[]; logger: Logger } {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  return { lines, logger: { error: write, warn: write, info: write, debug: write } };
}

const echoing: Script = (response, request) =>
  reply(response, 400, { error: `bad: ${request.headers.authorization}`, sent: request.headers });
const echoingPage: Script = (response, request) =>
  reply(response, 502, `<pre>${JSON.stringify(request.headers)}</pre>`);

describe('the key', () => {
  it('is not in a printed client', async () => {
    const svc = new SvcClient({ baseUrl: 'http://svc.example', apiKey: KEY });
    expect(printed(svc)).not.to.include(KEY);
    expect(printed(svc.prompts.list())).not.to.include(KEY);
  });

  it('is not in an error if a server or proxy echoes the request', async () => {
    for (const script of [echoing, echoingPage]) {
      await withServer({ script, client: { maxRetries: 0 } }, async (svc) => {
        const error = (await failureOf(svc.overview())) as SvcError;
        expect(printed(error)).to.include('[redacted]').and.not.include(KEY);
      });
    }
  });

  it('is not in the error or its cause if fetch fails with an error that contains the request', async () => {
    const fetch = async (input: unknown): Promise<Response> => {
      const inner = Object.assign(new Error(`sent Bearer ${KEY}`), { code: 'EKEY', request: input });
      throw Object.assign(new TypeError(`failed with ${KEY}`, { cause: inner }), { request: input });
    };
    await withServer({ client: { fetch, maxRetries: 0 } }, async (svc) => {
      const error = (await failureOf(svc.overview())) as SvcError;
      expect(printed(error)).to.include('EKEY').and.not.include(KEY);
    });
  });

  it('is not in the error of a timeout', async () => {
    await withServer({ script: () => true, client: { maxRetries: 0, timeout: 20 } }, async (svc) => {
      expect(printed(await failureOf(svc.overview()))).not.to.include(KEY);
    });
  });

  it('is not in the error about an invalid key', () => {
    const broken = `${KEY}\nmore`;
    expect(() => new SvcClient({ baseUrl: 'http://svc.example', apiKey: broken }))
      .to.throw()
      .with.property('message')
      .that.does.not.include(KEY);
  });

  it('is not in log lines of any level', async () => {
    const { lines, logger } = recorder();
    const script: Script = (response, request, index) => index < 2 && echoingPage(response, request, index);
    const client = { logger, logLevel: 'debug' } as const;
    await withServer({ script, client, speed: 1000 }, (svc) => svc.overview({ brand: KEY }));
    expect(lines.join('\n')).to.include('[redacted]').and.not.include(KEY);
  });
});

describe('the log', () => {
  const failing: Script = (response, _, index) =>
    index === 0 && reply(response, 503, {}, { 'Retry-After': '0' });

  async function linesAt(client: object): Promise<string[]> {
    const { lines, logger } = recorder();
    await withServer({ script: failing, speed: 1000, client: { logger, ...client } }, (svc) =>
      svc.overview(),
    );
    return lines;
  }

  it('contains every request and response at debug', async () => {
    const lines = (await linesAt({ logLevel: 'debug' })).join('\n');
    expect(lines).to.include('503').and.to.include('answered, 119 tokens left');
  });

  it('contains only retries at info, which is the default with a logger', async () => {
    const [retry, ...more] = await linesAt({});
    expect(retry).to.match(/Trying again in \d+ s/);
    expect(more).to.deep.equal([]);
  });

  it('ignores a logger that throws', async () => {
    const fails = () => {
      throw new Error('no log today');
    };
    const logger = { error: fails, warn: fails, info: fails, debug: fails };
    const client = { logger, logLevel: 'debug' } as const;
    await withServer({ script: failing, speed: 1000, client }, async (svc) => {
      for (let call = 0; call < 130; call++) await svc.overview();
    });
  });

  it('is empty at warn and off', async () => {
    expect(await linesAt({ logLevel: 'warn' })).to.deep.equal([]);
    expect(await linesAt({ logLevel: 'off' })).to.deep.equal([]);
  });
});
