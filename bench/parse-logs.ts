/**
 * The speed of the log parser, compared with tools that read the same bytes in the same run, in turn: the least of several rounds.
 *
 *   node --import ./scripts/support/typescript.mjs bench/parse-logs.ts [MiB]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agents } from '../src/logs/agents/match.js';
import { shippedLists } from '../src/logs/clients/lists.js';
import { createVerifier } from '../src/logs/clients/verify.js';
import { createLogParser } from '../src/logs/parse.js';
import { costOf, type Result } from './support/bench.js';
import { least } from './support/least.js';
import { makeCombinedLog, makeJsonLog } from './support/make-log.js';
import { printResults } from './support/print-results.js';

const ROUNDS = 9;
const SLICE = 128 * 1024;
const MIB = 1024 * 1024;
const now = new Date('2026-11-21T00:00:00Z');

function parse(log: Buffer, slice = log.length): number {
  let hits = 0;
  const parser = createLogParser({ now, verifier: createVerifier(shippedLists, now), onHit: () => hits++ });
  for (let at = 0; at < log.length; at += slice) parser.push(log.subarray(at, at + slice));
  parser.end();
  return hits;
}

function longestSlice(log: Buffer): number {
  const parser = createLogParser({ now });
  let longest = 0;
  for (let at = 0; at < log.length; at += SLICE) {
    const begin = performance.now();
    parser.push(log.subarray(at, at + SLICE));
    longest = Math.max(longest, performance.now() - begin);
  }
  return longest;
}

const shape = /^(\S+) (\S+) (\S+) \[([^\]]+)\] "([^"]*)" (\d{3}) (\S+) "([^"]*)" "([^"]*)"/;

const anyAgent = new RegExp(agents.flatMap(({ token }) => token ?? []).join('|'), 'i');

/** A simple parser: the line by one pattern, the agent by another, the time by Date. */
function regularExpressionPerLine(log: Buffer): number {
  let hits = 0;
  for (const line of log.toString('utf8').split('\n')) {
    const [, , , , time = '', , , , , userAgent = ''] = shape.exec(line) ?? [];
    if (Date.parse(time.replace(':', ' ').replaceAll('/', ' ')) <= now.getTime() && anyAgent.test(userAgent))
      hits++;
  }
  return hits;
}

function jsonParsePerLine(log: Buffer): number {
  return log
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '' && JSON.parse(line) !== null).length;
}

function measure(tasks: Record<string, () => unknown>): Map<string, number> {
  const times = new Map(Object.keys(tasks).map((name) => [name, [] as number[]]));
  for (let round = 0; round < ROUNDS + 3; round++) {
    for (const [name, task] of Object.entries(tasks)) {
      const begin = performance.now();
      task();
      if (round >= 3) times.get(name)?.push(performance.now() - begin);
    }
  }
  return new Map([...times].map(([name, all]) => [name, least(all)]));
}

const tokens = agents.filter((agent) => agent.token !== null && agent.defaultList).slice(0, 26);
const pattern = tokens.map((agent) => agent.token).join('|');
// A pipe, not /dev/null: there grep stops at its first match.
const run = (command: string, args: string[]) => () =>
  spawnSync(command, args, { stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, LC_ALL: 'C' } });
const isInstalled = (command: string) => spawnSync('which', [command], { stdio: 'ignore' }).status === 0;

/** The parser, and what each tool may cost at least of it; goaccess only where it is installed. */
export async function parseLogs(mebibytes = 10): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'parse-logs-'));
  const file = join(folder, 'access.log');
  const combined = makeCombinedLog({ bytes: mebibytes * MIB });
  const json = makeJsonLog({ bytes: mebibytes * MIB });
  writeFileSync(file, combined);
  const goaccess = {
    goaccess: run('goaccess', [file, '--log-format=COMBINED', '-o', join(folder, 'report.json')]),
  };
  try {
    const times = measure({
      own: () => parse(combined),
      slices: () => parse(combined, SLICE),
      grep: run('grep', ['-ciE', pattern, file]),
      regex: () => regularExpressionPerLine(combined),
      ...(isInstalled('goaccess') ? goaccess : {}),
      json: () => parse(json),
      'JSON.parse': () => jsonParsePerLine(json),
    });
    const against = (own: string, name: string, opponent: string, other: number, target?: number) =>
      costOf(`parse of ${mebibytes} MiB ${name}`, times.get(own)!, opponent, other, {
        unit: 'ms',
        ...(target !== undefined && { target }),
      });
    const took = times.get('goaccess');
    return [
      against('own', 'combined lines', 'grep -ciE of 26 agents', times.get('grep')!, 2),
      ...(took === undefined ? [] : [against('own', 'combined lines', 'goaccess', took, 0.05)]),
      against('own', 'combined lines', 'a regular expression a line', times.get('regex')!),
      against('slices', 'combined lines in slices of 128 KiB', 'in one piece', times.get('own')!),
      against('json', 'NDJSON', 'JSON.parse of each line', times.get('JSON.parse')!),
      costOf('longest slice of 128 KiB', longestSlice(combined), 'all', times.get('own')!, { unit: 'ms' }),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.filename === process.argv[1]) {
  const [mebibytes] = process.argv.slice(2).map(Number);
  printResults(await parseLogs(mebibytes));
}
