/** GET /api/v1/moves.atom: the moves of a brand for feed readers, by a key in the address that reads nothing else. */
import { FEED_PATH } from '../../../contract/paths.js';
import { moves } from '../../../contract/reads/moves.js';
import type { BodyOf } from '../../../contract/registry.js';
import type { Access } from '../../accounts/access.js';
import type { Directory } from '../../accounts/directory.js';
import { atomOf } from '../../alerts/moves/atom.js';
import { answerAs } from '../../answers/reads/answer-read.js';
import { etagOf } from '../../base/validated.js';
import { passGates, visibleBrand } from '../gates.js';
import { goneOf } from '../http/connection.js';
import { sendValidated } from '../http/response.js';
import { type Route, requireMethod } from '../http/routing.js';
import type { Context } from '../state.js';
import type { RestEnvironment } from './routes.js';

const HEADERS = {
  'Cache-Control': 'private, no-cache',
  'Content-Type': 'application/atom+xml; charset=utf-8',
  'Referrer-Policy': 'no-referrer',
};

const ATOM = {
  name: 'atom',
  encode: (body: object) => {
    const bytes = Buffer.from(atomOf(body as BodyOf<'moves'>));
    return { bytes, etag: etagOf(bytes) };
  },
};

/** A longer one is no key. */
const MAX_KEY_LENGTH = 1024;

/** The key in the address. That of a header is not looked at: it may do more. */
function keyInAddress(
  directory: Directory,
  { query: { key } }: Context,
  onLookUp: () => void,
): Promise<Access | null | undefined> {
  return typeof key === 'string' && key !== '' && key.length <= MAX_KEY_LENGTH
    ? directory.identify(key, onLookUp)
    : Promise.resolve(undefined);
}

export function feedRoute(env: RestEnvironment): Route {
  const checks = [requireMethod(['GET', 'HEAD'])];
  return [
    FEED_PATH,
    async (ctx) => {
      const access = await passGates(env, ctx, { checks, needs: 'feed', identify: keyInAddress });
      const brand = await visibleBrand(env.directory, access, moves, ctx.query);
      const caller = { access, gone: goneOf(ctx) };
      sendValidated(ctx, await answerAs(env, 'moves', caller, brand, { brand: brand.id }, ATOM), HEADERS);
    },
  ];
}
