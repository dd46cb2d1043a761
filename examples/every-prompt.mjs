// @ts-check
/** Lists the prompts in whose answers the brand does not appear: SVC_URL and SVC_API_KEY name the server and the key. */
import { promptState, SvcClient } from 'answer-visibility';

const svc = new SvcClient();

for await (const prompt of svc.prompts.list()) {
  if (promptState(prompt) === 'absent') console.log(prompt.text);
}

const page = await svc.prompts.list({ limit: 50 });
console.log(`First page: ${page.prompts.length} prompts, next_cursor ${page.next_cursor}`);

const all = await svc.answers.list().all({ max: 5000 }); // throws past 5000
console.log(`${all.length} answers`);

const signal = AbortSignal.timeout(60_000);
const brands = await svc.brands.top({}, { signal, timeout: 5000, maxRetries: 3 });
console.log(`${brands.brands.length} brands`);
