/** A planted cause is told first, and noise is told as noise. */
import { expect } from 'chai';
import { engineIds } from '../../../../src/contract/engines.js';
import type { Why } from '../../../../src/contract/reads/why.js';
import { becauseOf } from '../../../../src/contract/waterfall.js';
import { randomOf } from '../../../../src/demo/data/random.js';
import { addDays } from '../../../../src/server/base/days.js';
import { shared } from '../../../support/hooks.js';
import type { DatasetRecord, RunRecord } from '../../../support/reference/records.js';
import { testServer } from '../../../support/server.js';

const TODAY = '2026-11-20';
const NOW = new Date(`${TODAY}T12:00:00Z`);
const PROMPTS = Array.from({ length: 12 }, (_, at) => `p${String(at).padStart(2, '0')}`);
const ENGINES = engineIds.slice(0, 5);
const RIVALS = ['Rival A', 'Rival B', 'Rival C'];

interface Asked {
  readonly prompt: string;
  readonly engine: string;
  readonly isNow: boolean;
}

/** What of a market is not steady; each number is a probability. */
interface Plan {
  readonly brand?: (asked: Asked) => number;
  readonly rival?: (name: string, isNow: boolean) => number;
  /** Pages of the brand that an answer cites. */
  readonly pages?: (isNow: boolean) => readonly string[];
  readonly prompts?: (isNow: boolean) => readonly string[];
  /** The surface of an answer, drawn by a number from 0 to 1. */
  readonly surface?: (isNow: boolean, draw: number) => RunRecord['surface'];
  readonly brandOn?: (surface: RunRecord['surface']) => number;
  readonly model?: (asked: Asked, day: string) => string;
  readonly fanouts?: (isNow: boolean) => string[];
}

function market(name: string, plan: Plan): DatasetRecord[] {
  const { next } = randomOf(name);
  const id = name.replaceAll(' ', '-');
  const records: DatasetRecord[] = [
    { type: 'brand', id, workspace: 'w', name: 'Acme', domain: 'acme.example' },
    ...RIVALS.map(
      (rival): DatasetRecord => ({ type: 'competitor', id: `${id}.${rival.at(-1)}`, brand: id, name: rival }),
    ),
    { type: 'topic', id: `${id}.t`, brand: id, name: 'Topic' },
  ];
  for (const prompt of [...PROMPTS, 'n0', 'n1', 'n2', 'n3'])
    records.push({
      type: 'prompt',
      id: prompt,
      brand: id,
      text: `${prompt}?`,
      tags: ['all', prompt < 'p06' ? 'a' : 'b'],
    });
  for (let back = 13; back >= 0; back -= 1) {
    const isNow = back < 7;
    const day = addDays(TODAY, -back);
    for (const prompt of plan.prompts?.(isNow) ?? PROMPTS)
      for (const engine of ENGINES) {
        const asked = { prompt, engine, isNow };
        const surface = plan.surface?.(isNow, next()) ?? null;
        const chance = plan.brandOn?.(surface) ?? plan.brand?.(asked) ?? 0.5;
        const names = [
          ...(next() < chance ? ['Acme'] : []),
          ...RIVALS.filter((rival) => next() < (plan.rival?.(rival, isNow) ?? 0.4)),
        ];
        const pages = plan.pages?.(isNow) ?? ['https://acme.example/a'];
        const urls = [
          ...pages.filter(() => next() < 0.6),
          ...['https://one.example/', 'https://two.example/'].filter(() => next() < 0.8),
        ];
        records.push({
          ...{ type: 'run', id: `${id}.${day}.${prompt}.${engine}`, brand: id, prompt, engine, surface },
          ...{ region: 'us', collected_at: `${day}T08:00:00Z`, model: plan.model?.(asked, day) ?? 'm1' },
          mentions: names.map((each, at) => ({ name: each, order: at + 1 })),
          citations: urls.map((url) => ({ url })),
          fanouts: plan.fanouts?.(isNow) ?? [],
        });
      }
  }
  return records;
}

const plans = {
  'nothing but noise': {},
  'a prompt': { brand: ({ prompt, isNow }) => (prompt === 'p03' && isNow ? 0.02 : 0.6) },
  'an engine': { brand: ({ engine, isNow }) => (engine === ENGINES[2] && isNow ? 0.02 : 0.8) },
  'a rival': { rival: (name, isNow) => (name === 'Rival B' && isNow ? 0.95 : 0.3) },
  'a lost page': {
    pages: (isNow) => ['https://acme.example/kept', ...(isNow ? [] : ['https://acme.example/lost'])],
  },
  'a new panel': {
    brand: ({ prompt }) => (prompt.startsWith('n') ? 0.02 : 0.6),
    prompts: (isNow) => (isNow ? [...PROMPTS, 'n0', 'n1', 'n2', 'n3'] : PROMPTS),
  },
  'another panel': { prompts: (isNow) => (isNow ? PROMPTS.slice(6) : PROMPTS.slice(0, 6)) },
  'a mix of surfaces': {
    surface: (isNow, draw) => (draw < (isNow ? 0.8 : 0.2) ? 'api' : 'ui'),
    brandOn: (surface) => (surface === 'api' ? 0.2 : 0.8),
    model: ({ engine }, day) => (engine === 'chatgpt' && day >= '2026-11-17' ? 'm2' : 'm1'),
    fanouts: (isNow) => [isNow ? 'best crm now' : 'best crm then'],
  },
} as const satisfies Record<string, Plan>;
type PlanName = keyof typeof plans;

describe('a cause', () => {
  let key: string;
  const server = shared(() => testServer({ now: NOW }));
  before(async () => {
    await server.load([
      { type: 'workspace', id: 'w', name: 'W', plan: 'growth' },
      ...Object.entries(plans).flatMap(([name, plan]) => market(name, plan)),
    ]);
    key = await server.key({ workspace: 'w', kind: 'read' });
  });

  async function request(of: PlanName, query: string) {
    server.now = new Date(server.now.getTime() + 500);
    return server.request(`/api/v1/why?brand=${of.replaceAll(' ', '-')}&${query}`, key);
  }
  const ask = async (of: PlanName, query = ''): Promise<Why> =>
    (await (await request(of, query)).json()) as Why;
  const first = ({ drivers }: Why) => ({ id: drivers[0]!.id, verdict: drivers[0]!.verdict });

  it('that is a prompt is the first driver, with answers before and after', async () => {
    const why = await ask('a prompt');
    expect(first(why)).to.deep.equal({ id: 'p03', verdict: 'down' });
    const [driver, ...others] = why.drivers;
    expect(others.filter(({ verdict }) => verdict === 'down')).to.deep.equal([]);
    expect(driver!.evidence.after.map((id) => id.includes('.2026-11-20.p03.'))).to.deep.equal([
      true,
      true,
      true,
    ]);
    expect(driver!.evidence.before.map((id) => id.includes('.2026-11-13.p03.'))).to.deep.equal([
      true,
      true,
      true,
    ]);
  });

  it('that is a prompt of a tag leads to answers to the three prompts of the tag that changed the most', async () => {
    const { drivers: prompts } = await ask('a prompt', 'by=prompt&limit=50');
    const changed = prompts.filter(({ id }) => id! < 'p06').slice(0, 3);
    expect(changed[0]!.id).to.equal('p03');
    const { drivers: tags } = await ask('a prompt', 'by=tag');
    const { before, after } = tags.find(({ id }) => id === 'a')!.evidence;
    expect([before.length, after.length]).to.deep.equal([3, 3]);
    const asked = [...before, ...after].map((id) => id.split('.')[2]!);
    expect(changed.map(({ id }) => id!)).to.include.members(asked);
  });

  it('that is an engine is the first driver by engine', async () => {
    const why = await ask('an engine', 'by=engine&metric=presence_rate');
    expect(why.verdict).to.equal('down');
    expect(first(why)).to.deep.equal({ id: ENGINES[2], verdict: 'down' });
    expect(why.drivers[0]!.total / why.difference!).to.be.greaterThan(0.7);
  });

  it('that is a rival is the first driver of the share of voice, and the change is not own', async () => {
    const why = await ask('a rival', 'by=rival&metric=share_of_voice_fraction');
    expect(first(why)).to.deep.equal({ id: 'a-rival.B', verdict: 'down' });
    expect(why.parts!.others! / why.difference!).to.be.greaterThan(0.6);
    const named = await ask('a rival', 'by=rival&metric=share_of_voice_fraction&limit=1');
    expect(named.rest.count).to.equal(3);
    expect(named.drivers[0]!.total + named.rest.total!).to.be.closeTo(why.difference!, 1e-9);
    expect(why.circumstances.map(({ kind }) => kind)).to.deep.equal(['brands_named']);
  });

  it('that is a lost page is the first driver by page', async () => {
    const why = await ask('a lost page', 'by=page&metric=citation_share');
    expect(first(why)).to.deep.equal({ id: 'https://acme.example/lost', verdict: 'down' });
    expect(why.drivers[0]).to.include({ after: 0 });
    expect(why.drivers[0]!.evidence.after).to.deep.equal([]);
    expect(why.drivers[0]!.evidence.before).to.have.length(3);
    const byDomain = await ask('a lost page', 'by=domain&metric=citation_share');
    expect(first(byDomain)).to.deep.equal({ id: 'a-lost-page', verdict: 'down' });
  });

  it('that is a new panel is a panel part, and the note says so', async () => {
    const why = await ask('a new panel');
    expect(why.verdict).to.equal('down');
    expect(why.parts!.panel! / why.difference!).to.be.greaterThan(0.6);
    expect(why.drivers.slice(0, 4).map(({ kind }) => kind)).to.deep.equal(['new', 'new', 'new', 'new']);
    expect(why.note).to.equal(
      'Most of the change is because of which prompts were asked and how often, and not because their answers changed.',
    );
  });

  it('that is a mix of surfaces is a mix part, with the surfaces, models and searches beside it', async () => {
    const why = await ask('a mix of surfaces', 'by=surface&metric=presence_rate');
    expect(why.parts!.mix! / why.difference!).to.be.greaterThan(0.8);
    expect(why.circumstances.map(({ kind, subject }) => [kind, subject])).to.deep.equal([
      ['model', 'm2'],
      ['surface', 'api'],
      ['surface', 'ui'],
      ['new_search', 'best crm now'],
      ['ended_search', 'best crm then'],
      ['brands_named', ''],
    ]);
    expect(why.circumstances[0]!.text).to.equal('ChatGPT answers with m2 since 2026-11-17.');
    expect(why.circumstances[1]!.text).to.match(
      /^\d+ % of the answers are of the surface API, \d+ % before\.$/,
    );
  });

  it('is told by the cut in which it is one part, if the request names none', async () => {
    const told = async (of: PlanName, query = '') => {
      const { by, drivers, difference, verdict, parts } = await ask(of, query);
      expect(verdict, of).to.be.oneOf(['up', 'down']);
      expect(drivers[0]!.total * difference!, of).to.be.greaterThan(0);
      return { by, because: becauseOf({ metric: 'visibility', drivers, difference, verdict, parts }) };
    };
    expect((await told('a prompt', 'metric=presence_rate')).by).to.equal('prompt');
    const engine = await told('an engine', 'metric=presence_rate');
    expect(engine.by).to.equal('engine');
    expect(engine.because).to.match(/^Because of AI Mode \(/);
    const rival = await told('a rival', 'metric=share_of_voice_fraction');
    expect(rival.by).to.equal('rival');
    expect(rival.because).to.match(/^Because of Rival B \(/);
    const page = await told('a lost page', 'metric=citation_share');
    expect(page.by).to.equal('page');
    expect(page.because).to.match(/^Because of https:\/\/acme\.example\/lost \(/);
    const panel = await told('a new panel');
    expect(panel.by).to.equal('prompt');
    expect(panel.because).to.match(/^Because of n\d\? \(new, /);
    const surfaces = await ask('a mix of surfaces', 'metric=presence_rate');
    expect([surfaces.by, surfaces.verdict]).to.deep.equal(['surface', 'unknown']);
    expect(surfaces.reason).to.match(/^The surfaces changed: /);
    expect(Math.abs(surfaces.parts!.mix!)).to.be.greaterThan(Math.abs(surfaces.parts!.rate!));
    const others = await ask('a mix of surfaces', 'metric=presence_rate&by=engine');
    expect(new Set(others.drivers.map(({ verdict }) => verdict))).to.deep.equal(new Set(['unknown']));
  });

  it('is looked for by prompt where the change may be chance, and nothing is named', async () => {
    for (const metric of ['visibility', 'presence_rate', 'share_of_voice_fraction', 'citation_share']) {
      const why = await ask('nothing but noise', `metric=${metric}`);
      expect([why.by, why.verdict], metric).to.deep.equal(['prompt', 'no_clear_change']);
      expect(becauseOf(why), metric).to.equal(null);
    }
  });

  it('that does not exist is told as chance, by every cut', async () => {
    for (const by of ['prompt', 'engine', 'topic', 'region', 'surface']) {
      const why = await ask('nothing but noise', `by=${by}&metric=presence_rate`);
      expect(why.verdict, by).to.equal('no_clear_change');
      expect(
        why.drivers.filter(({ verdict }) => verdict !== 'no_clear_change'),
        by,
      ).to.deep.equal([]);
      expect(why.note, by).to.match(/^The change may be chance, and none of the \w+ changed/);
    }
  });

  it('of another panel has verdicts by prompt only, and the reason in words', async () => {
    const why = await ask('another panel');
    expect([why.verdict, why.reason !== null]).to.deep.equal(['unknown', true]);
    expect(why.drivers.map(({ kind }) => kind)).to.include.members(['new', 'retired']);
    const byEngine = await ask('another panel', 'by=engine');
    expect(new Set(byEngine.drivers.map(({ verdict }) => verdict))).to.deep.equal(new Set(['unknown']));
    expect(byEngine.drivers.every(({ interval }) => interval !== null)).to.equal(true);
  });

  it('by tag has no sum, because tags overlap', async () => {
    const why = await ask('a prompt', 'by=tag&limit=1');
    expect(why).to.deep.include({ sums: false, parts: null, rest: { count: 2, total: null } });
    expect(why.note).to.match(/^A prompt counts with each of its tags, so these parts overlap/);
  });

  it('is not looked for where a window has no answers: words, and no parts', async () => {
    const never = { parts: null, drivers: [], difference: null, rest: { count: 0, total: 0 } };
    const before = await ask('nothing but noise', 'from=2026-11-07&to=2026-11-13');
    expect(before).to.deep.include({ ...never, before: null });
    expect(before.note).to.include('Not measured in the window before, so there is no change to explain.');
    const after = await ask('nothing but noise', 'from=2026-11-21&to=2026-11-27');
    expect(after).to.deep.include({ ...never, after: null });
    expect(after.note).to.include('Not measured in this window, so there is no change to explain.');
    const toned = await ask('nothing but noise', 'metric=sentiment_index');
    expect(toned).to.deep.include({ ...never, before: null, after: null });
    expect(toned.note).to.include('Not measured in either window');
  });

  it('of three days is unknown, with its parts', async () => {
    const why = await ask('a prompt', 'from=2026-11-14&to=2026-11-16');
    expect(why.verdict).to.equal('unknown');
    expect(why.drivers[0]).to.include({ interval: null, verdict: 'unknown' });
    expect(why.parts!.rate! + why.parts!.mix! + why.parts!.panel!).to.be.closeTo(why.difference!, 1e-9);
  });

  it('is asked for with a cut that fits the metric; else the error names those that do', async () => {
    for (const [by, metric] of [
      ['rival', 'visibility'],
      ['domain', 'share_of_voice_fraction'],
      ['page', 'presence_rate'],
    ]) {
      const response = await request('nothing but noise', `by=${by}&metric=${metric}`);
      const { error, code } = (await response.json()) as { error: string; code: string };
      expect([response.status, code]).to.deep.equal([400, 'cut_does_not_fit']);
      expect(error).to.match(
        new RegExp(
          `^by=${by} does not fit metric=${metric}\\. Give one of prompt, engine, .*, or another metric\\.$`,
        ),
      );
    }
    expect((await request('nothing but noise', 'by=x')).status).to.equal(400);
    expect((await request('nothing but noise', 'limit=201')).status).to.equal(400);
  });
});
