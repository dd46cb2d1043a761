/** The assistants that are connected by OAuth: listing them, and ending one. */
import { errors } from '../../../contract/errors.js';
import { keyKinds } from '../../../contract/keys.js';
import { grantScopes, OAUTH_MCP_PATH } from '../../../contract/oauth.js';
import { type Access, visibleBrands } from '../../accounts/access.js';
import { brandsByAge } from '../../accounts/brands.js';
import { type GrantRow, listGrants, type Owner, revokeGrant } from '../../accounts/grants.js';
import { refuse } from '../../base/errors.js';
import type { Db } from '../../base/statement.js';
import { requireRead } from '../http/routing.js';
import type { Handler } from '../state.js';
import { type FormEnvironment, postOnly, signedIn } from './forms.js';
import { html, type Markup } from './html.js';
import { card, empty } from './parts/card.js';
import { type Link, layout } from './parts/layout.js';
import { dateTime, truncated, userText } from './parts/text.js';
import { endAssistantPath, PAGE_PATHS, relativeTo } from './paths.js';
import { redirect, sendPage } from './respond.js';

export interface AssistantsEnvironment extends FormEnvironment {
  readonly db: Parameters<typeof revokeGrant>[0] & Db;
  /** Connecting by OAuth; null: it is off. */
  readonly oauth?: object | null;
}

/**
 * Whose assistants somebody sees and ends: their own; of a full key or person that sees all brands, those of the workspace;
 * of the operator, all.
 */
function ownerOf({ kind, workspaceId, brandIds }: Access, secretHash: Buffer): Owner {
  if (workspaceId === null) return { secretHash: null, workspaceId: null };
  const isOfAll = keyKinds[kind].setsAside && brandIds === null;
  return { secretHash, workspaceId: isOfAll ? workspaceId : null };
}

/** GET of the list. */
export const assistantsPage =
  (env: AssistantsEnvironment): Handler =>
  async (ctx) => {
    const { access, secretHash } = await signedIn(env, ctx, requireRead);
    const owner = ownerOf(access, secretHash);
    const grants = await listGrants(env.db, { ...owner, now: env.clock() });
    const brands = await brandsByAge(env.db, visibleBrands(access));
    const names = new Map(brands.map(({ id, name }) => [id, name]));
    const link = relativeTo(ctx.path);
    const own = access.keyId;
    const page = layout(
      { link, title: 'Assistants · Answer visibility', access },
      html`
      <div class="title"><h1>Assistants</h1></div>
      <div class="cards">
        ${card(
          { id: 'connected', title: 'Connected' },
          grants.length === 0
            ? empty('None.')
            : html`<ul class="links">${grants.slice(0, MAX_SHOWN).map((grant) => item(link, grant, own, names))}</ul>
            ${grants.length > MAX_SHOWN ? html`<p class="foot">And ${grants.length - MAX_SHOWN} older ones.</p>` : null}`,
        )}
        ${card({ id: 'connect', title: 'Connect another' }, howTo(env))}
      </div>`,
    );
    sendPage(ctx, page);
  };

const MAX_SHOWN = 100;
const MAX_NAME = 80;

const howTo = ({ oauth, publicUrl }: AssistantsEnvironment): Markup =>
  oauth && publicUrl !== null
    ? html`
      <p><label for="address">Give this address to ChatGPT, Claude or another assistant. It leads you back here to decide.</label></p>
      <p><input id="address" class="address" readonly value=${publicUrl + OAUTH_MCP_PATH} /></p>`
    : html`<p>On this server assistants are connected with an API key: whoever operates it can let people do it here.</p>`;

function item(link: Link, grant: GrantRow, own: string, names: ReadonlyMap<string, string>): Markup {
  const { id, clientId, clientName, scopes, createdAt, usedAt, endsAt } = grant;
  const host = URL.canParse(clientId) ? new URL(clientId).host : null;
  const isMore = scopes.includes(grantScopes.factCheck);
  return html`
    <li>
      <form method="post" action=${link(endAssistantPath(id))}>
        <span>
          <strong>${userText(clientName, MAX_NAME)}</strong>${' · '}${host === null ? 'registered itself' : userText(host, MAX_NAME)}
          ${' · '}${brandsOf(grant, names)}${' · '}${isMore ? 'reads, and runs fact checks' : 'reads'}
          ${grant.keyId === own ? null : html`${' · '}by ${byWhom(grant)}`}
          <br />
          <span class="hint">Since ${dateTime(createdAt)}${' · '}${usedAt === null ? 'not used yet' : html`last used ${dateTime(usedAt)}`}${' · '}ends ${dateTime(endsAt)} unless it is used before</span>
        </span>
        ${' '}<button type="submit" aria-label=${`End ${truncated(clientName, MAX_NAME)}, connected ${createdAt.toISOString().slice(0, 16)}`}>End</button>
      </form>
    </li>`;
}

const byWhom = ({ personName, keyId }: GrantRow): Markup =>
  personName === null ? `the key ${keyId}` : userText(personName, MAX_NAME);

/** Names of brands that whoever looks can see; others are counted. */
function brandsOf({ brandIds }: GrantRow, names: ReadonlyMap<string, string>): Markup {
  if (brandIds === null) return 'all brands';
  const seen = brandIds.flatMap((id) => names.get(id) ?? []);
  const others = brandIds.length - seen.length;
  return html`${userText(seen.join(', '), 200)}${others > 0 ? ` and ${others} more` : ''}`;
}

/** POST of the button that ends one. */
export function endAssistant(env: AssistantsEnvironment): Handler {
  const check = postOnly(env);
  return async (ctx) => {
    const { access, secretHash } = await signedIn(env, ctx, check);
    const id = ctx.state.params?.id ?? '';
    if (!(await revokeGrant(env.db, { ...ownerOf(access, secretHash), id }))) throw refuse(errors.notFound());
    redirect(ctx, PAGE_PATHS.assistants);
  };
}
