import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { engineIds } from '../../../src/contract/engines.js';
import { demoBrandId } from '../../../src/demo/data/index.js';
import type { Run } from '../../../src/server/intake/dataset/records/run.js';
import { NOW, recordsOf, runsAsOf } from './dataset-of.js';

const runsAt = (now: Date, brand = demoBrandId): Run[] =>
  (now === NOW ? recordsOf('run') : runsAsOf(now)).filter((run) => run.brand === brand);
const dayOf = (run: Run): string => run.collected_at.slice(0, 10);
const hostsOf = (runs: readonly Run[]): Set<string> =>
  new Set(runs.flatMap((run) => run.citations.map(({ url }) => new URL(url).hostname)));

describe('the runs of the demo', () => {
  const runs = runsAt(NOW);

  it('cover the sixty days that end today, all engines and all regions', () => {
    const days = new Set(runs.map(dayOf));
    expect(days.size).to.equal(60);
    expect([...days].sort().at(-1)).to.equal('2026-11-20');
    expect([...days].sort()[0]).to.equal('2026-09-22');
    expect(new Set(runs.map(({ engine }) => engine))).to.deep.equal(new Set(engineIds));
    expect(new Set(runs.map(({ region }) => region))).to.deep.equal(new Set(['us', 'gb', 'de']));
  });

  it('are 6,000 to 9,000 for the main brand and about 1,000 for the archived one', () => {
    expect(runs.length).to.be.within(6000, 9000);
    expect(runsAt(NOW, 'aerisvane').length).to.be.within(900, 1200);
    expect(runsAt(NOW, 'slumbrook')).to.deep.equal([]);
  });

  it('exist for every engine one minute after midnight, and are spread over the whole day', () => {
    const today = runsAt(new Date('2026-11-20T00:01:00Z')).filter((run) => dayOf(run) === '2026-11-20');
    expect(new Set(today.map(({ engine }) => engine))).to.deep.equal(new Set(engineIds));
    const hours = new Set(
      runs.filter((run) => dayOf(run) === '2026-11-10').map((run) => run.collected_at.slice(11, 13)),
    );
    expect(hours.size).to.be.above(20);
  });

  for (const later of ['2026-11-20T13:00:01Z', '2026-11-21T00:01:00Z', '2026-12-24T18:00:00Z']) {
    it(`do not change for earlier days when now is ${later}`, () => {
      const now = new Map(runsAt(new Date(later)).map((run) => [run.id, run]));
      const oldest = [...now.values()].map(dayOf).sort()[0]!;
      const former = runs.filter((run) => dayOf(run) >= oldest);
      expect(former.filter((run) => !isDeepStrictEqual(now.get(run.id), run))).to.deep.equal([]);
      const past = (run: Run) => dayOf(run) < '2026-11-20' && dayOf(run) >= oldest;
      expect([...now.values()].filter(past).length).to.equal(former.filter(past).length);
    });
  }

  it('end for the archived brand when it was archived, some weeks ago', () => {
    const { archived_at } = recordsOf('brand').find(({ id }) => id === 'aerisvane')!;
    const last = runsAt(NOW, 'aerisvane')
      .map((run) => run.collected_at)
      .sort()
      .at(-1)!;
    expect(last <= archived_at!).to.equal(true);
    expect(NOW.getTime() - Date.parse(archived_at!)).to.be.above(14 * 86_400_000);
  });

  it('have evidence only as a verbatim span of the answer, and only with a tone', () => {
    const quoted = runs.flatMap((run) =>
      run.mentions.filter(({ evidence }) => evidence != null).map((m) => ({ run, m })),
    );
    expect(quoted.length).to.be.above(1000);
    for (const { run, m } of quoted) {
      expect(run.answer).to.include(m.evidence);
      expect(m.sentiment).to.be.a('string');
    }
  });

  it('name the mentioned entities in the answer, in the order of their ranks, without gaps', () => {
    for (const run of runs) {
      let from = 0;
      for (const [i, { name, order }] of run.mentions.entries()) {
        expect(order).to.equal(i + 1);
        const at = run.answer!.indexOf(name, from);
        expect(at, `${run.id}: ${name}`).to.be.at.least(from);
        from = at + name.length;
      }
    }
  });

  it('have no placeholders in texts', () => {
    for (const run of runs) expect(run.answer ?? '').not.to.match(/[{}[\]]|undefined/);
  });

  it('have scored and unscored, tracked and untracked mentions in all three tones', () => {
    const mentions = runs.flatMap((run) => run.mentions);
    const tones = new Set(mentions.map(({ sentiment }) => sentiment ?? 'none'));
    expect(tones).to.deep.equal(new Set(['positive', 'neutral', 'negative', 'none']));
    expect(mentions.some(({ name }) => name === 'Rivadoro')).to.equal(true);
    expect(mentions.some(({ name }) => name === 'Torvello Espresso')).to.equal(true);
  });

  it('have carousels, ads and searches only if the engine reports them', () => {
    const enginesWith = (test: (run: Run) => unknown) =>
      [...new Set(runs.filter(test).map(({ engine }) => engine))].sort();
    expect(enginesWith((run) => run.carousels)).to.deep.equal(['aimode', 'aio', 'chatgpt', 'perplexity']);
    expect(enginesWith((run) => run.ad)).to.deep.equal(['chatgpt']);
    expect(enginesWith((run) => run.fanouts)).not.to.include('llama');
  });

  it('have no ads before capture began in July 2026', () => {
    const summer = runsAt(new Date('2026-08-03T12:00:00Z')).filter((run) => run.ad);
    expect(summer.length).to.be.above(0);
    for (const run of summer) expect(dayOf(run) >= '2026-07-01').to.equal(true);
    expect(summer.some((run) => dayOf(run) < '2026-07-10')).to.equal(true);
  });

  it('cite videos and permalinks in several spellings, and tracking pairs', () => {
    const hosts = hostsOf(runs);
    for (const host of [
      'youtu.be',
      'm.youtube.com',
      'www.youtube.com',
      'old.reddit.com',
      'www.torvello.example',
    ]) {
      expect(hosts.has(host), host).to.equal(true);
    }
    const urls = runs.flatMap((run) => run.citations.map(({ url }) => url));
    expect(urls.some((url) => url.includes('utm_source='))).to.equal(true);
    for (const url of urls) expect(URL.canParse(url), url).to.equal(true);
  });
});
