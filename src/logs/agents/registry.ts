/** Every known AI agent. An agent is added as one entry in one of the three lists. */
import { type Agent, agentOf } from './agent.js';
import { furtherOperators } from './further-operators.js';
import { majorOperators } from './major-operators.js';
import { smallerOperators } from './smaller-operators.js';

export const agents: readonly Agent[] = [...majorOperators, ...furtherOperators, ...smallerOperators].map(
  agentOf,
);

const byKey: ReadonlyMap<string, Agent> = new Map(agents.map((agent) => [agent.key, agent]));

/** The agent with this key, or undefined when the registry does not (or no longer) hold it. */
export function findAgent(key: string): Agent | undefined {
  return byKey.get(key);
}
