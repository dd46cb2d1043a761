/** Sending logs to a test server, and log lines to send. */
import { OPERATOR_KEY, type TestServer } from '../../support/server.js';

export const PATH = '/api/v1/crawler-events';
export const GPTBOT =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)';
export const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

export interface Counts {
  readonly inserted: number;
  readonly matched: number;
  readonly totalLines: number;
  readonly unparsed: number;
}

export interface Shipping {
  readonly key?: string | null;
  readonly brand?: string;
  readonly query?: string;
  readonly headers?: Record<string, string>;
}

type Body = string | Uint8Array | undefined;

/** POSTs a body unchanged. */
export function ship(
  server: TestServer,
  body: Body,
  { key = OPERATOR_KEY, brand = 'first', query = '', headers = {} }: Shipping = {},
): Promise<Response> {
  return server.request(`${PATH}?brand=${brand}${query}`, key, {
    method: 'POST',
    headers,
    ...(body !== undefined && { body: body as never }),
  });
}

/** The counts of a body that must be accepted. */
export async function shipped(server: TestServer, body: Body, how: Shipping = {}): Promise<Counts> {
  const response = await ship(server, body, how);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  return JSON.parse(text) as Counts;
}

/** Status and body of the response to a refused body. */
export async function refused(
  server: TestServer,
  body: Body,
  how: Shipping = {},
): Promise<[status: number, body: object]> {
  const response = await ship(server, body, how);
  return [response.status, (await response.json()) as object];
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A line of a combined log. */
export function line({
  time = '2026-11-20T08:00:00Z',
  path = '/',
  agent = GPTBOT,
  ip = '192.0.2.1',
  status = 200,
} = {}): string {
  const [date = '', clock = ''] = new Date(time).toISOString().split(/[T.]/);
  const [year, month, day] = date.split('-');
  const written = `${day}/${MONTHS[Number(month) - 1]}/${year}:${clock} +0000`;
  return `${ip} - - [${written}] "GET ${path} HTTP/1.1" ${status} 512 "-" "${agent}"\n`;
}

export interface StoredHit {
  readonly agent: string;
  readonly path: string;
  readonly time: Date;
  readonly status: number | null;
}

/** The hits of a brand as they are stored. */
export async function storedHits(server: TestServer, brand = 'first'): Promise<StoredHit[]> {
  const { rows } = await server.database.knex.raw(
    `select e.agent, e.path, e.time, e.status from crawler_events e join brands b using (brand_key)
     where b.id = ? order by e.time, e.path, e.agent`,
    [brand],
  );
  return rows;
}

/** The newest request time on record; null: never connected. */
export async function lastEventAt(server: TestServer, brand = 'first'): Promise<string | null> {
  const { rows } = await server.database.knex.raw(
    'select c.last_event_at as "at" from crawler_connections c join brands b using (brand_key) where b.id = ?',
    [brand],
  );
  return (rows[0]?.at as Date | undefined)?.toISOString() ?? null;
}
