/** Whether what was done helped: against plain formulas over all runs of random panels, and what is refused or unknown. */
import { expect } from 'chai';
import type { Effect } from '../../../../src/contract/reads/effect.js';
import { type Random, randomOf } from '../../../../src/demo/data/random.js';
import { removeMarks } from '../../../../src/server/intake/dataset/marks.js';
import type { Run } from '../../../../src/server/intake/dataset/records/run.js';
import { t95 } from '../../../support/reference/student.js';
import { type TestServer, testServer } from '../../../support/server.js';

const TODAY = '2026-11-20';
const YESTERDAY = '2026-11-19';
const DAY_MS = 86_400_000;
const plus = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
const isIn = ([start, end]: readonly [string, string], day: string) => day >= start && day <= end;

interface Prompt {
  readonly id: string;
  readonly tags: readonly string[];
  readonly active: boolean;
}
interface TestMark {
  readonly id: string;
  readonly day: string;
  readonly tags?: readonly string[];
  readonly prompts?: readonly string[];
  readonly engines?: readonly string[];
  readonly pages?: readonly string[];
}
type TestRun = Pick<Run, 'id' | 'prompt' | 'engine' | 'region' | 'surface' | 'mentions' | 'citations'> & {
  readonly day: string;
};
interface Panel {
  readonly prompts: readonly Prompt[];
  readonly runs: readonly TestRun[];
  readonly marks: readonly TestMark[];
}

const GUIDE = 'https://acme.example/guide';
const SEARCHING = ['chatgpt', 'perplexity', 'claude', 'gemini'];

/** A panel of two to three months; some prompts rest, and one engine is asked for a part of the days only. */
function randomPanel(random: Random): Panel {
  const first = plus(TODAY, -random.integer(50, 95));
  const day = plus(TODAY, -random.integer(9, 30));
  const prompts = Array.from({ length: random.integer(13, 24) }, (_, at) => ({
    id: `p${String(at).padStart(2, '0')}`,
    tags: at % 5 === 0 ? ['treated'] : at % 5 === 1 ? ['other'] : [],
    active: !random.chance(0.1),
  }));
  const engines = ['chatgpt', 'perplexity', ...(random.chance(0.5) ? ['claude'] : []), 'deepseek'];
  const lateFrom = random.chance(0.5) ? plus(day, random.integer(-3, 3)) : null;
  const gain = random.chance(0.5) ? 0.4 : 0;
  const base = prompts.map(() => random.next() * (random.chance(0.2) ? 0.01 : 0.7));
  const runs: TestRun[] = [];
  for (let at = first; at <= TODAY; at = plus(at, 1)) {
    if (random.chance(0.1)) continue;
    for (const [number, prompt] of prompts.entries())
      for (const engine of [...engines, ...(lateFrom !== null && at >= lateFrom ? ['gemini'] : [])]) {
        if (random.chance(0.5)) continue;
        const chance = base[number]! + (prompt.tags.includes('treated') && at > day ? gain : 0);
        runs.push({
          ...{ id: `${at}-${prompt.id}-${engine}`, prompt: prompt.id, engine, day: at },
          region: random.pick(['us', 'de']),
          ...(random.chance(0.9) ? { surface: random.pick(['api', 'ui'] as const) } : {}),
          mentions: random.chance(chance) ? [{ name: 'Acme', order: random.integer(1, 4) }] : [],
          citations: random.chance(0.1) ? [{ url: GUIDE }] : [],
        });
      }
  }
  return {
    prompts,
    runs,
    marks: [
      { id: 'm', day, tags: ['treated'], pages: [GUIDE] },
      { id: 'chosen', day, prompts: ['p02', 'p03', 'p05'], engines: ['chatgpt', 'deepseek'], pages: [GUIDE] },
      { id: 'flag', day: plus(day, -1) },
      ...(random.chance(0.6)
        ? [{ id: 'other', day: plus(day, -random.integer(0, 20)), tags: ['other'] }]
        : []),
    ],
  };
}

const recordsOf = ({ prompts, runs, marks }: Panel): object[] => [
  { type: 'workspace', id: 'w', name: 'W', plan: 'growth' },
  { type: 'brand', id: 'acme', workspace: 'w', name: 'Acme', domain: 'acme.example' },
  ...prompts.map((prompt) => ({ type: 'prompt', brand: 'acme', text: `Question ${prompt.id}?`, ...prompt })),
  ...runs.map(({ day, ...run }) => ({
    type: 'run',
    brand: 'acme',
    ...run,
    collected_at: `${day}T08:00:00Z`,
  })),
  ...marks.map((mark) => ({ type: 'mark', brand: 'acme', text: `Deed ${mark.id}`, ...mark })),
];

// The second implementation: every number from all runs, by the formulas of docs/metrics.md.

interface Asked {
  readonly treatedIds: ReadonlySet<string>;
  readonly mark?: TestMark | undefined;
  readonly day: string;
  readonly days?: number;
  readonly metric?: 'visibility' | 'presence_rate';
  readonly engine?: readonly string[];
  readonly region?: string;
  readonly surface?: string;
}

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
const total = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

interface Row {
  readonly x: number;
  readonly y: number;
  readonly runs: readonly [number, number];
  readonly named: readonly [number, number];
}

function fitted(treated: readonly Row[], control: readonly Row[], scale: number) {
  const [m, n] = [treated.length, control.length];
  const [xs, ys] = [control.map(({ x }) => x), control.map(({ y }) => y)];
  const sxx = total(xs.map((x) => (x - mean(xs)) ** 2));
  const sxy = total(control.map(({ x, y }) => (x - mean(xs)) * (y - mean(ys))));
  const isFlat = sxx < 1e-12;
  const b = isFlat ? 0 : Math.min(1, Math.max(0, sxy / sxx));
  const a = mean(ys) - b * mean(xs);
  const s2 = total(control.map(({ x, y }) => (y - a - b * x) ** 2)) / (n - 2);
  const xT = mean(treated.map(({ x }) => x));
  const predicted = a + b * xT;
  let se2 = s2 * (1 / m + 1 / n + (isFlat ? 0 : (xT - mean(xs)) ** 2 / sxx));
  const sums = [treated, control].map((rows) => ({
    named: total(rows.flatMap((row) => row.named)),
    before: total(rows.map((row) => row.runs[0])),
    after: total(rows.map((row) => row.runs[1])),
  }));
  if (sums.some(({ named }) => named < 5)) {
    const named = total(sums.map((each) => each.named));
    const answers = total(sums.flatMap(({ before, after }) => [before, after]));
    const p = (named + 1) / (answers + 2);
    const least = p * (1 - p) * total(sums.flatMap(({ before, after }) => [1 / before, 1 / after]));
    se2 = Math.max(se2, scale ** 2 * least);
  }
  const effect = mean(treated.map(({ y }) => y)) - predicted;
  const radius = t95(n - 2) * Math.sqrt(se2);
  return { a, b, predicted, effect, interval: [effect - radius, effect + radius], se: Math.sqrt(se2) };
}

function expected(panel: Panel, asked: Asked) {
  const { day, days = 28, metric = 'visibility', mark } = asked;
  const before = [plus(day, -days), plus(day, -1)] as const;
  const end = plus(day, days);
  const after = [plus(day, 1), end < YESTERDAY ? end : YESTERDAY] as const;
  const prior = [plus(day, -2 * days), plus(day, -days - 1)] as const;
  const wanted = (mark?.engines ?? asked.engine ?? SEARCHING).filter(
    (id) => asked.engine?.includes(id) ?? true,
  );
  const askedIn = (window: readonly [string, string], engine: string) =>
    panel.runs.some((run) => run.engine === engine && isIn(window, run.day));
  const engines = wanted.filter((id) => askedIn(before, id) && askedIn(after, id));
  const runs = panel.runs.filter(
    (run) =>
      engines.includes(run.engine) &&
      (asked.region === undefined || run.region === asked.region) &&
      (asked.surface === undefined || run.surface === asked.surface),
  );
  const weight = (run: TestRun) => {
    const order = run.mentions[0]?.order;
    if (order === undefined) return 0;
    return metric === 'visibility' ? 100 / Math.log2(1 + order) : 1;
  };
  const rowOf = (id: string, [first, second]: readonly (readonly [string, string])[]): Row | null => {
    const [old, now] = [first!, second!].map((window) =>
      runs.filter((run) => run.prompt === id && isIn(window, run.day)),
    );
    if (old!.length === 0 || now!.length === 0) return null;
    const named = (of: readonly TestRun[]) => of.filter(({ mentions }) => mentions.length > 0).length;
    return {
      x: mean(old!.map(weight)),
      y: mean(now!.map(weight)),
      runs: [old!.length, now!.length],
      named: [named(old!), named(now!)],
    };
  };
  const present = panel.prompts.filter(({ id, active }) => active && rowOf(id, [before, after]));
  const about = ({ tags, prompts }: TestMark, prompt: Prompt) =>
    prompts?.includes(prompt.id) || prompt.tags.some((tag) => tags?.includes(tag));
  const others = panel.marks.filter((each) => each !== mark && isIn([before[0], after[1]], each.day));
  const treated = present.filter(({ id }) => asked.treatedIds.has(id));
  const rest = present.filter(({ id }) => !asked.treatedIds.has(id));
  const control = rest.filter((prompt) => !others.some((each) => about(each, prompt)));
  const rowsOf = (of: readonly Prompt[], windows: readonly (readonly [string, string])[]) =>
    of.flatMap(({ id }) => rowOf(id, windows) ?? []);
  const groups = [treated, control].map((of) => rowsOf(of, [before, after]));
  const daysIn = (window: readonly [string, string]) =>
    new Set(runs.filter((run) => isIn(window, run.day)).map((run) => run.day)).size;
  const cites = runs.filter((run) => isIn(after, run.day) && run.citations.length > 0);
  const base = {
    windows: [before, after],
    treated: treated.length,
    control: control.length,
    left_out: rest.length - control.length,
    before: groups[0]!.length === 0 ? null : mean(groups[0]!.map(({ x }) => x)),
    after: groups[0]!.length === 0 ? null : mean(groups[0]!.map(({ y }) => y)),
    cited: mark?.pages ? cites.length : null,
    firstCited: mark?.pages ? (cites.map((run) => run.day).sort()[0] ?? null) : null,
  };
  const unknown = (code: string) => ({
    ...base,
    effect: null,
    interval: null,
    verdict: 'unknown',
    code,
    prior: null,
  });
  if (daysIn(before) < 7 || daysIn(after) < 7) return unknown('too_few_days');
  if (control.length < 8) return unknown('too_few_controls');
  if (treated.length === 0) return unknown('no_treated_prompts');
  const scale = metric === 'visibility' ? 100 : 1;
  const { effect, interval } = fitted(groups[0]!, groups[1]!, scale);
  const earlier = [treated, control].map((of) => rowsOf(of, [prior, before]));
  const hasPrior = daysIn(prior) >= 7 && earlier[0]!.length > 0 && earlier[1]!.length >= 8;
  const old = hasPrior ? fitted(earlier[0]!, earlier[1]!, scale) : null;
  const clear = ([low, high]: readonly number[]) =>
    low! > 0 ? 'up' : high! < 0 ? 'down' : 'no_clear_change';
  const moved = old !== null && clear(old.interval) === (effect > 0 ? 'up' : 'down');
  return {
    ...{ ...base, effect, interval, prior: old && [old.effect, ...old.interval] },
    ...(moved ? { verdict: 'unknown', code: 'moved_before' } : { verdict: clear(interval), code: null }),
  };
}

const told = (body: Effect) => ({
  windows: [body.windows.before!, body.windows.after!].map(({ start, end }) => [start, end]),
  treated: body.treated.prompts,
  control: body.control.prompts,
  left_out: body.left_out,
  before: body.treated.before,
  after: body.treated.after,
  cited: body.pages[0]?.answers ?? null,
  firstCited: body.pages[0]?.first_day ?? null,
  effect: body.effect,
  interval: body.interval,
  verdict: body.verdict,
  code: body.reason_code,
  prior: body.prior && [body.prior.effect, ...body.prior.interval],
});

/** Where two values differ; ranks are stored as whole numbers of 10⁻⁹. */
function differences(found: unknown, wanted: unknown, path = ''): string[] {
  if (typeof found === 'number' && typeof wanted === 'number')
    return Math.abs(found - wanted) < 1e-6 ? [] : [`${path}: ${found} instead of ${wanted}`];
  if (found === null || wanted === null || typeof found !== 'object' || typeof wanted !== 'object')
    return found === wanted ? [] : [`${path}: ${found} instead of ${wanted}`];
  return Object.keys({ ...found, ...wanted }).flatMap((name) =>
    differences((found as never)[name], (wanted as never)[name], `${path}.${name}`),
  );
}

describe('whether it helped', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await testServer({ now: new Date(`${TODAY}T12:00:00Z`) });
  });
  afterEach(() => server.close());

  const ask = async (query: string) => {
    server.pass();
    const response = await server.request(`/api/v1/effect?${query}`);
    return {
      status: response.status,
      body: (await response.json()) as Effect & { error?: string; code?: string },
    };
  };

  const verdicts = new Set<string | null>();
  for (const seed of [1, 2, 3, 4, 5, 6])
    it(`is what plain formulas over all runs say: panel ${seed}`, async () => {
      const panel = randomPanel(randomOf('effect', seed));
      await server.load(recordsOf(panel));
      const tagged = new Set(
        panel.prompts.filter(({ tags }) => tags.includes('treated')).map(({ id }) => id),
      );
      const [mark, chosen] = panel.marks as [TestMark, TestMark];
      const day = mark.day;
      const own = { treatedIds: tagged, mark, day };
      const questions: readonly [string, Asked][] = [
        ['mark=m', own],
        ['mark=m&days=7', { ...own, days: 7 }],
        ['mark=m&days=14&metric=presence_rate', { ...own, days: 14, metric: 'presence_rate' }],
        ['mark=m&engine=chatgpt,llama', { ...own, engine: ['chatgpt', 'llama'] }],
        ['mark=m&region=us&metric=presence_rate', { ...own, region: 'us', metric: 'presence_rate' }],
        ['mark=m&surface=ui', { ...own, surface: 'ui' }],
        ['mark=chosen', { treatedIds: new Set(chosen.prompts), mark: chosen, day }],
        [
          'mark=chosen&engine=chatgpt',
          { treatedIds: new Set(chosen.prompts), mark: chosen, day, engine: ['chatgpt'] },
        ],
        [`since=${plus(day, -2)}&tag=treated`, { treatedIds: tagged, day: plus(day, -2) }],
        [`since=${day}&prompt=p00,p02`, { treatedIds: new Set(['p00', 'p02']), day }],
      ];
      for (const [query, asked] of questions) {
        const { status, body } = await ask(query);
        expect(status, query).to.equal(200);
        expect(differences(told(body), expected(panel, asked)), query).to.deep.equal([]);
        verdicts.add(body.reason_code ?? body.verdict);
      }
    }).timeout(60_000);

  it('these panels have effects, none and reasons', () => {
    expect([...verdicts]).to.include.members(['up', 'no_clear_change', 'too_few_controls', 'too_few_days']);
  });

  // What is refused, unknown, and gone.

  const MARK_DAY = '2026-11-01';
  const plain = (more: Partial<Panel> = {}): Panel => ({
    prompts: Array.from({ length: 12 }, (_, at) => ({
      id: `p${at}`,
      tags: at < 3 ? ['treated'] : [],
      active: true,
    })),
    runs: Array.from({ length: 40 }, (_, at) => plus(TODAY, -at)).flatMap((day) =>
      Array.from({ length: 12 }, (_, at) => ({
        ...{ id: `${day}-p${at}`, prompt: `p${at}`, engine: 'chatgpt', region: 'us', day },
        surface: 'api' as const,
        mentions: (Date.parse(day) / DAY_MS + at) % (2 + (at % 3)) === 0 ? [{ name: 'Acme', order: 1 }] : [],
        citations: [],
      })),
    ),
    marks: [{ id: 'm', day: MARK_DAY, tags: ['treated'] }],
    ...more,
  });

  it('refuses parameters that do not go together, with what fits', async () => {
    await server.load(recordsOf(plain()));
    for (const [query, status, code, message] of [
      ['mark=nobody', 404, 'unknown_mark', /nobody/],
      ['mark=%00', 404, 'unknown_mark', /mark/],
      ['mark=m&since=2026-11-01', 400, 'effect_of_what', /mark was given together with since/],
      ['mark=m&tag=treated', 400, 'effect_of_what', /together with tag/],
      ['mark=m&plan=true', 400, 'effect_of_what', /together with plan/],
      ['since=2026-11-01&tag=treated&prompt=p1', 400, 'effect_of_what', /prompt and tag were given together/],
      ['since=2026-11-01', 400, 'effect_of_what', /since was given without/],
      ['plan=true', 400, 'effect_of_what', /plan was given without/],
      ['tag=treated', 400, 'effect_of_what', /tag was given without since/],
      ['', 400, 'effect_of_what', /Nothing was given/],
      [`since=${TODAY}&tag=treated`, 400, 'since_too_late', /2026-11-19/],
      ['mark=m&until=2027-01-01', 400, 'since_too_late', /2026-11-19/],
      ['mark=m&days=3', 400, 'invalid_integer', /7 to 56/],
      ['mark=m&metric=sentiment_index', 400, 'invalid_choice', /visibility, presence_rate/],
      ['since=2026-11-01&tag=nothing', 400, 'unknown_tag', /nothing/],
    ] as const) {
      const { status: found, body } = await ask(query);
      expect([found, body.code], query).to.deep.equal([status, code]);
      expect(body.error, query).to.match(message);
    }
  });

  it('says as data and in words why it is unknown, and shows what is known', async () => {
    const panel = plain();
    await server.load(recordsOf(panel));
    const soon = plus(TODAY, -4);
    const few = (await ask(`since=${soon}&tag=treated`)).body;
    expect([few.reason_code, few.verdict, few.effect, few.prior, few.detectable]).to.deep.equal([
      ...['too_few_days', 'unknown', null, null, null],
    ]);
    expect(few.reason_fact).to.deep.equal({
      ...{ code: 'too_few_days', measured: 3, measured_before: 28, least: 7 },
    });
    expect(few.reason).to.match(/^Measured on 3 days of this window and 28 of the one before;/);
    expect(few.treated).to.include({ prompts: 3 }).and.to.have.property('before').that.is.a('number');
    await server.load([
      { type: 'mark', brand: 'acme', id: 'all', day: plus(MARK_DAY, 2), text: 'x', prompts: ['p5', 'p6'] },
    ]);
    const controls = (await ask('mark=m')).body;
    expect([controls.reason_code, controls.left_out, controls.control.prompts]).to.deep.equal([
      'too_few_controls',
      2,
      7,
    ]);
    await server.load([
      { type: 'mark', brand: 'acme', id: 'all', day: plus(MARK_DAY, 2), text: 'only a flag' },
    ]);
    expect((await ask('mark=all')).body.reason_code).to.equal('no_treated_prompts');
    expect((await ask('mark=m')).body).to.include({ left_out: 0, reason_code: null });
    const moved = panel.runs.filter(({ day, prompt }) => day > MARK_DAY && prompt === 'p0');
    await server.load(recordsOf({ ...panel, runs: moved.map((run) => ({ ...run, surface: 'ui' })) }));
    const mixed = (await ask('mark=m')).body;
    expect([mixed.reason_code, mixed.effect, mixed.interval]).to.deep.equal(['surfaces_moved', null, null]);
  });

  it('tells before anything is done what could be seen, where windows exist', async () => {
    await server.load(recordsOf(plain()));
    const { plan, effect, verdict, since, windows } = (await ask('plan=true&tag=treated')).body;
    expect(plan!.detectable.map(({ days, value }) => [days, value === null])).to.deep.equal([
      ...[
        [7, false],
        [14, false],
        [28, true],
        [56, true],
      ],
    ]);
    expect([effect, verdict, since, windows]).to.deep.equal([
      null,
      'unknown',
      null,
      { before: null, after: null },
    ]);
  });

  it('is of a mark under its id, whatever of it is edited, and no longer of one that is removed', async () => {
    await server.load(recordsOf(plain()));
    const edited = {
      type: 'mark',
      brand: 'acme',
      id: 'm',
      day: '2026-11-03',
      text: 'Another text',
      prompts: ['p4'],
    };
    await server.load([edited]);
    const { mark, since, prompts } = (await ask('mark=m')).body;
    expect([mark!.text, mark!.tags, since, prompts.map(({ id }) => id)]).to.deep.equal([
      'Another text',
      null,
      '2026-11-03',
      ['p4'],
    ]);
    server.pass();
    const { circumstances } = await server.read<{ circumstances: { kind: string; text: string }[] }>(
      '/api/v1/why?from=2026-11-01&to=2026-11-07',
    );
    expect(circumstances.filter(({ kind }) => kind === 'mark').map(({ text }) => text)).to.deep.equal([
      'Marked on 2026-11-03: Another text',
    ]);
    expect(await removeMarks(server.database.knex, 'acme', ['m', 'x'])).to.deep.equal(['m']);
    server.pass();
    expect((await server.read<{ marks: object[] }>('/api/v1/marks')).marks).to.deep.equal([]);
    expect((await ask('mark=m')).status).to.equal(404);
    server.pass();
    const later = await server.read<{ circumstances: { kind: string }[] }>(
      '/api/v1/why?from=2026-11-01&to=2026-11-07',
    );
    expect(later.circumstances.filter(({ kind }) => kind === 'mark')).to.deep.equal([]);
  });

  it('refuses marks about prompts and topics that do not exist, and about two kinds of things', async () => {
    const bad = (more: object) => ({
      type: 'mark',
      brand: 'acme',
      id: 'x',
      day: MARK_DAY,
      text: 'x',
      ...more,
    });
    await server.load(recordsOf(plain()));
    for (const [mark, message] of [
      [bad({ prompts: ['p1', 'gone'] }), /line 1: prompts: expected ids of prompts .* got gone/],
      [bad({ topics: ['gone'] }), /line 1: topics: expected ids of topics .* got gone/],
      [bad({ prompts: ['p1'], tags: ['treated'] }), /expected one of prompts, topics, tags at most/],
      [bad({ tags: [] }), /tags: expected one entry at least/],
      [bad({ pages: ['guide'] }), /pages\[0\]: expected the address of a page/],
      [bad({ day: '2026-02-30' }), /day: expected a date that exists/],
      [bad({ engines: ['bing'] }), /engines\[0\]: expected one of/],
      [bad({ text: ' ' }), /text: expected text that is not blank/],
    ] as const) {
      const failure = await server.load([mark]).catch((error: Error) => error);
      expect((failure as Error).message).to.match(message);
    }
  });
});
