import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { engineIds } from '../../src/contract/engines.js';
import type { Read } from '../../src/contract/read.js';
import { type ResourceName, resources } from '../../src/contract/registry.js';
import { addDays } from '../../src/server/base/days.js';
import { call, rpc, STRUCTURED, textOf } from '../server/web/mcp/support/rpc.js';
import { randomDataset } from '../support/reference/generators/dataset.js';
import { randomHistoryDataset } from '../support/reference/generators/history-dataset.js';
import { TODAY } from '../support/reference/generators/seeds.js';
import { type BrandRecord, recordsOf, recordsOfBrand } from '../support/reference/records.js';
import { type TestServer, testServer } from '../support/server.js';
import { toolsWithoutPath } from './support/reads.js';

interface ListedTool {
  readonly name: string;
  readonly inputSchema: object;
  readonly outputSchema: object;
}

/** Choices that every brand allows. */
const slices = [
  { engine: 'chatgpt,gemini' },
  { engine: 'llama', from: '2026-11-01', to: '2026-11-20' },
  { from: '2020-01-01', to: '2020-01-07' },
];

/** Arguments worth asking for, besides the brand. */
const further: Partial<Record<ResourceName, Record<string, unknown>[]>> = {
  overview: [{}, ...slices],
  competitors: [{}, ...slices],
  prompts: [{}, ...slices],
  sources: [{}, ...slices],
  urls: [{}, ...slices],
  answers: [{}, ...slices],
  'metrics/history': [
    { metric: 'visibility' },
    { metric: 'citation_share', days: 7, competitors: true },
    { metric: 'sentiment_index', days: 56, engine: 'chatgpt', competitors: false },
    { metric: 'share_of_voice_fraction', from: '2026-11-01', to: '2026-11-20', engine: 'llama,gemini' },
  ],
  ads: [{}, { days: 28, engine: 'chatgpt' }, { from: '2026-06-01', to: '2026-11-20' }],
  sentiment: [{}, { days: 56 }, { days: 14, engine: engineIds.join(',') }],
  crawlers: [{}, { days: 28 }],
};

describe('rule: a tool returns the body of its REST read', () => {
  let server: TestServer;
  let brands: readonly string[];
  let validators: ReadonlyMap<string, { input: ValidateFunction; output: ValidateFunction }>;

  for (const [title, dataset] of [
    ['core', randomDataset(11, TODAY, { runs: 400 })],
    ['history', randomHistoryDataset(5, TODAY, { runs: 400 })],
  ] as const) {
    describe(`over a random data set (${title})`, () => {
      before(async () => {
        server = await testServer();
        await server.load(dataset);
        brands = [
          ...new Set(
            dataset.filter((each): each is BrandRecord => each.type === 'brand').map(({ id }) => id),
          ),
        ];
        const { result } = await rpc(server, 'tools/list', {}, { headers: STRUCTURED });
        const ajv = new Ajv2020({ strict: true, allErrors: true });
        validators = new Map(
          (result!.tools as ListedTool[]).map(({ name, inputSchema, outputSchema }) => [
            name,
            { input: ajv.compile(inputSchema), output: ajv.compile(outputSchema) },
          ]),
        );
      });
      after(() => server.close());
      beforeEach(() => {
        server.now = new Date(server.now.getTime() + 60_000);
      });

      /** Calls, checks against the tool's schemas, and returns the text. */
      async function checked(tool: string, args: Record<string, unknown>): Promise<string> {
        const { input, output } = validators.get(tool)!;
        expect(input(args), `${tool}: ${JSON.stringify(input.errors)}`).to.equal(true);
        const result = await call(server, tool, args, { headers: STRUCTURED });
        const text = textOf(result);
        const payload = JSON.parse(text);
        if (result.isError) return text;
        expect(result.structuredContent).to.deep.equal(payload);
        expect(output(payload), `${tool}: ${JSON.stringify(output.errors)}`).to.equal(true);
        return text;
      }

      /** Arguments of a read; ids and addresses are those of the brand, and one that it does not have. */
      const argumentsOf = (name: string, brand: string | undefined): readonly Record<string, unknown>[] => {
        const own = <T extends 'run' | 'prompt'>(type: T) =>
          brand === undefined ? recordsOf(dataset, type) : recordsOfBrand(dataset, type, brand);
        switch (name) {
          case 'answer':
            return [
              ...own('run')
                .map(({ id }) => ({ run_id: id }))
                .slice(0, 20),
              { run_id: 'no such run' },
            ];
          case 'url': {
            const cited = own('run').flatMap(({ citations }) => citations.map(({ url }) => url));
            const addresses = [...new Set(cited)].filter((url) => /^https?:/.test(url)).slice(0, 10);
            return [...addresses, 'https://nowhere.example/page'].map((url) => ({ url }));
          }
          case 'effect': {
            const since = addDays(TODAY, -10);
            const ofPrompts = own('prompt').map(({ id }) => ({ prompt: id, since, days: 7 }));
            return [...ofPrompts.slice(0, 5), { mark: 'no such mark' }];
          }
          default:
            return further[name as ResourceName] ?? [{}];
        }
      };

      for (const [name, resource] of Object.entries<Read>(resources))
        it(`${resource.tool} and ${name}`, async () => {
          for (const id of 'brand' in resource.params ? [undefined, ...brands] : [undefined])
            for (const args of argumentsOf(name, id)) {
              const text = await checked(resource.tool, { ...args, ...(id && { brand_id: id }) });
              const given = Object.entries({ ...args, ...(id && { brand: id }) });
              const query = new URLSearchParams(
                given.map(([key, value]): [string, string] => [key, String(value)]),
              );
              const twin = await server.request(`/api/v1/${name}?${query}`);
              const body = await twin.text();
              if (twin.status === 200) expect(text).to.equal(capped(resource, body));
              else expect(JSON.parse(text).error).to.match(/^Unknown (?:(?:brand|run) id|mark|prompt): /);
            }
        });

      it('list_tag_groups and the block of prompts', async () => {
        for (const brand_id of brands) {
          const text = await checked('list_tag_groups', { brand_id });
          const twin = await server.request(`/api/v1/prompts?brand=${brand_id}`);
          const { brand, tag_groups } = (await twin.json()) as Record<string, unknown>;
          if (twin.status === 200) expect(text).to.equal(JSON.stringify({ brand, tag_groups }));
          else expect(JSON.parse(text).error).to.equal(`Unknown brand id: ${brand_id}`);
        }
      });

      for (const tool of toolsWithoutPath)
        it(`${tool} keeps its schema for every brand`, async () => {
          for (const brand_id of brands) {
            const payload = JSON.parse(await checked(tool, { brand_id }));
            expect(payload.brand.id).to.equal(brand_id);
          }
        });
    });
  }

  const capped = ({ rows: pages, mainRows, toolCap }: Read, body: string): string => {
    const rows = pages ?? mainRows?.at[0];
    if (!rows || toolCap === undefined) return body;
    const whole = JSON.parse(body);
    return JSON.stringify({ ...whole, [rows]: whole[rows].slice(0, toolCap) });
  };
});
