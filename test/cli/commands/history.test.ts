import { expect } from 'chai';
import { type History, historyMetricNames } from '../../../src/contract/reads/history.js';
import { sliced } from '../support/fixtures.js';
import { emptyHistory, history } from '../support/history-fixtures.js';
import { svc, svcTable } from '../support/run.js';
import { session } from '../support/session.js';

describe('svc history', () => {
  const now = session();
  const run = (columns = 80) =>
    svcTable(['history', '--metric', 'visibility'], { ...now.env, COLUMNS: String(columns) });
  const rowOf = (text: string, start: string) => text.split('\n').find((line) => line.startsWith(start))!;

  it('states metric, scale, brand, window, engines, source and the version of the formulas', async () => {
    const [title, below] = (await run()).stdout.split('\n');
    expect(title).to.equal('Visibility (0–100) · Fernweh Coffee · 2026-10-24 to 2026-11-20 UTC, 28 days');
    expect(below).to.equal('all engines with web search · from answers · metrics version 1');
  });

  for (const columns of [80, 140]) {
    it(`draws a chart with scale, dates and legend at ${columns} columns`, async () => {
      const lines = (await run(columns)).stdout.split('\n');
      expect(lines.filter((line) => /^ *\d+ ┤/.test(line)).length).to.be.within(3, 6);
      const axis = lines.find((line) => line.includes('└'))!;
      expect(axis.length).to.equal(columns);
      expect(lines[lines.indexOf(axis) + 1]).to.match(/\d Nov +20 Nov$/);
      expect(lines.join('\n')).to.contain('● Fernweh Coffee (brand)');
    });
  }

  it('names the prompts and regions of a slice, and sends them', async () => {
    const { slice } = sliced({ prompts: ['p_1', 'p_2'], regions: ['us'] });
    now.server.serve('metrics/history', { ...history, slice });
    const { stdout } = await svcTable(['history', '--prompt', 'p_1,p_2', '--region', 'us'], now.env);
    expect(stdout.split('\n')[1]).to.contain(', prompt p_1 or p_2, region us · from answers · ');
    expect(now.server.requests[0]).to.contain('prompt=p_1%2Cp_2&region=us');
  });

  it('leaves gaps on days that were not measured, and lists these days', async () => {
    const { stdout } = await run();
    const constant = stdout.split('\n').find((line) => /[┤│].*▽/.test(line))!;
    expect(constant).to.match(/[▽\u2801-\u28ff] {6,}[▽\u2801-\u28ff]/);
    expect(stdout.replace(/\s+/g, ' ')).to.contain(
      'No value of Fernweh Coffee on 3 days without any answer and 1 day with answers but nothing to measure.',
    );
  });

  it('marks the interval of the brand and the days of new models in the chart', async () => {
    const { stdout } = await run(140);
    expect(stdout)
      .to.contain('⠒ the 95 % interval of Fernweh Coffee over the whole window')
      .and.contain('⠅ first seen: gpt-5.2 on ChatGPT (2026-11-10)');
    const plain = {
      ...history,
      model_changes: [],
      series: history.series.map((one) => ({ ...one, interval: null })),
    };
    now.server.serve('metrics/history', plain);
    const without = (await run(140)).stdout;
    expect(without).to.not.match(/⠒ the|⠅ first/);
    const dots = (text: string) => [...text.matchAll(/[⠁-⣿]/g)].length;
    expect(dots(stdout)).to.be.above(dots(without) + 40);
  });

  it('prints a row per entity: window value, runs, window before, change with its unit, sparkline with gaps', async () => {
    const { stdout, stderr } = await run(140);
    expect(rowOf(stdout, 'Fernweh')).to.match(
      /^Fernweh Coffee \(brand\) +58\.3 ± 2\.4 +no clear change +[▁-█]{4}···[▁-█]{2}·[▁-█]{18} +2,592 +57\.1$/u,
    );
    expect(rowOf(stdout, 'North')).to.match(/41\.2 ± 1\.8 +▼ −3\.2 points .* 2,592 +44\.4$/);
    expect(rowOf(stdout, 'Kaffeewerk')).to.match(/^Kaffeewerk +— +— .* 3 +—$/);
    expect(stderr).to.contain('— not measured').and.contain('A day of the window was not collected.');
  });

  it('shows a sparkline of the newest days at 80 columns', async () => {
    const { stdout, stderr } = await run(80);
    expect(stdout).to.contain('last 14 days');
    expect(stderr).to.contain('not shown at this width: before\n');
  });

  it('marks a window value of fewer than five runs', async () => {
    const [own] = history.series;
    now.server.serve('metrics/history', { ...history, series: [{ ...own!, low_confidence: true }] });
    const { stdout, stderr } = await run(140);
    expect(rowOf(stdout, 'Fernweh')).to.contain(' ~58.3 ');
    expect(stderr).to.contain('~ fewer than 5 answers');
  });

  it('prints fractions as percentages and their change in percentage points', async () => {
    const [own] = history.series;
    const points = own!.points.map((point) => ({ ...point, value: point.value && point.value / 100 }));
    const trend = {
      previous_window_value: 0.25,
      delta: -0.012,
      delta_unit: 'fraction_points',
      difference: -0.012,
      verdict: 'no_clear_change',
      reason: null,
      reason_fact: null,
    } as const;
    const body: History = {
      ...history,
      metric: 'citation_share',
      unit: 'fraction_0_1',
      series: [{ ...own!, points, window_value: 0.238, interval: [0.221, 0.256], trend }],
    };
    now.server.serve('metrics/history', body);
    const { stdout } = await run(140);
    expect(stdout).to.match(/^Citation share \(%\) ·/);
    expect(rowOf(stdout, 'Fernweh')).to.match(/23\.8 ± 1\.8 +no clear change .* 2,592 +25\.0/);
    expect(stdout).to.match(/^ *60 ┤/m);
  });

  it('accepts metrics by their names in tables, in the API and by synonyms, with or without --metric', async () => {
    const words = [
      [[], 'visibility'],
      [['visibility'], 'visibility'],
      [['share of voice'], 'share_of_voice_fraction'],
      [['share', 'of', 'voice'], 'share_of_voice_fraction'],
      [['Share-of-Voice'], 'share_of_voice_fraction'],
      [['sov'], 'share_of_voice_fraction'],
      [['presence'], 'presence_rate'],
      [['sentiment'], 'sentiment_index'],
      [['citations'], 'citation_share'],
      [['--metric', 'citation share'], 'citation_share'],
      [['--metric', 'sentiment_index', 'sentiment'], 'sentiment_index'],
      ...historyMetricNames.flatMap((name) => [[[name], name] as const, [['--metric', name], name] as const]),
    ] as const;
    for (const [args, metric] of words) {
      now.server.requests.length = 0;
      await svc(['history', ...args, '--json'], now.env);
      const asked = now.server.requests.map((path) =>
        new URL(path, now.server.url).searchParams.get('metric'),
      );
      expect(asked, args.join(' ')).to.deep.equal([metric]);
    }
  });

  it('lists the metrics if one is unknown', async () => {
    const { code, stderr } = await svc(['history', 'sentimnt'], now.env);
    expect(code).to.equal(2);
    expect(stderr).to.contain(
      'Unknown metric: sentimnt. Known are visibility, presence, share of voice, citation share, sentiment. Did you mean sentiment?',
    );
    const two = await svc(['history', 'visibility', '--metric', 'sentiment'], now.env);
    expect(two.stderr).to.contain('Two metrics are given, visibility and --metric sentiment.');
    expect((await svc(['history', '--metrc', 'sentiment'], now.env)).stderr).to.contain(
      'Unknown flag: --metrc.',
    );
    expect(now.server.requests).to.deep.equal([]);
  });

  describe('on the current day', () => {
    const today = new Date().toISOString().slice(0, 10);
    const dayBefore = (days: number) =>
      new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10);
    const upToToday: History = {
      ...history,
      window: { start: dayBefore(27), end: today, days: 28 },
      series: history.series.map((one) => ({
        ...one,
        points: one.points.map((point, at) => ({ ...point, date: dayBefore(27 - at) })),
      })),
    };
    beforeEach(() => now.server.serve('metrics/history', upToToday));

    for (const columns of [40, 80, 140]) {
      it(`marks it on the axis and explains the mark at ${columns} columns`, async () => {
        const { stdout } = await run(columns);
        const lines = stdout.split('\n');
        const labels = lines[lines.findIndex((line) => line.includes('└')) + 1]!;
        expect(labels).to.match(/ \d+ [A-Z][a-z]{2}\*$/);
        expect(stdout.replace(/\s+/g, ' ')).to.contain(
          '* today is not over (UTC): its value may still change',
        );
      });
    }

    it('marks its row in Markdown, but not in csv', async () => {
      const markdown = await svc(['history', '--format', 'md'], now.env);
      expect(markdown.stdout).to.contain('| date (UTC) |').and.contain(`| ${today} \\* |`);
      expect(markdown.stdout).to.not.contain(`${dayBefore(1)} \\*`);
      expect(markdown.stderr).to.contain('* today is not over');
      expect((await svc(['history', '--format', 'csv'], now.env)).stdout).to.contain(`,${today},`);
    });
  });

  it('has no mark for the current day if the window ends earlier', async () => {
    const { stdout, stderr } = await run();
    expect(stdout + stderr).to.not.contain('*');
  });

  it('draws nothing, with a note, if nothing was ever collected', async () => {
    now.server.serve('metrics/history', emptyHistory);
    const { stdout, code } = await run();
    expect(code).to.equal(0);
    expect(stdout).to.contain('28 days, nothing on record').and.contain('Nothing to draw');
    expect(stdout).to.not.contain('┤');
    expect(rowOf(stdout, 'Fernweh')).to.match(/\(brand\) +— +— +0 +—/);
  });

  it('prints a csv row per day and entity, with null as an empty cell', async () => {
    const { stdout } = await svc(['history', '--metric', 'visibility', '--format', 'csv'], now.env);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).to.equal('id,name,is_brand,date,value,sample_size');
    expect(lines[1]).to.equal('br_fernweh,Fernweh Coffee,true,2026-10-24,55,96');
    expect(lines[5]).to.equal('br_fernweh,Fernweh Coffee,true,2026-10-28,,0');
    expect(lines[10]).to.equal('br_fernweh,Fernweh Coffee,true,2026-11-02,,4');
  });

  it('has a name and a scale for every metric', async () => {
    for (const metric of historyMetricNames) {
      now.server.serve('metrics/history', { ...history, metric });
      expect((await run()).stdout).to.match(/^[A-Z][a-z ]+ \((0–100|%)\) ·/);
    }
  });
});
