/** The robots.txt files of the demo's sites, which do not exist: every verdict can be seen without a network. */
import type { RobotsState } from '../server/robots/fetch.js';
import { parseRobots } from '../server/robots/parse.js';

const torvello = `# Everyone may read the guides; search may read the shop.
User-agent: *
Disallow: /cart
Disallow: /account

User-agent: GPTBot
User-agent: ClaudeBot
Disallow: /parts
Disallow: /support

User-agent: OAI-SearchBot
User-agent: PerplexityBot
Allow: /

User-agent: CCBot
User-agent: Bytespider
Disallow: /
`;

/** One of each state of a check: a file, none, and a site that does not answer. */
const states: Readonly<Record<string, RobotsState>> = {
  'torvello.example': { state: 'ok', groups: parseRobots(torvello) },
  'aerisvane.example': { state: 'absent' },
};

/** Answers like the fetch of a robots.txt. */
export const demoRobots = async (domain: string): Promise<RobotsState> =>
  states[domain] ?? { state: 'error', reason: 'the demo has no such site' };
