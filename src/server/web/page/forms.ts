/** Forms of the page that change something: from its own origin, by somebody who is signed in. */
import { errors } from '../../../contract/errors.js';
import { type Access, type Brand, requireBrand } from '../../accounts/access.js';
import type { ShareOwner } from '../../accounts/shares.js';
import type { RawParams } from '../../answers/parameters.js';
import { refuse } from '../../base/errors.js';
import { type BodyTimeouts, readBody } from '../http/read-body.js';
import { requireMethod } from '../http/routing.js';
import type { Context } from '../state.js';
import type { ResponseEnvironment } from './respond.js';
import { cookieOf, passSignedIn, type SignedInEnvironment } from './session.js';
import { requireOwnOrigin } from './sign-in.js';

export interface FormEnvironment extends SignedInEnvironment, ResponseEnvironment {
  readonly bodyTimeouts: BodyTimeouts;
}

const FORM_BYTES = 65_536;

/** The check of an address that takes forms only. */
export function postOnly({ publicUrl }: FormEnvironment): (ctx: Context) => void {
  const requirePost = requireMethod(['POST']);
  const checkOrigin = requireOwnOrigin(publicUrl);
  return (ctx) => {
    requirePost(ctx);
    checkOrigin(ctx);
  };
}

/** The check of an address that shows a form and takes it. */
export function readOrPost({ publicUrl }: Pick<FormEnvironment, 'publicUrl'>): (ctx: Context) => void {
  const checkMethod = requireMethod(['GET', 'HEAD', 'POST']);
  const checkOrigin = requireOwnOrigin(publicUrl);
  return (ctx) => {
    checkMethod(ctx);
    if (ctx.method === 'POST') checkOrigin(ctx);
  };
}

/** Who is signed in. */
export async function signedIn(
  env: SignedInEnvironment,
  ctx: Context,
  check: (ctx: Context) => void,
): Promise<ShareOwner> {
  const access: Access = await passSignedIn(env, ctx, [check]);
  const session = await env.sessions.read(cookieOf(ctx) ?? '', env.clock());
  if (session === null) throw refuse(errors.unauthorized());
  return { access, secretHash: session.secretHash };
}

/** Who is signed in, and the brand of the address. */
export async function signedInOwner(
  env: FormEnvironment,
  ctx: Context,
  check: (ctx: Context) => void,
): Promise<{ owner: ShareOwner; brand: Brand }> {
  const owner = await signedIn(env, ctx, check);
  const { access } = owner;
  const brand = requireBrand(await env.directory.brand(access, ctx.state.params?.brand ?? ''), false);
  return { owner, brand };
}

export async function formOf(env: FormEnvironment, ctx: Context, maxBytes = FORM_BYTES): Promise<RawParams> {
  const chunks = await readBody(ctx.req, {
    maxBytes,
    timeouts: env.bodyTimeouts,
    tooLarge: errors.formTooLarge,
  });
  return fieldsOf(Buffer.concat(chunks).toString('utf8'));
}

/** The fields of a form or a query; one that is given several times is an array. `ctx.query` has none named `__proto__`. */
export function fieldsOf(text: string): RawParams {
  const fields = new URLSearchParams(text);
  return Object.fromEntries(
    [...new Set(fields.keys())].map((name) => {
      const values = fields.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}
