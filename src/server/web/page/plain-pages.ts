/** The pages without numbers: the form to sign in, errors in words. */
import type { VNode } from 'preact';
import { errorCode, type Refusal } from '../../../contract/errors.js';
import { linkLife } from '../../../contract/wording.js';
import { html, type Markup } from './html.js';
import { type Link, layout, type SignedInAs } from './parts/layout.js';
import { userText } from './parts/text.js';
import { PAGE_PATHS, withQuery } from './paths.js';
import { SESSION_HOURS } from './session.js';

interface SignIn {
  readonly to: string | undefined;
  /** Why the form is shown again. */
  readonly reason?: string | undefined;
  /** The host of the OpenID provider by which people may sign in; undefined: there is none. */
  readonly provider?: string | undefined;
}

export const signInPage = (link: Link, { to, reason, provider }: SignIn): VNode =>
  layout(
    { link, title: 'Sign in · Answer visibility' },
    html`
    <section class="card narrow">
      <h1>Sign in</h1>
      ${reason === undefined ? null : html`<p class="problem" role="alert" id="reason">${reason}</p>`}
      ${provider === undefined ? null : byAccount(link, provider, to)}
      <form method="post" action=${link(PAGE_PATHS.signIn)} class="stack">
        <label for="key">API key</label>
        <input
          id="key" name="key" type="password" required autocomplete="current-password" spellcheck="false"
          aria-describedby=${reason === undefined ? 'help' : 'reason help'}
        />
        ${to === undefined ? null : html`<input type="hidden" name="to" value=${to} />`}
        <button type="submit" class=${provider === undefined ? 'primary' : undefined}>Sign in${provider === undefined ? '' : ' with the key'}</button>
      </form>
      <p class="hint" id="help">
        You need ${provider === undefined ? '' : 'an account there that is let in, '}an API key of kind full or read, or a link that signs in: ask whoever operates this server.
        ${' '}You stay signed in for at most ${SESSION_HOURS} hours.
      </p>
    </section>`,
  );

/** A link and no form: the policy of the page keeps forms from leading to another site. */
const byAccount = (link: Link, provider: string, to: string | undefined): Markup => html`
  <p><a class="primary" href=${link(withQuery(PAGE_PATHS.signInByAccount, { to }))}>Sign in with your account at ${provider}</a></p>
  <p class="hint">Or with a key:</p>`;

/** A link that signs in, with the button that uses it. */
export const linkPage = (
  link: Link,
  path: string,
  { to, isAnother }: Pick<SignIn, 'to'> & { readonly isAnother: boolean },
): VNode =>
  layout(
    { link, title: 'Sign in · Answer visibility' },
    html`
    <section class="card narrow">
      <h1>Sign in</h1>
      <p>${isAnother ? 'This link signs in with another key than the one with which you are signed in now.' : 'This link signs you in.'} It works ${linkLife}.</p>
      <form method="post" action=${link(withQuery(path, { to }))}>
        <button type="submit" class="primary">Sign in</button>
      </form>
      ${isAnother ? html`<p><a href=${link(PAGE_PATHS.brands)}>Stay signed in as you are</a></p>` : null}
    </section>`,
  );

/** The heading of an error, and what to do about it, by its status. */
const words: Readonly<Record<number, readonly [title: string, advice: string]>> = {
  400: ['This address cannot be shown', 'Choose the window and the filters again.'],
  403: ['Not allowed', 'Sign in with another key, or ask whoever gave you this one.'],
  404: ['Not found', 'Nothing is at this address, or your key may not see it. Choose a brand from the list.'],
  405: ['Not possible here', 'Go to the list of brands.'],
  429: ['Too many requests', 'Wait a moment, then load the page again.'],
  500: [
    'Something went wrong',
    'Load the page again. If it fails again, tell whoever operates this server the request id.',
  ],
  503: ['Not available now', 'Load the page again in a few seconds.'],
};
const OTHER = words[500]!;
const DISABLED = 'Whoever operates this server has to set it.';

interface Failure {
  readonly refusal: Refusal;
  readonly access: SignedInAs | undefined;
  /** A page of the same subject that can be shown; if there is one. */
  readonly back?: string | undefined;
}

/** The page of a refusal: its message, what to do, and the way back. */
export function failurePage(link: Link, { refusal, access, back }: Failure): VNode {
  const { status, code, message, extra } = refusal;
  if (access && code === errorCode('noBrands')) return emptyPage(link, message, access);
  const [title, advice] = words[status] ?? OTHER;
  const requestId = extra?.request_id;
  const others = [
    ...(back === undefined ? [] : [html`<a href=${link(back)}>Show the page without them</a> · `]),
    html`<a href=${link(PAGE_PATHS.brands)}>All brands</a>`,
    ...(access ? [] : [html` · <a href=${link(PAGE_PATHS.signIn)}>Sign in</a>`]),
  ];
  return layout(
    { link, title: `${title} · Answer visibility`, access },
    html`
    <section class="card narrow">
      <h1>${title}</h1>
      <p class="problem">${message}</p>
      <p>${code === errorCode('apiDisabled') ? DISABLED : advice}</p>
      ${requestId === undefined ? null : html`<p class="hint">Request id: <code>${String(requestId)}</code></p>`}
      <p>${others}</p>
    </section>`,
  );
}

/** The page of a link that does not work, and of what is not behind one that does. It is the same for every reason. */
export const deadLinkPage = (link: Link): VNode =>
  linkFrame(link, 'Not found', [
    'Nothing is at this address. The link may have expired or been revoked, or a part of it is missing.',
    'Ask whoever sent it to you for another one.',
  ]);

/** The page of any other refusal, for the viewer of a link. */
export function linkFailurePage(link: Link, { status, message, extra }: Refusal): VNode {
  const [title] = words[status] ?? OTHER;
  const requestId = extra?.request_id;
  return linkFrame(link, title, [message, ...(requestId === undefined ? [] : [`Request id: ${requestId}`])]);
}

const linkFrame = (link: Link, title: string, sentences: readonly string[]): VNode =>
  layout(
    { link, title: `${title} · Answer visibility`, isPlain: true },
    html`<section class="card narrow"><h1>${title}</h1>${sentences.map((each) => html`<p>${each}</p>`)}</section>`,
  );

/** The page of a workspace without a brand that the key may see. */
const emptyPage = (link: Link, message: string, access: SignedInAs): VNode =>
  layout(
    { link, title: 'Brands · Answer visibility', access },
    html`
    <section class="card narrow">
      <h1>${message}</h1>
      <p>${access.workspaceName === null ? 'No workspace has a brand.' : html`Your key sees no brand of the workspace ${userText(access.workspaceName, 80)}.`}</p>
      <p>A brand appears here once its data is imported, and once your key may see it. Whoever operates this server can do both.</p>
      <p><a href=${link(PAGE_PATHS.brands)}>Look again</a></p>
    </section>`,
  );

export const reloadPage = (link: Link, to: string): VNode =>
  layout(
    { link, title: 'Answer visibility', reload: { to: link(to), seconds: 0 } },
    html`<section class="card narrow"><p><a href=${link(to)}>Continue</a></p></section>`,
  );
