import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { buildSync } from 'esbuild';
import { KEY, reply, type Script, startServer } from './support/server.js';

const root = new URL('../../', import.meta.url);
const examples = ['read-overview.mjs', 'every-prompt.mjs', 'metric-history.mjs', 'call-tools.mjs'];
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

/** The examples as bundles of the SDK’s source, so that no build is needed. */
let built: string;

/** The output of an example that runs with its own server. */
async function run(example: string, script?: Script): Promise<{ code: number | null; output: string }> {
  const server = await startServer({ rows: 450, ...(script && { script }) });
  const env = { ...process.env, SVC_URL: server.url, SVC_API_KEY: KEY };
  try {
    const child = spawn(process.execPath, [join(built, example)], { env });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    return { code, output };
  } finally {
    await server.close();
  }
}

describe('the examples', () => {
  before(() => {
    built = mkdtempSync(join(tmpdir(), 'svc-examples-'));
    buildSync({
      entryPoints: examples.map((name) => fileURLToPath(new URL(`examples/${name}`, root))),
      outdir: built,
      bundle: true,
      platform: 'node',
      format: 'esm',
      alias: { 'answer-visibility': fileURLToPath(new URL('src/sdk/index.ts', root)) },
      outExtension: { '.js': '.mjs' },
    });
  });
  after(() => rmSync(built, { recursive: true, force: true }));

  it('read-overview prints the scorecard and the data of the response headers', async () => {
    const { code, output } = await run('read-overview.mjs');
    expect(output).to.match(
      /^Acme: visibility 41.3 of 100, from 168 answers\n20 sources, API \S+, 11\d requests left\n$/,
    );
    expect(code).to.equal(0);
  });

  it('every-prompt prints the prompts without the brand, from all pages', async () => {
    const { code, output } = await run('every-prompt.mjs');
    const lines = output.trim().split('\n');
    expect(lines.filter((line) => line.startsWith('Question'))).to.have.length(150);
    expect(lines.slice(-3)).to.deep.equal([
      'First page: 50 prompts, next_cursor 50',
      '450 answers',
      '450 brands',
    ]);
    expect(code).to.equal(0);
  });

  it('metric-history prints values, and the reason for days without one', async () => {
    const points = [
      { date: '2026-11-18', value: 0, sample_size: 9 },
      { date: '2026-11-19', value: null, sample_size: 9 },
      { date: '2026-11-20', value: null, sample_size: 0 },
    ];
    let asked = '';
    const { code, output } = await run('metric-history.mjs', (response, request) => {
      asked = request.url!;
      reply(response, 200, { series: [{ points }] });
    });
    expect(output).to.equal('2026-11-18 0\n2026-11-19 unmeasurable\n2026-11-20 not_collected\n');
    expect(asked).to.equal('/api/v1/metrics/history?metric=visibility&days=28&engine=chatgpt%2Cperplexity');
    expect(code).to.equal(0);
  });

  it('call-tools prints the payloads of tools, and the message of one that refuses', async () => {
    const text = (value: object) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });
    const fanouts = [
      { query: 'best stand mixer', runs: 4, volume: 880 },
      { query: 'stand mixer noise', runs: 1, volume: null },
    ];
    const results = [
      { tools: [{ name: 'list_brands' }, { name: 'get_overview' }] },
      text({ fanouts }),
      { ...text({ error: 'Unknown brand id: nobody' }), isError: true },
    ];
    const { code, output } = await run('call-tools.mjs', (response, _, index) =>
      reply(response, 200, { jsonrpc: '2.0', id: 1, result: results[index] }),
    );
    expect(output.split('\n')).to.deep.equal([
      '2 tools, the first is list_brands',
      'best stand mixer 4 880',
      'stand mixer noise 1 not measured',
      'get_site_health: Unknown brand id: nobody',
      '',
    ]);
    expect(code).to.equal(0);
  });

  it('contain every snippet of docs/sdk.md', () => {
    const present = readdirSync(new URL('examples/', root));
    expect(present).to.include.members(examples);
    // In the clone the package is `answer-visibility`, whose SDK is the same.
    const sources = examples.map((name) =>
      read(`examples/${name}`).replace("'answer-visibility'", "'answer-visibility-sdk'"),
    );
    const snippets = [...read('docs/sdk.md').matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code!);
    expect(snippets).to.have.length.above(2);
    for (const snippet of snippets) {
      expect(
        sources.some((source) => source.includes(snippet)),
        snippet,
      ).to.equal(true);
    }
  });
});
