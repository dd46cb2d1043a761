/** A browser without a screen: it signs in, keeps the cookie, and loads pages. */
import type { TestServer } from '../../../../support/server.js';

export interface Visitor {
  /** The Cookie header. */
  readonly cookie: string;
  /** GET of a page; redirects are not followed. */
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /** The HTML of a page that must be 200. */
  html(path: string): Promise<string>;
}

/** Posts a form as a browser does. */
export const postForm = (
  server: TestServer,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> =>
  server.request(path, null, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { Origin: server.url, ...headers },
    redirect: 'manual',
  });

/** The Cookie header for the cookie that a response sets. */
export const cookieIn = (response: Response): string => {
  const [set = ''] = response.headers.getSetCookie();
  return set.split(';')[0]!;
};

/** Signs in with a key. */
export async function signIn(server: TestServer, key: string): Promise<Visitor> {
  const response = await postForm(server, '/sign-in', { key });
  if (response.status !== 303) throw new Error(`sign-in: ${response.status} ${await response.text()}`);
  return visitor(server, cookieIn(response));
}

export function visitor(server: TestServer, cookie: string): Visitor {
  const get = (path: string, headers: Record<string, string> = {}) =>
    server.request(path, null, { headers: { Cookie: cookie, ...headers }, redirect: 'manual' });
  return {
    cookie,
    get,
    html: async (path) => {
      const response = await get(path);
      const text = await response.text();
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
      return text;
    },
  };
}
