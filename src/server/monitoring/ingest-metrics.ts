import prometheus, { type Registry } from 'prom-client';
import type { Ingested } from '../ingest/routes.js';

export function countIngest(registry: Registry): Ingested {
  const registers = [registry];
  const lines = new prometheus.Counter({
    name: 'svc_ingest_lines_total',
    help: 'Lines of crawler logs: parsed as a request, or unparsed.',
    labelNames: ['result'],
    registers,
  });
  const hits = new prometheus.Counter({
    name: 'svc_ingest_hits_total',
    help: 'Hits of AI agents in them: inserted, or not, because they are stored or expired already.',
    labelNames: ['result'],
    registers,
  });
  return ({ inserted, matched, totalLines, unparsed }) => {
    lines.inc({ result: 'parsed' }, totalLines);
    lines.inc({ result: 'unparsed' }, unparsed);
    hits.inc({ result: 'inserted' }, inserted);
    hits.inc({ result: 'not_inserted' }, matched - inserted);
  };
}
