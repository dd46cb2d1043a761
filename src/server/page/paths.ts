/** The addresses of the page, relative to the page that holds the link, so that a proxy may add a prefix. */
import { SIGN_IN_LINKS_PATH } from '../../contract/paths.js';

export const PAGE_PATHS = {
  brands: '/brands',
  brand: '/brands/:brand',
  prompt: '/brands/:brand/prompts/:prompt',
  json: '/brands/:brand/visibility.json',
  csv: '/brands/:brand/visibility.csv',
  signIn: '/sign-in',
  signInOnce: '/sign-in/:token',
  signInLinks: SIGN_IN_LINKS_PATH,
  signOut: '/sign-out',
} as const;

/** Parameters of a link; those that are undefined are left out. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/** The path with its query; unchanged without parameters. */
export const withQuery = (path: string, query: Query): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? path : `${path}?${text}`;
};

export const brandPath = (brand: string): string => `/brands/${encodeURIComponent(brand)}`;
export const downloadPath = (brand: string, format: 'json' | 'csv'): string =>
  `${brandPath(brand)}/visibility.${format}`;
export const promptPath = (brand: string, prompt: string): string =>
  `${brandPath(brand)}/prompts/${encodeURIComponent(prompt)}`;

/** Turns an address of the page into one that is relative to `from`. */
export const relativeTo =
  (from: string) =>
  (path: string): string => {
    const up = '../'.repeat(from.split('/').length - 2);
    return `${up === '' ? './' : up}${path.slice(1)}`;
  };

/** An address of the page that a sign-in may lead to; undefined: it is not one. */
export const targetOf = (text: unknown): string | undefined =>
  typeof text === 'string' && /^\/brands(?:[/?][!-~]*)?$/.test(text) && !/\\|\.\./.test(text)
    ? text
    : undefined;
