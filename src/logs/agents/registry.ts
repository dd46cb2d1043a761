/** All known AI agents. To add an agent, add one entry to one of the three lists. */
import { type Agent, agentOf } from './agent.js';
import { furtherOperators } from './further-operators.js';
import { majorOperators } from './major-operators.js';
import { smallerOperators } from './smaller-operators.js';

export const agents: readonly Agent[] = [...majorOperators, ...furtherOperators, ...smallerOperators].map(
  agentOf,
);

const byKey: ReadonlyMap<string, Agent> = new Map(agents.map((agent) => [agent.key, agent]));

/** The agent with this key; undefined: it is not in the registry, or no longer. */
export function findAgent(key: string): Agent | undefined {
  return byKey.get(key);
}
