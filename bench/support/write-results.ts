/** Writes `bench/results.md` and its chart. */
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import knex from 'knex';
import type { Growth } from '../cold-reads.js';
import { cellsOf, RESULT_HEADS, type Result, verdictOf } from './bench.js';
import { growthChart } from './growth-chart.js';

/** The reads of the chart: those that a target limits. */
const CHARTED = ['overview', 'competitors', 'prompts', 'sources', 'urls', 'answers'];

async function machine(): Promise<string> {
  const db = knex({ client: 'pg', connection: process.env.TEST_DATABASE_URL! });
  const { rows } = await db.raw('show server_version');
  await db.destroy();
  const [cpu] = cpus();
  return [
    `Node ${process.versions.node}, Postgres ${rows[0].server_version}`,
    `${cpus().length} processors (${cpu?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB`,
    new Date().toISOString().slice(0, 10),
  ].join('; ');
}

const row = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

export async function writeResults(results: readonly Result[], growth: Growth): Promise<void> {
  const lines = results.map((each) =>
    cellsOf(each, each.met === false ? `**${verdictOf(each)}**` : verdictOf(each)),
  );
  const grown = growth.reads.map(({ name, ms }) => [name, ...ms.map((each) => each.toFixed(2))]);
  const text = `# Results

${await machine()}. Written by \`npm run bench\`; ratios hold across machines, times do not.

${table(RESULT_HEADS, lines)}

## Growth of reads before they are cached

Milliseconds, the least of rounds in turn, by runs of the brand in 56 days:

${table(['read', ...growth.sizes.map((size) => size.toLocaleString('en'))], grown)}

![Milliseconds of a read before it is cached, by runs of the brand](growth.svg)
`;
  writeFileSync(new URL('../results.md', import.meta.url), text);
  writeFileSync(new URL('../growth.svg', import.meta.url), growthChart(growth, CHARTED));
}
