// @ts-check
/** Lists the server's tools and calls two that have no REST twin. */
import { SvcClient, ToolError } from 'answer-visibility';

const svc = new SvcClient();

const tools = await svc.tools.list();
console.log(`${tools.length} tools, the first is ${tools[0]?.name}`);

const { fanouts } = await svc.tools.call('list_fanouts');
for (const { query, runs, volume } of fanouts) console.log(query, runs, volume ?? 'not measured');

try {
  await svc.tools.call('get_site_health', { brand_id: 'nobody' });
} catch (error) {
  if (!(error instanceof ToolError)) throw error;
  console.error(`${error.tool}: ${error.message}`);
}
