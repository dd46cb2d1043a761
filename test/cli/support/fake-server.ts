/** A loopback server that answers like the API: contract-shaped bodies, pages, key kinds and failures on demand. */

import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { errors, type Refusal } from '../../../src/contract/errors.js';
import { CAPS, PAGE_LIMIT } from '../../../src/contract/limits.js';
import { MCP_PATH } from '../../../src/contract/mcp.js';
import type { GapKind } from '../../../src/contract/reads/gaps.js';
import type { ListName, ResourceName, ResponseOf, RowOf } from '../../../src/contract/registry.js';
import { headers } from '../../../src/contract/versions.js';
import { listening } from '../../support/listening.js';
import { briefingOf } from './briefing-fixtures.js';
import { effect, marks } from './effect-fixtures.js';
import { FakeTools } from './fake-tools.js';
import * as fixtures from './fixtures.js';
import { gapsOf } from './gap-fixtures.js';
import { history } from './history-fixtures.js';
import { moves } from './move-fixtures.js';
import { referrals } from './referral-fixtures.js';
import * as reports from './report-fixtures.js';
import { why } from './why-fixtures.js';

export const KEYS = {
  full: 'svc_full0123456789012345678901234567890123456789',
  ingest: 'svc_ship0123456789012345678901234567890123456789',
} as const;

type Bodies = { [N in ResourceName]: ResponseOf<N> };

const { brand, unsliced } = fixtures;
/** The data of the server, with whole lists. */
const listings: Omit<Bodies, 'briefing'> = {
  brands: { brands: fixtures.brands },
  overview: fixtures.overview,
  prompts: { brand, tag_groups: fixtures.tagGroups, prompts: fixtures.prompts, ...unsliced },
  competitors: { brand, competitors: fixtures.competitors, ...unsliced },
  sources: { brand, sources: fixtures.sources, ...unsliced },
  urls: { brand, urls: fixtures.urls, ...unsliced },
  answers: { brand, answers: fixtures.answers, ...unsliced, filter: null, total: null },
  names: {
    brand,
    names: [{ name: 'Rivadoro', answers: 24, prompts: 7, engines: ['chatgpt'] }],
    listed_answers: 120,
    ...unsliced,
  },
  referrals,
  url: {
    brand,
    page: {
      url: 'https://reviews.example/coffee',
      domain: 'reviews.example',
      title: 'The best coffee of 2026',
      page_type: 'listicle',
      classification: 'editorial',
      overridden: false,
      first_cited: '2026-10-02',
    },
    run_count: 240,
    answers: 12,
    share: 0.05,
    interval: [0.031, 0.079],
    change: {
      previous: 0.042,
      delta: 0.008,
      difference: 0.008,
      verdict: 'no_clear_change',
      reason: null,
      reason_fact: null,
    },
    prompts: [
      {
        ...{ prompt_id: 'p1', prompt: 'best coffee?', answers: 12, run_count: 40 },
        ...{ share: 0.3, interval: [0.181, 0.454] },
      },
    ],
    engines: [{ engine: 'chatgpt', answers: 12, run_count: 60, share: 0.2, interval: [0.118, 0.318] }],
    names: [{ id: brand.id, name: brand.name, is_brand: true, answers: 4 }],
    fetches: { requests: 7, last_fetched: '2026-11-19T08:00:00.000Z' },
    funnel: { crawled: 6, allowed: 6, served: 5, cited: 12, visited: 3 },
    ...unsliced,
  },
  answer: {
    brand,
    answer: {
      ...fixtures.answers[0]!,
      citations: [{ ...fixtures.answers[0]!.citations[0]!, title: 'The best of 2026', position: 1 }],
      collected_at: '2026-11-19T08:00:00.000Z',
      prompt: 'best coffee?',
      surface: 'api',
      text: 'Fernweh Coffee is a favourite of many.',
      spans: [
        {
          ...{ start: 0, end: 14, name: 'Fernweh Coffee', entity: null, is_brand: false },
          sentiment: 'positive',
        },
      ],
      searches: ['best coffee 2026'],
    },
    note: null,
    notes: [],
  },
  shopping: reports.shopping,
  'shopping-trend': reports.shoppingTrend,
  'fact-check': reports.factCheck,
  ads: reports.ads,
  sentiment: reports.sentiment,
  'metrics/history': history,
  crawlers: reports.crawlers,
  gaps: gapsOf('sources'),
  why,
  moves,
  marks,
  effect,
};

/** A refusal; without a code it is one of a server that sends none. */
export type SentRefusal = Omit<Refusal, 'code'> & { readonly code?: string | undefined };

export interface FakeServer {
  readonly url: string;
  /** Path and query of every request, in order. */
  readonly requests: string[];
  /** The headers of every request, in order. */
  readonly sent: IncomingHttpHeaders[];
  /** The tools of the MCP endpoint. */
  readonly tools: FakeTools;
  /** The body of a request as the API would send it. */
  body(pathAndQuery: string): string;
  /** Answers every request with this until it is undone; the key kind is stated where given. */
  refuse(refusal: SentRefusal | undefined, keyKind?: string): void;
  /** Answers one read with this until it is undone. */
  refuseOne(name: ResourceName, refusal: SentRefusal | undefined): void;
  /** Replaces what one read answers. */
  serve<N extends ResourceName>(name: N, body: ResponseOf<N> | undefined): void;
  /** Replaces the rows of a list, whose pages have an order of their own. */
  servePaged<N extends ListName>(name: N, unpaged: RowOf<N>[], paged: RowOf<N>[]): void;
  /** Milliseconds before each answer. */
  delay: number;
  close(): Promise<void>;
}

const pathOf = (request: string) => new URL(request, 'http://fake');

function unpaged(name: ResourceName, body: object): object {
  const cap = (CAPS as { [name: string]: number })[name];
  return cap === undefined ? body : { ...body, [name]: rowsOf(name, body).slice(0, cap) };
}

const rowsOf = (name: string, body: object): unknown[] => (body as { [field: string]: unknown[] })[name]!;

/** The cursor of this server is the number of rows before the page. */
function page(name: ResourceName, body: object, query: URLSearchParams): object {
  const start = Number(query.get('cursor') ?? 0);
  const end = start + Number(query.get('limit') ?? PAGE_LIMIT.default);
  const rows = rowsOf(name, body);
  return { ...body, [name]: rows.slice(start, end), next_cursor: end < rows.length ? String(end) : null };
}

export async function startFakeServer(): Promise<FakeServer> {
  const own: Partial<Bodies> = {};
  /** Bodies for requests of pages, where they differ. */
  const ownPages: Partial<Bodies> = {};
  let refusal: { answer: SentRefusal; keyKind: string | undefined } | undefined;
  const refusedReads = new Map<string, SentRefusal | undefined>();
  const requests: string[] = [];
  const sent: IncomingHttpHeaders[] = [];
  const tools = new FakeTools();

  const bodyOf = (request: string): string => {
    const { pathname, searchParams: query } = pathOf(request);
    const name = pathname.replace('/api/v1/', '') as ResourceName;
    const kind = name === 'gaps' ? (query.get('kind') as GapKind | null) : null;
    const body =
      own[name] ??
      (name === 'briefing'
        ? briefingOf({ ...listings, ...own })
        : kind === null
          ? listings[name]
          : gapsOf(kind));
    const isPage = Array.isArray(rowsOf(name, body)) && (query.has('cursor') || query.has('limit'));
    return JSON.stringify(isPage ? page(name, ownPages[name] ?? body, query) : unpaged(name, body));
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const key = request.headers.authorization?.replace('Bearer ', '');
    const kind = Object.entries(KEYS).find(([, known]) => known === key)?.[0];
    const known = refusal?.keyKind ?? kind;
    if (known !== undefined) {
      response.setHeader(headers.keyKind, known);
      response.setHeader(headers.rateLimit, 120);
      response.setHeader(headers.rateRemaining, 117);
      response.setHeader(headers.rateReset, 1_795_000_000);
    }
    const gates =
      kind === undefined ? errors.unauthorized() : kind === 'ingest' ? errors.ingestOnly() : undefined;
    const { pathname, searchParams } = pathOf(request.url!);
    const refused: SentRefusal | undefined =
      refusal?.answer ??
      gates ??
      refusedReads.get(pathname.replace('/api/v1/', '')) ??
      brandGate(searchParams.get('brand'));
    response.setHeader('Content-Type', 'application/json');
    if (!refused && pathname === MCP_PATH) response.end(tools.reply(await text(request)));
    else if (!refused) response.end(bodyOf(request.url!));
    else {
      response.writeHead(refused.status, refused.headers);
      const { message, code, parameters, extra } = refused;
      response.end(JSON.stringify({ error: message, code, parameters, ...extra }));
    }
  };

  const fake = { delay: 0 };
  const server = createServer((request, response) => {
    requests.push(request.url!);
    sent.push(request.headers);
    setTimeout(answer, fake.delay, request, response);
  });
  const { url, close } = await listening(server);
  return Object.assign(fake, {
    url,
    requests,
    sent,
    tools,
    body: bodyOf,
    refuse(given: SentRefusal | undefined, keyKind?: string) {
      refusal = given && { answer: given, keyKind };
    },
    refuseOne(name: ResourceName, given: SentRefusal | undefined) {
      refusedReads.set(name, given);
    },
    serve<N extends ResourceName>(name: N, body: ResponseOf<N> | undefined) {
      if (body === undefined) delete own[name];
      else own[name] = body as Bodies[N];
    },
    servePaged<N extends ListName>(name: N, rows: RowOf<N>[], paged: RowOf<N>[]) {
      own[name] = { ...listings[name], [name]: rows } as Bodies[N];
      ownPages[name] = { ...listings[name], [name]: paged } as Bodies[N];
    },
    close,
  });
}

const brandGate = (id: string | null): Refusal | undefined =>
  id === null || fixtures.brands.some((known) => known.id === id) ? undefined : errors.unknownBrand();
