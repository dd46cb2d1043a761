import prometheus, { type Registry } from 'prom-client';
import type { NightlyReport } from '../nightly.js';

/** The metrics of nightly work, which one process of a server does. */
export function nightlyMetrics(registry: Registry): NightlyReport {
  const metric = { labelNames: ['task' as const], registers: [registry] };
  const duration = new prometheus.Gauge({
    name: 'svc_nightly_duration_seconds',
    help: 'How long the task took last time.',
    ...metric,
  });
  const success = new prometheus.Gauge({
    name: 'svc_nightly_last_success_timestamp_seconds',
    help: 'When the task last succeeded.',
    ...metric,
  });
  const failures = new prometheus.Counter({
    name: 'svc_nightly_failures_total',
    help: 'How often the task failed; it is tried again at the next check.',
    ...metric,
  });
  return (task, seconds, succeeded) => {
    duration.set({ task }, seconds);
    if (succeeded) success.set({ task }, Date.now() / 1000);
    else failures.inc({ task });
  };
}
