// @ts-check
/** Prints a brand's scorecard: SVC_URL and SVC_API_KEY name the server and the key. */
import { isSvcError, RateLimitError, SvcClient } from 'answer-visibility';

const svc = new SvcClient(); // or new SvcClient({ baseUrl, apiKey, brand })

try {
  const { brand, visibility, run_count } = await svc.overview();
  console.log(`${brand.name}: visibility ${visibility} of 100, from ${run_count} answers`);
} catch (error) {
  if (!isSvcError(error)) throw error;
  const wait = error instanceof RateLimitError ? `, again in ${error.retryAfterSeconds} s` : '';
  console.error(`${error.status ?? error.name}: ${error.message} (request ${error.requestId}${wait})`);
  process.exitCode = 1;
}

const { data, rateLimit, apiVersion } = await svc.sources.top().withResponse();
console.log(`${data.sources.length} sources, API ${apiVersion}, ${rateLimit?.remaining} requests left`);
