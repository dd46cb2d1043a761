/** The pages on which a person decides what an assistant may do. */
import type { VNode } from 'preact';
import { GRANT_DAYS } from '../../../contract/oauth.js';
import { isLoopback } from '../../../contract/paths.js';
import type { Access } from '../../accounts/access.js';
import type { ListedBrand } from '../../accounts/brands.js';
import { PERSON_DAYS } from '../../accounts/people.js';
import { html, type Markup } from '../page/html.js';
import { type Link, layout } from '../page/parts/layout.js';
import { userText } from '../page/parts/text.js';
import { consentPath } from '../page/paths.js';

/** An assistant, as it describes itself: everything but the hosts may be invented. */
export interface Assistant {
  readonly name: string;
  /** The host of the document that describes it; null: it registered itself. */
  readonly host: string | null;
  readonly redirect: URL;
}

const MAX_NAME = 80;

/** The first page, which knows nothing about the visitor: browsers send no cookie of the page with the way from another site. */
export const startPage = (link: Link, token: string, assistant: Assistant): VNode =>
  layout(
    { link, title: 'Connect an assistant · Answer visibility', isPlain: true },
    html`
    <section class="card narrow">
      <h1>Connect an assistant</h1>
      <p>${userText(assistant.name, MAX_NAME)} asks to read here how your brand appears in AI answers.</p>
      ${whoAsks(assistant)}
      <form method="get" action=${link(consentPath(token))} class="stack">
        <button type="submit" class="primary">Continue</button>
      </form>
      <p class="hint">You sign in next, and decide then. If you did not start this in your assistant, close this page.</p>
    </section>`,
  );

interface Consent {
  readonly token: string;
  readonly assistant: Assistant;
  readonly access: Access;
  readonly brands: readonly ListedBrand[];
  readonly asksForFactChecks: boolean;
  /** Why the form is shown again. */
  readonly reason?: string | undefined;
}

/** Field names of the form. */
export const fields = { decision: 'decision', which: 'which', brand: 'brand' } as const;

export const consentPage = (link: Link, consent: Consent): VNode => {
  const { token, assistant, access, brands, asksForFactChecks, reason } = consent;
  const workspace =
    access.workspaceName === null ? 'all workspaces' : userText(access.workspaceName, MAX_NAME);
  return layout(
    { link, title: 'Connect an assistant · Answer visibility', access },
    html`
    <section class="card narrow">
      <h1>Connect ${userText(assistant.name, MAX_NAME)}?</h1>
      ${reason === undefined ? null : html`<p class="problem" role="alert">${reason}</p>`}
      ${whoAsks(assistant)}
      <p>In ${workspace} it may, ${asWhom(access)}, ${asksForFactChecks ? 'read, and run fact checks, which cost money' : 'read, and nothing else'}.</p>
      <p>${ends(access)}</p>
      <form method="post" action=${link(consentPath(token))} class="stack">
        <fieldset class="stack">
          <legend>Which brands?</legend>
          <label><input type="radio" name=${fields.which} value="all" checked /> All that ${access.personName === undefined ? 'your key' : 'you'} can see, later ones too</label>
          <label><input type="radio" name=${fields.which} value="some" /> Only these:</label>
          ${brands.map(
            ({ id, name }) =>
              html`<label><input type="checkbox" name=${fields.brand} value=${id} /> ${userText(name, MAX_NAME)}</label>`,
          )}
        </fieldset>
        <button type="submit" class="primary" name=${fields.decision} value="allow">Allow</button>
        <button type="submit" name=${fields.decision} value="deny">Do not allow</button>
      </form>
    </section>`,
  );
};

const asWhom = ({ personName }: Access): Markup =>
  personName === undefined ? 'with your API key' : html`as ${userText(personName, MAX_NAME)}`;

const ends = ({ expiresAt, personName }: Access): string => {
  const unused = `after ${GRANT_DAYS} days without use`;
  if (personName !== undefined)
    return `It ends ${unused}, and once you have not signed in here for ${PERSON_DAYS} days.`;
  return expiresAt === null
    ? `It ends ${unused}, and with your API key.`
    : `It ends ${unused}, at the latest with your API key on ${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC.`;
};

/** The two facts that an assistant cannot invent. */
const whoAsks = ({ host, redirect }: Assistant): Markup => html`
  ${host === null ? html`<p>The assistant registered itself: its name is not verified.</p>` : html`<p>It is described by</p><p class="host">${userText(host)}</p>`}
  <p>What it reads goes to</p>
  <p class="host">${userText(redirect.host)}</p>
  ${isLoopback(redirect.hostname) ? html`<p class="problem">That is a program on your own computer. Any program there can pretend to be this one: go on only if you have just started it yourself.</p>` : null}`;
