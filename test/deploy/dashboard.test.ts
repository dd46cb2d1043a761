import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import { backgroundMetrics, serverMetrics } from '../../src/server/run/monitoring/metrics.js';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The names of all metrics that a server has, whatever it did. */
function existing(): string[] {
  const { registry, watchPools, watchCache } = serverMetrics();
  watchPools({ primary: { db: { client: { pool: {} } } as never } });
  watchCache({ hits: 0, misses: 0 });
  const background = new Registry();
  backgroundMetrics(background);
  return [registry, background].flatMap((each) => each.getMetricsAsArray().map(({ name }) => name));
}

describe('the metrics in documents', () => {
  const names = existing();
  const own = names.filter((name) => name.startsWith('svc_')).sort();

  it('of the dashboard exist, and it shows all but that of the build', () => {
    const dashboard = JSON.parse(read('deploy/grafana-dashboard.json'));
    const shown: string[] = dashboard.panels.flatMap((panel: { targets: { expr: string }[] }) =>
      panel.targets.flatMap(({ expr }) =>
        [...expr.matchAll(/\b(?:svc|process|nodejs)_\w+/g)].map(([name]) => name),
      ),
    );
    const used = new Set(shown.map((name) => name.replace(/_bucket$/, '')));
    expect([...used].filter((name) => !names.includes(name))).to.deep.equal([]);
    expect(own.filter((name) => !used.has(name))).to.deep.equal(['svc_build_info']);
    expect(dashboard.templating.list[1].query.query).to.contain('svc_build_info');
  });

  it('of docs/operating.md are all that there are, with their labels', async () => {
    const { registry } = serverMetrics();
    const stated = new Map((await registry.getMetricsAsJSON()).map(({ name, type }) => [name, type]));
    const rows = [...read('docs/operating.md').matchAll(/^\| `(svc_\w+)` \| (\w+) \| (.*?) \|/gm)];
    expect(rows.map(([, name]) => name!).sort()).to.deep.equal(own);
    for (const [, name, type, labels] of rows) {
      const metric = registry.getSingleMetric(name!) as { labelNames?: string[] } | undefined;
      if (metric === undefined) continue;
      expect(String(stated.get(name!)), name).to.equal(type);
      for (const label of metric.labelNames ?? []) expect(labels, name).to.contain(`\`${label}\``);
    }
  });
});
