/** The frame of every page: head, top bar, content. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VNode } from 'preact';
import type { Access } from '../../../accounts/access.js';
import { etagOf } from '../../../base/validated.js';
import { html, type Markup } from '../html.js';
import { PAGE_PATHS } from '../paths.js';
import { userText } from './text.js';

/** Turns an address of the page into the one of a link. */
export type Link = (path: string) => string;

export type SignedInAs = Pick<Access, 'kind' | 'workspaceName' | 'shareId'>;

interface Frame {
  readonly link: Link;
  readonly title: string;
  /** Stands next to the name of the product. */
  readonly nav?: Markup;
  /** Who is signed in; undefined if nobody is. */
  readonly access?: SignedInAs | undefined;
  readonly reload?: string;
  /** Whether the name of the product leads nowhere. */
  readonly isPlain?: boolean;
}

export const layout = (
  { link, title, nav, access, reload, isPlain = false }: Frame,
  content: Markup,
): VNode => html`
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
        ${isPlain ? html`<span class="home">Answer visibility</span>` : html`<a class="home" href=${link(PAGE_PATHS.brands)}>Answer visibility</a>`}
        ${nav ?? null}
        ${access === undefined ? null : who(link, access)}
      </header>
      <main id="content">${content}</main>
    </body>
  </html>`;

const who = (link: Link, access: SignedInAs) =>
  access.shareId === undefined
    ? signOut(link, access)
    : html`<span class="who">Shared with you, to read only</span>`;

const signOut = (link: Link, { kind, workspaceName }: SignedInAs) => html`
  <form class="sign-out" method="post" action=${link(PAGE_PATHS.signOut)}>
    <span class="who">${workspaceName === null ? 'All workspaces' : userText(workspaceName, 40)} · ${kind} key</span>
    <button type="submit">Sign out</button>
  </form>`;

// The stylesheet, under an address that changes with its content.

let loaded: { readonly bytes: Buffer; readonly path: string } | undefined;

function stylesheet(): { readonly bytes: Buffer; readonly path: string } {
  if (!loaded) {
    const bytes = readFileSync(join(import.meta.dirname, '../style.css'));
    loaded = { bytes, path: `/page-${etagOf(bytes).slice(1, 13)}.css` };
  }
  return loaded;
}

export const styleBytes = (): Buffer => stylesheet().bytes;
export const stylePath = (): string => stylesheet().path;
