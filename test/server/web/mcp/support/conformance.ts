/** The official conformance suite as a process of its own, which writes what it saw into a folder. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO';
  readonly errorMessage?: string;
}

export interface ConformanceRun {
  /** 0 where those scenarios fail that are expected to, and no others. */
  readonly exitCode: number;
  /** What the suite printed. */
  readonly output: string;
  readonly checks: ReadonlyMap<string, readonly Check[]>;
}

const suite = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));

/** Runs every scenario for servers against the endpoint at `url`. */
export async function runConformance(url: string, expectedFailures: string): Promise<ConformanceRun> {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  try {
    const options = { url, suite: 'all', 'expected-failures': expectedFailures, 'output-dir': folder };
    const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
    const child = spawn(process.execPath, [suite, 'server', ...given]);
    const printed: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => printed.push(chunk));
    const [exitCode] = (await once(child, 'close')) as [number];
    return { exitCode, output: Buffer.concat(printed).toString(), checks: await checksIn(folder) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** One folder per scenario, `server-<scenario>-<time>`, with a file of its checks. */
async function checksIn(folder: string): Promise<Map<string, Check[]>> {
  const checks = new Map<string, Check[]>();
  for (const name of await readdir(folder)) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(name)![1]!;
    checks.set(scenario, JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8')));
  }
  return checks;
}
