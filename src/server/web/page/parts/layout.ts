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

export type SignedInAs = Pick<Access, 'kind' | 'workspaceName' | 'shareId' | 'personName'>;

interface Frame {
  readonly link: Link;
  readonly title: string;
  /** Which brand, which days, which filters. */
  readonly bar?: Markup;
  /** Who is signed in; undefined if nobody is. */
  readonly access?: SignedInAs | undefined;
  /** The page that follows by itself, after some seconds. */
  readonly reload?: { readonly to: string; readonly seconds: number } | undefined;
  /** Whether the name of the product leads nowhere. */
  readonly isPlain?: boolean;
}

export const layout = (
  { link, title, bar, access, reload, isPlain = false }: Frame,
  content: Markup,
): VNode => html`
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="robots" content="noindex" />
      ${reload === undefined ? null : html`<meta http-equiv="refresh" content=${`${reload.seconds}; url=${reload.to}`} />`}
      <title>${title}</title>
      <link rel="icon" type="image/svg+xml" href=${ICON} />
      <link rel="stylesheet" href=${link(stylePath())} />
    </head>
    <body>
      <a class="skip" href="#content">Skip to the content</a>
      <header class="top"><div class="row">
        ${home(link, access, isPlain)}
        ${bar ?? null}
      </div></header>
      <main id="content">${content}</main>
      ${access === undefined ? null : html`<footer>${who(link, access)}</footer>`}
    </body>
  </html>`;

/** Three bars, the middle one of which stands out. */
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#9aa5b1" d="M1 7h4v8H1zM11 5h4v10h-4z"/><path fill="#0b5fb3" d="M6 1h4v14H6z"/></svg>',
)}`;

/** The way to the brands. The viewer of a link sees whose it is: there is nothing else for them. */
function home(link: Link, access: SignedInAs | undefined, isPlain: boolean): Markup {
  const isViewer = access?.shareId !== undefined;
  const name = isViewer && access.workspaceName !== null ? userText(access.workspaceName, 40) : NAME;
  return isPlain || isViewer
    ? html`<span class="home">${name}</span>`
    : html`<a class="home" href=${link(PAGE_PATHS.brands)}>${name}</a>`;
}

const NAME = 'Answer visibility';

const KINDS: Readonly<Record<string, string>> = {
  full: 'key that may do everything',
  read: 'key that only reads',
  operator: 'key of the operator',
};

/** A person by name, a key by what it may do. */
const asWhom = ({ kind, personName }: SignedInAs): Markup =>
  personName === undefined
    ? (KINDS[kind] ?? kind)
    : html`${userText(personName, 60)}, who ${kind === 'read' ? 'only reads' : 'may do everything'}`;

const who = (link: Link, access: SignedInAs): Markup =>
  access.shareId !== undefined
    ? html`<span class="who">Shared with you, to read only</span>`
    : html`<form class="sign-out" method="post" action=${link(PAGE_PATHS.signOut)}>
    <span class="who">${access.workspaceName === null ? 'All workspaces' : userText(access.workspaceName, 40)} · ${asWhom(access)}</span>
    <a href=${link(PAGE_PATHS.assistants)}>Assistants</a>
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
