import { expect } from 'chai';
import { createRoutes } from '../../../../src/server/web/http/routing.js';
import type { Context } from '../../../../src/server/web/state.js';

const notFound = (): never => {
  throw new Error('not found');
};

/** The name of the handler that a path has, with its parameter. */
function routed(paths: readonly string[]) {
  const route = createRoutes(
    paths.map((path) => [
      path,
      (ctx) => {
        ctx.body = { ...ctx.state.params };
      },
    ]),
    notFound,
  );
  return async (path: string) => {
    const ctx = { path, method: 'GET', request: {}, state: {} } as unknown as Context;
    await route(ctx);
    return [ctx.state.route, ctx.body];
  };
}

const failureOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: Error) => error.message);

describe('createRoutes', () => {
  const find = routed(['/', '/livez', '/brands', '/brands/:brand', '/api/read', '/api{/*path}']);

  it('finds a path without parameters, with one slash at the end or none', async () => {
    for (const path of ['/', '/livez', '/livez/', '/brands', '/brands/']) {
      const own = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
      expect(await find(path), path).to.deep.equal([own, {}]);
    }
    for (const path of ['/Livez', '/livez//', '//livez', '/livez/x', '/%6civez', '', '/__proto__']) {
      expect(await failureOf(find(path)), path).to.equal('not found');
    }
  });

  it('finds the first pattern that fits another path, and passes its parameters', async () => {
    expect(await find('/brands/a%20b/')).to.deep.equal(['/brands/:brand', { brand: 'a b' }]);
    expect(await find('/api/read')).to.deep.equal(['/api/read', {}]);
    expect((await find('/api/read/x'))[0]).to.equal('/api{/*path}');
  });

  it('compares a path without parameters with no pattern, however many there are', async () => {
    const many = routed([...Array.from({ length: 50 }, (_, n) => `/${n}/:id`), '/livez']);
    const { exec, test } = RegExp.prototype;
    let compared = 0;
    const count = <F extends (this: RegExp, text: string) => unknown>(own: F): F =>
      function (this: RegExp, text: string) {
        compared++;
        return own.call(this, text);
      } as F;
    RegExp.prototype.exec = count(exec);
    RegExp.prototype.test = count(test);
    try {
      await many('/livez');
      expect(compared).to.equal(0);
      await many('/49/x');
      expect(compared).to.be.greaterThan(49);
    } finally {
      Object.assign(RegExp.prototype, { exec, test });
    }
  });
});
