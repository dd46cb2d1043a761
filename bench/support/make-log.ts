/** Access logs of any size for measurements; the same arguments give the same bytes. */
import { clfTime } from '../../src/demo/site-files.js';
import { agents } from '../../src/logs/agents/match.js';

export interface LogOptions {
  readonly bytes: number;
  /** Share of the lines of AI agents, 0 to 1. */
  readonly agentShare?: number;
  readonly seed?: number;
}

interface Visit {
  readonly ip: string;
  readonly time: number;
  readonly path: string;
  readonly status: number;
  readonly size: number;
  readonly referer: string;
  readonly userAgent: string;
  readonly id: string;
}

/** Mulberry32: numbers from 0 (inclusive) to 1 that depend only on the seed. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let word = Math.imul(state ^ (state >>> 15), 1 | state);
    word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word;
    return ((word ^ (word >>> 14)) >>> 0) / 4294967296;
  };
}

const tokens = agents.flatMap((agent) => (agent.token === null ? [] : [agent.token.replace('/', '')]));
const sections = ['blog', 'docs', 'products', 'pricing', 'help', 'assets/js', 'assets/css', 'images'];

function browser(random: () => number): string {
  const version = 100 + Math.floor(random() * 50);
  const systems = [
    'Windows NT 10.0; Win64; x64',
    'Macintosh; Intel Mac OS X 10_15_7',
    'X11; Linux x86_64',
    'Linux; Android 15',
  ];
  const system = systems[Math.floor(random() * systems.length)];
  return `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`;
}

function agent(random: () => number): string {
  const token = tokens[Math.floor(random() ** 2 * tokens.length)];
  return `Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ${token}/1.${Math.floor(random() * 3)}; +https://example.org/bot)`;
}

function* visits(options: LogOptions): Generator<Visit> {
  const random = randomFrom(options.seed ?? 1);
  let time = Date.UTC(2026, 10, 20);
  for (;;) {
    time += Math.floor(random() * 900);
    const number = () => Math.floor(random() * 256);
    const isAgent = random() < (options.agentShare ?? 0.15);
    const section = sections[Math.floor(random() * sections.length)];
    yield {
      ip: `${number()}.${number()}.${number()}.${number()}`,
      time,
      path: `/${section}/page-${Math.floor(random() * 4000)}${random() < 0.2 ? '?utm_source=newsletter' : ''}`,
      status: random() < 0.9 ? 200 : 404,
      size: Math.floor(random() * 90_000),
      referer: random() < 0.5 ? '-' : `https://www.example.com/${section}/`,
      userAgent: isAgent ? agent(random) : browser(random),
      id: Math.floor(random() * 2 ** 48).toString(16),
    };
  }
}

function combined({ ip, time, path, status, size, referer, userAgent }: Visit): string {
  return `${ip} - - [${clfTime(time)}] "GET ${path} HTTP/1.1" ${status} ${size} "${referer}" "${userAgent}"\n`;
}

function ndjson({ ip, time, path, status, size, userAgent, id }: Visit): string {
  return `${JSON.stringify({
    ClientIP: ip,
    ClientRequestHost: 'www.example.com',
    ClientRequestURI: path,
    ClientRequestSource: 'eyeball',
    ClientRequestUserAgent: userAgent,
    EdgeStartTimestamp: new Date(time).toISOString(),
    EdgeResponseStatus: status,
    EdgeResponseBytes: size,
    RayID: id,
  })}\n`;
}

function make(options: LogOptions, write: (visit: Visit) => string): Buffer {
  const lines: string[] = [];
  let size = 0;
  for (const visit of visits(options)) {
    const line = write(visit);
    size += line.length;
    if (size > options.bytes) break;
    lines.push(line);
  }
  return Buffer.from(lines.join(''));
}

/** Lines of the combined format, at most `bytes` long together. */
export function makeCombinedLog(options: LogOptions): Buffer {
  return make(options, combined);
}

/** The same visits in the format of a CDN, one JSON object a line. */
export function makeJsonLog(options: LogOptions): Buffer {
  return make(options, ndjson);
}
