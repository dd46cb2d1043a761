/** The frame of every page: head, top bar, content. */
import type { VNode } from 'preact';
import { html, type Markup } from '../html.js';
import { PAGE_PATHS } from '../paths.js';
import { stylePath } from '../style.js';

/** Turns an address of the page into the one of a link. */
export type Link = (path: string) => string;

export interface Frame {
  readonly link: Link;
  readonly title: string;
  /** Beside the name of the product; absent: nothing. */
  readonly nav?: Markup;
  /** The kind of the signed-in key; absent: not signed in. */
  readonly keyKind?: string;
  /** Reloads the page at once. */
  readonly reload?: string;
}

export const layout = ({ link, title, nav, keyKind, reload }: Frame, content: Markup): VNode => html`
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="robots" content="noindex" />
      ${reload === undefined ? null : html`<meta http-equiv="refresh" content=${`0; url=${reload}`} />`}
      <title>${title}</title>
      <link rel="icon" href="data:," />
      <link rel="stylesheet" href=${link(stylePath())} />
    </head>
    <body>
      <a class="skip" href="#content">Skip to the content</a>
      <header class="top">
        <a class="home" href=${link(PAGE_PATHS.brands)}>Answer visibility</a>
        ${nav ?? null}
        ${keyKind === undefined ? null : signOut(link, keyKind)}
      </header>
      <main id="content">${content}</main>
    </body>
  </html>`;

const signOut = (link: Link, keyKind: string) => html`
  <form class="sign-out" method="post" action=${link(PAGE_PATHS.signOut)}>
    <span class="who">${keyKind} key</span>
    <button type="submit">Sign out</button>
  </form>`;
