/** Rule: a number that stands for answers is the number of answers that the filters of `answers` list. */
import { expect } from 'chai';
import { blendedEngineIds } from '../../src/contract/engines.js';
import type { Briefing } from '../../src/contract/reads/briefing.js';
import type { AbsentPrompt, PromptWithinReach, SourceGap } from '../../src/contract/reads/gaps.js';
import type { Source } from '../../src/contract/reads/sources.js';
import type { CitedPage } from '../../src/contract/reads/url.js';
import type { CitedUrl } from '../../src/contract/reads/urls.js';
import type { Why } from '../../src/contract/reads/why.js';
import { demoBrandId } from '../../src/demo/data/index.js';
import { demoServer } from '../support/demo-server.js';
import { shared } from '../support/hooks.js';

type Params = Readonly<Record<string, string>>;

/** A number of a row, or only whether it has answers, and the parameters of `answers` that list these. */
interface Counted {
  readonly of: string;
  readonly number: number | 'some' | 'none';
  readonly params: Params;
}

interface Case {
  readonly read: string;
  readonly params?: Params;
  readonly numbers: (body: never, rivals: string) => readonly Counted[];
}

/** Only so many rows of each list are checked, because each costs requests. */
const ROWS = 4;
/** Without an engine filter these reads are of the engines with web search, and `answers` is of all. */
const BLENDED = blendedEngineIds.join();

const cases: readonly Case[] = [
  {
    read: 'sources',
    numbers: ({ sources }: { sources: Source[] }) =>
      [...sources.slice(0, ROWS), ...sources.slice(-ROWS)].map(({ domain, brand_present }) => ({
        of: `${domain} brand_present`,
        number: brand_present ? 'some' : 'none',
        params: { cites: `=${domain}`, names: demoBrandId },
      })),
  },
  {
    read: 'urls',
    numbers: ({ urls }: { urls: CitedUrl[] }) =>
      [...urls.slice(0, ROWS), ...urls.slice(-ROWS)].map(({ url, answers }) => ({
        ...{ of: url, number: answers, params: { cites: url } },
      })),
  },
  {
    read: 'gaps',
    params: { kind: 'sources' },
    numbers: ({ gaps }: { gaps: SourceGap[] }, rivals) =>
      gaps.slice(0, ROWS).flatMap(({ domain, answers, own_answers, rivals: named }) => {
        const cites = `=${domain}`;
        return [
          {
            of: `${domain} answers`,
            number: answers,
            params: { cites, names: rivals, without: demoBrandId },
          },
          { of: `${domain} own_answers`, number: own_answers, params: { cites, names: demoBrandId } },
          ...named.slice(0, 2).map((rival) => ({
            of: `${domain} ${rival.id}`,
            number: rival.answers,
            params: { cites, names: rival.id, without: demoBrandId },
          })),
        ];
      }),
  },
  {
    read: 'gaps',
    params: { kind: 'within_reach' },
    numbers: ({ gaps }: { gaps: PromptWithinReach[] }) =>
      gaps.slice(0, ROWS).flatMap(({ prompt_id: prompt, runs, present_runs }) => [
        { of: `${prompt} runs`, number: runs, params: { prompt } },
        { of: `${prompt} present_runs`, number: present_runs, params: { prompt, names: demoBrandId } },
      ]),
  },
  {
    read: 'gaps',
    params: { kind: 'absent' },
    numbers: ({ gaps }: { gaps: AbsentPrompt[] }, rivals) =>
      gaps.slice(0, ROWS).flatMap(({ prompt_id: prompt, runs, winner, cited }) => [
        { of: `${prompt} runs`, number: runs, params: { prompt } },
        { of: `${prompt} without the brand`, number: runs, params: { prompt, without: demoBrandId } },
        { of: `${prompt} winner`, number: winner.answers, params: { prompt, names: winner.id } },
        ...cited.map(({ domain, answers }) => ({
          of: `${prompt} ${domain}`,
          number: answers,
          params: { prompt, cites: `=${domain}`, names: rivals },
        })),
      ]),
  },
];

interface Answers {
  total: number | null;
  answers: { id: string }[];
}

describe('rule: a number that stands for answers is the number of answers that its filters list', () => {
  const server = shared(demoServer);
  const read = <Body>(name: string, params: Params = {}): Promise<Body> => {
    server.pass();
    return server.read<Body>(`/api/v1/${name}?${new URLSearchParams({ brand: demoBrandId, ...params })}`);
  };
  const list = (params: Params) => read<Answers>('answers', { engine: BLENDED, ...params });
  const rivals = async () => {
    const { competitors } = await read<{ competitors: { id: string; is_brand: boolean }[] }>('competitors');
    return competitors
      .filter(({ is_brand }) => !is_brand)
      .map(({ id }) => id)
      .join();
  };

  async function expectCounted(counted: readonly Counted[], slice: Params = {}): Promise<void> {
    expect(counted).not.to.deep.equal([]);
    for (const { of, number, params } of counted) {
      const { total } = await list({ ...slice, ...params });
      const found = typeof number === 'number' ? total : total! > 0 ? 'some' : 'none';
      expect(found, `${of} ${JSON.stringify({ ...slice, ...params })}`).to.equal(number);
    }
  }

  for (const { read: name, params = {}, numbers } of cases)
    for (const slice of [{}, { engine: 'chatgpt,perplexity', days: '3' }])
      it(`${[name, ...Object.values(params), ...Object.values(slice)].join(' ')}`, async () => {
        const body = await read<never>(name, { ...params, ...slice });
        await expectCounted(numbers(body, await rivals()), slice);
      });

  it('url: all answers, those of each prompt and engine, and those that name each company', async () => {
    const { urls } = await read<{ urls: CitedUrl[] }>('urls');
    for (const { url: cites } of [urls[0]!, urls.at(-1)!]) {
      const { answers, run_count, prompts, engines, names } = await read<CitedPage>('url', { url: cites });
      await expectCounted([
        { of: 'answers', number: answers!, params: { cites } },
        { of: 'run_count', number: run_count, params: {} },
        ...prompts.slice(0, ROWS).flatMap(({ prompt_id: prompt, ...row }) => [
          { of: prompt, number: row.answers, params: { cites, prompt } },
          { of: `all of ${prompt}`, number: row.run_count, params: { prompt } },
        ]),
        ...engines.flatMap(({ engine, ...row }) => [
          { of: engine, number: row.answers, params: { cites, engine } },
          { of: `all of ${engine}`, number: row.run_count, params: { engine } },
        ]),
        ...names.map((row) => ({ of: row.id, number: row.answers, params: { cites, names: row.id } })),
      ]);
    }
  });

  const filterOf = {
    prompt: (id: string, _: Why) => ({ prompt: id }),
    engine: (id: string, _: Why) => ({ engine: id }),
    region: (id: string, _: Why) => ({ region: id }),
    rival: (id: string, _: Why) => ({ names: id }),
    // The pages of the brand are one driver, whose id is that of the brand.
    domain: (id: string, { brand }: Why) => ({ cites: id === brand.id ? brand.domain : `=${id}` }),
  } as const;

  for (const [by, filter] of Object.entries(filterOf))
    it(`why by ${by}: the evidence is among the answers of the driver, in each window`, async () => {
      const metric =
        by === 'rival' ? 'share_of_voice_fraction' : by === 'domain' ? 'citation_share' : 'visibility';
      const body = await read<Why>('why', { metric, by, limit: '5' });
      const { drivers, window, previous_window } = body;
      const shown = drivers.filter(({ id }) => id !== null);
      expect(shown).not.to.deep.equal([]);
      for (const { id, evidence } of shown)
        for (const [{ start: from, end: to }, ids] of [
          [window, evidence.after],
          [previous_window, evidence.before],
        ] as const) {
          const { answers } = await list({ from, to, ...filter(id!, body) });
          const newest = answers.slice(0, ids.length).map((each) => each.id);
          expect(newest, `${by} ${id} ${from}`).to.deep.equal(ids);
        }
    });

  it('needs: what they lead to has what they count', async () => {
    const { needs } = await read<Briefing>('briefing');
    expect(needs).not.to.deep.equal([]);
    for (const { kind, facts, worth, lead } of needs) {
      const given = Object.entries(lead.params).filter((each): each is [string, string] => each[1] !== null);
      const body = await read<Record<string, never>>(lead.read, Object.fromEntries(given));
      if (lead.read === 'answers') expect((body as unknown as Answers).total, kind).to.equal(worth);
      if (kind === 'never_named_prompts') {
        const rows = (body as unknown as { prompts: { presence_rate: number | null }[] }).prompts;
        expect(rows.filter(({ presence_rate }) => presence_rate === 0).length, kind).to.equal(facts.count);
      }
      if (kind === 'within_reach')
        expect((body.gaps as unknown as unknown[]).length, kind).to.equal(facts.count);
      if (kind === 'source_to_win') {
        const [first] = body.gaps as unknown as SourceGap[];
        expect([first!.domain, first!.answers], kind).to.deep.equal([facts.subject, facts.count]);
      }
    }
  });
});
