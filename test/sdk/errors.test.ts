import { expect } from 'chai';
import * as sdk from '../../src/sdk/index.js';
import { isSvcError, RateLimitError, type SvcError } from '../../src/sdk/index.js';
import { KEY, reply, type Script } from './support/server.js';
import { failureOf, withServer } from './support/setup.js';

/** The error of one overview when the server responds by `script`, without retries. */
const failure = (script: Script): Promise<SvcError> =>
  withServer(
    { script, client: { maxRetries: 0 } },
    async (svc) => (await failureOf(svc.overview())) as SvcError,
  );

const classes = {
  400: sdk.BadRequestError,
  401: sdk.AuthenticationError,
  403: sdk.PermissionError,
  404: sdk.NotFoundError,
  405: sdk.SvcError,
  413: sdk.PayloadTooLargeError,
  415: sdk.SvcError,
  429: sdk.RateLimitError,
  500: sdk.ServerError,
  503: sdk.ServerError,
};

describe('errors', () => {
  for (const [status, ErrorClass] of Object.entries(classes)) {
    it(`are a ${ErrorClass.name} with the server’s message for status ${status}`, async () => {
      const body = { error: `words for ${status}`, extra: 1 };
      const error = await failure((response) => reply(response, Number(status), body));
      expect(error).to.be.instanceOf(ErrorClass).and.instanceOf(sdk.SvcError);
      expect(error.constructor).to.equal(ErrorClass);
      expect([error.name, error.message]).to.deep.equal([ErrorClass.name, `words for ${status}`]);
      expect(error.status).to.equal(Number(status));
      expect(error.body).to.deep.equal(body);
      expect(error.requestId).to.equal('r-1');
      expect(error.stack).to.match(new RegExp(`^${ErrorClass.name}: words for`));
    });
  }

  it('have the code of the refusal, and null from a server that sends none', async () => {
    const codeFor = async (body: object) => (await failure((response) => reply(response, 404, body))).code;
    expect(await codeFor({ error: 'No such brand', code: 'unknown_brand' })).to.equal('unknown_brand');
    expect(await codeFor({ error: 'Unknown brand' })).to.equal(null);
    expect(new sdk.ConnectionError('').code).to.equal(null);
  });

  it('are retryable for 429, 5xx and the network', () => {
    const statuses = [400, 401, 403, 404, 408, 413, 429, 500, 503];
    const retryable = statuses.filter((status) => new sdk.SvcError('', { status }).retryable);
    expect(retryable).to.deep.equal([429, 500, 503]);
    expect(new sdk.ConnectionError('').retryable).to.equal(true);
    expect(new sdk.TimeoutError('').retryable).to.equal(true);
    expect(new sdk.SvcError('').retryable).to.equal(false);
  });

  it('contain the rate limit, the key kind and the wait of the response', async () => {
    await withServer({ tokens: 0, client: { maxRetries: 0 } }, async (svc) => {
      const error = await failureOf(svc.overview());
      expect(error).to.be.instanceOf(RateLimitError);
      const { rateLimit, keyKind, retryAfterSeconds } = error as RateLimitError;
      expect(rateLimit).to.include({ limit: 120, remaining: 0 });
      expect([keyKind, retryAfterSeconds]).to.deep.equal(['full', 1]);
    });
  });

  it('contain the wait of a Retry-After with a date, and null if it is missing', async () => {
    const date = new Date(Date.now() + 30_000).toUTCString();
    const dated = await failure((response) => reply(response, 429, {}, { 'Retry-After': date }));
    expect((dated as RateLimitError).retryAfterSeconds).to.be.within(28, 30);
    const unstated = await failure((response) => reply(response, 429, {}));
    expect((unstated as RateLimitError).retryAfterSeconds).to.equal(null);
  });

  it('state status, type and beginning of a response that is not JSON', async () => {
    const page = `<html>${'x'.repeat(5000)}</html>`;
    for (const [status, name] of [
      [200, 'SvcError'],
      [502, 'ServerError'],
    ] as const) {
      const error = await failure((response) => reply(response, status, page));
      expect(error.name).to.equal(name);
      expect(error.message).to.include(`status ${status}, text/html`);
      expect(error.body).to.equal(page.slice(0, 1000));
    }
  });

  it('state the address that cannot be reached, with the reason', async () => {
    const error = await withServer({ client: { maxRetries: 0 } }, async (svc, server) => {
      await server.close();
      return (await failureOf(svc.overview())) as SvcError;
    });
    expect(error).to.be.instanceOf(sdk.ConnectionError);
    expect(error.message).to.match(/^No connection to http:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED/);
    expect(error.status).to.equal(null);
  });

  it('are a ConnectionError if the connection breaks during a response', async () => {
    const error = await failure((response) => {
      response.writeHead(200, { 'Content-Length': '1000' }).write('{"brand":');
      setTimeout(() => response.destroy(), 20);
    });
    expect(error).to.be.instanceOf(sdk.ConnectionError);
  });

  it('are recognised across copies of the package, unlike other values', async () => {
    const copy = (await import(`../../src/sdk/errors.ts?${'copy'}.ts`)) as typeof sdk;
    const foreign = new copy.NotFoundError('Unknown brand', { status: 404 });
    expect(foreign).not.to.be.instanceOf(sdk.SvcError);
    expect(isSvcError(foreign)).to.equal(true);
    for (const other of [new Error('x'), null, undefined, 'x', {}, { status: 404 }]) {
      expect(isSvcError(other)).to.equal(false);
    }
  });

  it('keep their message and fields in JSON', async () => {
    const error = await failure((response) => reply(response, 404, { error: 'Unknown brand' }));
    expect(JSON.parse(JSON.stringify(error))).to.deep.include({
      name: 'NotFoundError',
      message: 'Unknown brand',
      status: 404,
      retryable: false,
      requestId: 'r-1',
    });
    expect(JSON.stringify(error)).not.to.include(KEY);
  });
});
