/**
 * The speed of the log parser, compared with tools that read the same bytes in the same run. Prints medians of interleaved
 * rounds and ratios; absolute times depend on the machine.
 *
 *     node --import=ts-blank-space/register bench/parse-logs.ts [MiB]
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agents } from '../src/logs/agents/registry.js';
import { createLogParser } from '../src/logs/parse.js';
import { makeCombinedLog, makeJsonLog } from './support/make-log.js';

const ROUNDS = 9;
const SLICE = 128 * 1024;
const bytes = Number(process.argv[2] ?? 10) * 1024 * 1024;
const now = new Date('2026-11-21T00:00:00Z');

function parse(log: Buffer, slice = log.length): number {
  let hits = 0;
  const parser = createLogParser({ now, onHit: () => hits++ });
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

function median(times: number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
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
  return new Map([...times].map(([name, all]) => [name, median(all)]));
}

function print(title: string, medians: Map<string, number>): void {
  const [own = 1] = medians.values();
  console.log(`\n${title}`);
  for (const [name, time] of medians)
    console.log(
      `${name.padEnd(34)} ${time.toFixed(1).padStart(8)} ms  ${(time / own).toFixed(2).padStart(6)} x`,
    );
}

const folder = mkdtempSync(join(tmpdir(), 'parse-logs-'));
const file = join(folder, 'access.log');
const combined = makeCombinedLog({ bytes });
const json = makeJsonLog({ bytes });
writeFileSync(file, combined);

const tokens = agents.filter((agent) => agent.token !== null && agent.defaultList).slice(0, 26);
const pattern = tokens.map((agent) => agent.token).join('|');
// A pipe, not /dev/null: there grep stops at its first match.
const run = (command: string, args: string[]) => () =>
  spawnSync(command, args, { stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, LC_ALL: 'C' } });
const isInstalled = (command: string) => spawnSync('which', [command], { stdio: 'ignore' }).status === 0;
const goaccess = {
  goaccess: run('goaccess', [file, '--log-format=COMBINED', '-o', join(folder, 'report.json')]),
};

try {
  const lines = execFileSync('grep', ['-c', '', file]).toString().trim();
  console.log(`${combined.length} bytes, ${lines} lines, ${parse(combined)} hits`);
  print(
    'combined lines',
    measure({
      'this parser, one chunk': () => parse(combined),
      'this parser, slices of 128 KiB': () => parse(combined, SLICE),
      'grep -c GPTBot': run('grep', ['-c', 'GPTBot', file]),
      'grep -ciE of 26 agents': run('grep', ['-ciE', pattern, file]),
      'start of an empty process': run('true', []),
      'a regular expression per line': () => regularExpressionPerLine(combined),
      ...(isInstalled('goaccess') ? goaccess : {}),
    }),
  );
  print(
    'NDJSON',
    measure({ 'this parser': () => parse(json), 'JSON.parse per line alone': () => jsonParsePerLine(json) }),
  );
  console.log(`\nlongest slice ${longestSlice(combined).toFixed(2)} ms`);
} finally {
  rmSync(folder, { recursive: true });
}
