// @ts-check
/** Prints a metric day by day, and why a day has no value: SVC_URL and SVC_API_KEY name the server and the key. */
import { pointState, SvcClient } from 'answer-visibility';

const svc = new SvcClient();

const history = await svc.history({ metric: 'visibility', days: 28, engine: ['chatgpt', 'perplexity'] });
for (const { date, value, sample_size } of history.series[0]?.points ?? []) {
  console.log(date, value ?? pointState({ value, sample_size }));
}
