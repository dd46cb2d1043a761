/** The addresses of the page, relative to the page that holds the link, so that a proxy may add a prefix. */
import { SHARES_PATH, SIGN_IN_LINKS_PATH } from '../../../contract/paths.js';
import { CALLBACK_PATH } from '../../accounts/identity-provider.js';
import { brandPath } from '../../base/brand-path.js';

export { brandPath, type Query, withQuery } from '../../base/brand-path.js';

export const PAGE_PATHS = {
  brands: '/brands',
  brand: '/brands/:brand',
  prompts: '/brands/:brand/prompts',
  prompt: '/brands/:brand/prompts/:prompt',
  answers: '/brands/:brand/answers',
  answer: '/brands/:brand/answers/:run',
  sources: '/brands/:brand/sources',
  domain: '/brands/:brand/sources/:domain',
  page: '/brands/:brand/page',
  competitors: '/brands/:brand/competitors',
  competitor: '/brands/:brand/competitors/:id',
  facts: '/brands/:brand/facts',
  needs: '/brands/:brand/needs',
  needsAside: '/brands/:brand/needs/aside',
  moves: '/brands/:brand/moves',
  crawlers: '/brands/:brand/crawlers',
  shopping: '/brands/:brand/shopping',
  names: '/brands/:brand/names',
  mark: '/brands/:brand/marks/:mark',
  engine: '/brands/:brand/engines/:engine',
  json: '/brands/:brand/:read.json',
  csv: '/brands/:brand/:read.csv',
  share: '/brands/:brand/share',
  revokeShare: '/brands/:brand/share/:id/revoke',
  settings: '/brands/:brand/settings',
  settingsChange: '/brands/:brand/settings/change',
  settingsWrite: '/brands/:brand/settings/write',
  settingsCollect: '/brands/:brand/settings/collect',
  shares: SHARES_PATH,
  oneShare: `${SHARES_PATH}/:id`,
  shared: '/shared/:token',
  start: '/start',
  signIn: '/sign-in',
  signInOnce: '/sign-in/:token',
  signInByAccount: '/sign-in/account',
  signInCallback: CALLBACK_PATH,
  signInLinks: SIGN_IN_LINKS_PATH,
  signOut: '/sign-out',
  assistants: '/assistants',
  endAssistant: '/assistants/:id/end',
  connect: '/connect/:token',
  consent: '/connect/:token/consent',
} as const;

/** The file of a read. */
export const filePath = (brand: string, read: string, format: 'json' | 'csv'): string =>
  `${brandPath(brand)}/${read}.${format}`;
/** The pages of a brand that list something, by the end of their address. */
export const TABS = [
  'prompts',
  'answers',
  'sources',
  'competitors',
  'facts',
  'needs',
  'moves',
  'crawlers',
  'shopping',
  'names',
] as const;
export type Tab = (typeof TABS)[number];

export const tabPath = (brand: string, tab: Tab): string => `${brandPath(brand)}/${tab}`;
/** The address of the page about a cited URL, which its query names. */
export const pagePath = (brand: string): string => `${brandPath(brand)}/page`;
export const promptPath = (brand: string, prompt: string): string =>
  `${brandPath(brand)}/prompts/${encodeURIComponent(prompt)}`;
export const answerPath = (brand: string, run: string): string =>
  `${brandPath(brand)}/answers/${encodeURIComponent(run)}`;
export const domainPath = (brand: string, domain: string): string =>
  `${brandPath(brand)}/sources/${encodeURIComponent(domain)}`;
export const competitorPath = (brand: string, competitor: string): string =>
  `${brandPath(brand)}/competitors/${encodeURIComponent(competitor)}`;
export const markPath = (brand: string, mark: string): string =>
  `${brandPath(brand)}/marks/${encodeURIComponent(mark)}`;

export const needsAsidePath = (brand: string): string => `${tabPath(brand, 'needs')}/aside`;
export const sharePath = (brand: string): string => `${brandPath(brand)}/share`;
export const revokeSharePath = (brand: string, id: string): string => `${sharePath(brand)}/${id}/revoke`;
export const settingsPath = (brand: string, step?: 'change' | 'write' | 'collect'): string =>
  `${brandPath(brand)}/settings${step === undefined ? '' : `/${step}`}`;
export const endAssistantPath = (id: string): string => PAGE_PATHS.endAssistant.replace(':id', id);
export const sharedPath = (token: string): string => `/shared/${token}`;

/**
 * Turns an address of the page into the one that a viewer of a link has: of the pages of the brand those of the link, of the
 * stylesheet the same, of all else the first page of the link.
 */
export const asShared =
  (token: string, brand: string) =>
  (path: string): string => {
    const home = brandPath(brand);
    if (path.endsWith('.css')) return path;
    const isOfBrand = path.startsWith(home) && ['', '/', '?'].includes(path.charAt(home.length));
    return sharedPath(token) + (isOfBrand ? path.slice(home.length) : '');
  };

/** Turns an address of the page into one that is relative to `from`. */
export const relativeTo =
  (from: string) =>
  (path: string): string => {
    const up = '../'.repeat(from.split('/').length - 2);
    return `${up === '' ? './' : up}${path.slice(1)}`;
  };

/** A host that no address names, to resolve paths of the page. */
const NOWHERE = 'http://page.invalid';

/** Where somebody who connects an assistant decides. */
const CONSENT = /^\/connect\/[\w-]+\/consent$/;

export const consentPath = (token: string): string => PAGE_PATHS.consent.replace(':token', token);

/**
 * An address of the page that a sign-in may lead to, as browsers resolve it: dots that are written as `%2e`, and
 * backslashes, lead to other paths too. Undefined: it is not one.
 */
export function targetOf(text: unknown): string | undefined {
  if (typeof text !== 'string' || !text.startsWith('/') || !URL.canParse(text, NOWHERE)) return undefined;
  const { origin, pathname, search } = new URL(text, NOWHERE);
  const isPage =
    pathname === PAGE_PATHS.brands ||
    pathname === PAGE_PATHS.assistants ||
    pathname === PAGE_PATHS.start ||
    pathname.startsWith(`${PAGE_PATHS.brands}/`) ||
    CONSENT.test(pathname);
  return origin === NOWHERE && isPage ? pathname + search : undefined;
}
