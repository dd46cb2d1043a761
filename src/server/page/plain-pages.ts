/** The pages without numbers: the form to sign in, errors in words. */
import type { VNode } from 'preact';
import type { Refusal } from '../../contract/errors.js';
import { linkLife } from '../../contract/wording.js';
import { SESSION_HOURS } from './access/session.js';
import { html } from './html.js';
import { type Link, layout } from './parts/layout.js';
import { PAGE_PATHS, withQuery } from './paths.js';

interface SignIn {
  /** The page that the sign-in leads to. */
  readonly to: string | undefined;
  /** Why the form is shown again. */
  readonly reason?: string;
}

/** The form that asks for a key. */
export const signInPage = (link: Link, { to, reason }: SignIn): VNode =>
  layout(
    { link, title: 'Sign in · Answer visibility' },
    html`
    <section class="card narrow">
      <h1>Sign in</h1>
      ${reason === undefined ? null : html`<p class="problem" role="alert" id="reason">${reason}</p>`}
      <form method="post" action=${link(PAGE_PATHS.signIn)} class="stack">
        <label for="key">API key</label>
        <input
          id="key" name="key" type="password" required autocomplete="current-password" spellcheck="false"
          aria-describedby=${reason === undefined ? 'help' : 'reason help'}
        />
        ${to === undefined ? null : html`<input type="hidden" name="to" value=${to} />`}
        <button type="submit" class="primary">Sign in</button>
      </form>
      <p class="hint" id="help">
        A key that may read: kind full or read. You stay signed in for at most ${SESSION_HOURS} hours. With the command line,
        ${' '}<code>svc open</code> opens this page signed in.
      </p>
    </section>`,
  );

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
      ${isAnother ? html`<p><a href=${link(PAGE_PATHS.brands)}>Stay signed in as before</a></p>` : null}
    </section>`,
  );

/** What to do about an error, by its status. */
const advice: Readonly<Record<number, string>> = {
  400: 'Change the address, or choose a window and engines again.',
  403: 'Sign in with another key.',
  404: 'The address is wrong, or your key cannot see what it names.',
  429: 'Wait a moment, then load the page again.',
  500: 'The log of the server has the cause.',
  503: 'Load the page again in a few seconds.',
};

const titles: Readonly<Record<number, string>> = {
  400: 'This address cannot be shown',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Not possible here',
  429: 'Too many requests',
  500: 'Something went wrong',
  503: 'Not available now',
};

/** The page of a refusal: its message, and what to do. */
export function failurePage(link: Link, { status, message, extra }: Refusal): VNode {
  const title = titles[status] ?? 'Something went wrong';
  const requestId = extra?.request_id;
  return layout(
    { link, title: `${title} · Answer visibility` },
    html`
    <section class="card narrow">
      <h1>${title}</h1>
      <p class="problem">${message}</p>
      <p>${advice[status] ?? ''}</p>
      ${requestId === undefined ? null : html`<p class="hint">Request id: <code>${String(requestId)}</code></p>`}
      <p><a href=${link(PAGE_PATHS.brands)}>All brands</a> · <a href=${link(PAGE_PATHS.signIn)}>Sign in</a></p>
    </section>`,
  );
}

/** Loads an address again. */
export const reloadPage = (link: Link, to: string): VNode =>
  layout(
    { link, title: 'Answer visibility', reload: link(to) },
    html`<section class="card narrow"><p><a href=${link(to)}>Continue</a></p></section>`,
  );
