/** Addresses of the server: the paths that no version of a protocol defines, and this machine. */

export const API_ROOT = '/api/v1';
/** The moves of a brand as an Atom feed, with a key of kind `feed` as `key` in the address. */
export const FEED_PATH = `${API_ROOT}/moves.atom`;
/** The OpenAPI document of the REST API. */
export const OPENAPI_PATH = '/openapi.json';
/** The page that shows it. */
export const DOCS_PATH = '/docs';
/** The page with the definition of each number; `.json` behind it has the same as data. */
export const METRICS_DOCS_PATH = '/docs/metrics';
/** The page of a brand. */
export const brandPath = (brand: string): string => `/brands/${encodeURIComponent(brand)}`;
/** POST with an API key makes a link that signs in to the page once: `{path, expires_at}`. */
export const SIGN_IN_LINKS_PATH = '/sign-in-links';

export interface SignInLink {
  /** Path and query of the link. */
  readonly path: string;
  /** ISO 8601. */
  readonly expires_at: string;
}

/** With an API key: POST makes a link that shows a brand without a key, GET lists those of the key; DELETE of one revokes it. */
export const SHARES_PATH = '/shares';

/** A link that shows a brand without a key, read-only. */
export interface Share {
  readonly id: string;
  /** The id of its brand. */
  readonly brand: string;
  /** What it is limited to, as parameters of the address of the page; without a window the viewer has the usual one. */
  readonly slice: Readonly<Record<string, string | number>>;
  /** The id of the key that made it. */
  readonly key_id: string;
  /** ISO 8601. */
  readonly created_at: string;
  /** From then on it does not work, ISO 8601. */
  readonly expires_at: string;
}

/** A link as it is made. */
export interface NewShare extends Share {
  /** Path of the link, which is stated only now. */
  readonly path: string;
}

/** Whether the host of a URL is this machine, as URL writes it: lower case, an IPv6 address in brackets. */
export const isLoopback = (hostname: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);

/** The plan of a folder, where no other is named. */
export const PLAN_FILE = 'svc.toml';
