/** Making, listing and revoking links that show a brand: with a key, and on the page. */
import type { Knex } from 'knex';
import { errors } from '../../../contract/errors.js';
import type { NewShare, Share } from '../../../contract/paths.js';
import { type Brand, requireBrand } from '../../accounts/access.js';
import { hashSecret } from '../../accounts/keys.js';
import type { ShareOwner, ShareRow, Shares } from '../../accounts/shares.js';
import { parseParams, type RawParams } from '../../answers/parameters.js';
import { chosenRunsOf } from '../../answers/reads/slice.js';
import { utcDay } from '../../base/days.js';
import { refuse } from '../../base/errors.js';
import { bearerSecret, passGates } from '../gates.js';
import { hasBody } from '../http/read-body.js';
import { requireMethod } from '../http/routing.js';
import type { Context, Handler } from '../state.js';
import { backToBrand, madeLink, workingLinks } from './blocks/share.js';
import { type FormEnvironment, fieldsOf, formOf, postOnly, signedInOwner } from './forms.js';
import { html } from './html.js';
import { layout } from './parts/layout.js';
import { relativeTo, sharedPath, sharePath } from './paths.js';
import { redirect, sendPage } from './respond.js';
import { requireOwnOrigin } from './sign-in.js';
import { queryOf, sliceNames, sliceOf } from './slice.js';

export interface ShareEnvironment extends FormEnvironment {
  readonly db: Knex;
  readonly shares: Shares;
}

// With a key.

const shareParams = {
  brand: { kind: 'text', description: 'Brand id' },
  expires: { kind: 'text', description: 'Until when it works' },
} as const;

/** GET and POST /shares with an API key. */
export function sharesEndpoint(env: ShareEnvironment): Handler {
  const checks = [requireMethod(['GET', 'HEAD', 'POST'])];
  return async (ctx) => {
    const owner = await keyOwner(env, ctx, checks);
    if (ctx.method !== 'POST') {
      const shares = await env.shares.list(owner, env.clock());
      return sendJson(ctx, 200, { shares: shares.map(shareOf) });
    }
    // Filters in a body would be left out, and the link would show more.
    if (hasBody(ctx.req)) throw refuse(errors.parametersInBody());
    const { brand: id } = parseParams(shareParams, ctx.query) as { brand?: string };
    const brand = requireBrand(await env.directory.brand(owner.access, id), false);
    const made = await makeShare(env, owner, brand, fieldsOf(ctx.search));
    const body: NewShare = { ...shareOf(made), path: sharedPath(made.token) };
    sendJson(ctx, 201, body);
  };
}

/** DELETE /shares/ID with an API key. */
export function shareEndpoint(env: ShareEnvironment): Handler {
  const checks = [requireMethod(['DELETE'])];
  return async (ctx) => {
    const owner = await keyOwner(env, ctx, checks);
    const id = ctx.state.params?.id ?? '';
    const now = env.clock();
    await env.shares.revoke(owner, id, now);
    sendJson(ctx, 200, { id, revoked_at: now.toISOString() });
  };
}

const keyOwner = async (
  env: ShareEnvironment,
  ctx: Context,
  checks: readonly ((ctx: Context) => void)[],
): Promise<ShareOwner> => {
  const access = await passGates(env, ctx, { checks });
  return { access, secretHash: hashSecret(bearerSecret(ctx)!) };
};

function sendJson(ctx: Context, status: number, body: object): void {
  ctx.status = status;
  ctx.set({ 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  ctx.body = JSON.stringify(body);
}

const shareOf = ({ id, brandId, slice, keyId, createdAt, expiresAt }: ShareRow): Share => ({
  id,
  brand: brandId,
  slice,
  key_id: keyId,
  created_at: createdAt.toISOString(),
  expires_at: expiresAt.toISOString(),
});

const KNOWN = [...Object.keys(shareParams), ...sliceNames];

/**
 * Makes a link to a brand, within the filters of a query.
 * @throws 400 for a value that the brand does not have, and for an empty one and a name that no filter has: without them the
 *   link would show more.
 */
async function makeShare(
  { db, clock, shares }: ShareEnvironment,
  owner: ShareOwner,
  brand: Brand,
  query: RawParams,
): Promise<ShareRow & { readonly token: string }> {
  const unknown = Object.keys(query).filter((name) => !KNOWN.includes(name));
  if (unknown.length > 0) throw refuse(errors.unknownArguments(unknown, KNOWN));
  const empty = sliceNames.find((name) => [query[name]].flat().includes(''));
  if (empty !== undefined) throw refuse(errors.emptyListElement(empty, ''));
  const now = clock();
  const { expires } = parseParams(shareParams, query) as { expires?: string };
  const slice = sliceOf(query, utcDay(now));
  await chosenRunsOf({ db, brand }, slice);
  const stored = Object.entries(queryOf(slice)).filter(([, value]) => value !== undefined);
  const wanted = { brandId: brand.id, slice: Object.fromEntries(stored) as Share['slice'], expires };
  return shares.make(owner, wanted, now);
}

// On the page.

/** GET and POST of the page with the links of a brand: POST makes one, and shows it this once. */
export function sharePage(env: ShareEnvironment): Handler {
  const checkOrigin = requireOwnOrigin(env.publicUrl);
  const requirePageMethod = requireMethod(['GET', 'HEAD', 'POST']);
  const check = (ctx: Context) => {
    requirePageMethod(ctx);
    if (ctx.method === 'POST') checkOrigin(ctx);
  };
  return async (ctx) => {
    const { owner, brand } = await signedInOwner(env, ctx, check);
    const made = ctx.method === 'POST' ? await makeShare(env, owner, brand, await formOf(env, ctx)) : null;
    const link = relativeTo(ctx.path);
    const working = await env.shares.list(owner, env.clock());
    const ofBrand = working.filter(({ brandId }) => brandId === brand.id);
    const address = made && addressOf(env, ctx, sharedPath(made.token));
    const page = layout(
      {
        link,
        title: 'Share · Answer visibility',
        access: owner.access,
        bar: html`<p class="brand">${backToBrand(link, brand)}</p>`,
      },
      html`
      <div class="title"><h1>Share</h1></div>
      <div class="cards">
        ${made && madeLink(address!, made)}
        ${workingLinks(link, brand, ofBrand)}
      </div>`,
    );
    sendPage(ctx, page, made ? 201 : 200);
  };
}

/** POST of the button that revokes a link. */
export function revokeForm(env: ShareEnvironment): Handler {
  const check = postOnly(env);
  return async (ctx) => {
    const { owner, brand } = await signedInOwner(env, ctx, check);
    await env.shares.revoke(owner, ctx.state.params?.id ?? '', env.clock());
    redirect(ctx, sharePath(brand.id));
  };
}

/** The whole address of a path, for people to send. */
const addressOf = ({ publicUrl }: ShareEnvironment, ctx: Context, path: string): string =>
  (publicUrl?.replace(/\/+$/, '') ?? ctx.origin) + path;
