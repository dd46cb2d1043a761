/**
 * By which APIs each engine can be asked: the only table of it. The faults of a plan and docs/collecting.md derive from it.
 * What an engine is, stands in src/contract/engines.ts; what providers show of it, in
 * src/collect/protocols/capabilities.ts; the form of each API, in src/collect/protocols.
 */
import { type EngineId, engines } from '../../contract/engines.js';
import { capabilityOf, isProvider, type ProviderName, providerNames } from '../protocols/capabilities.js';
import { type ProtocolName, protocolNames, type TargetProtocol } from '../protocols/index.js';

export interface EngineAccess {
  /** The protocols that reach the engine, the API of its vendor first; none: no vendor offers it. */
  readonly protocols: readonly ProtocolName[];
  /** Who answers: the vendor, and gateways that pass the question on. */
  readonly through: string;
}

/** The forms of OpenAI are those of most gateways too. */
const OPENAI_FORMS: readonly ProtocolName[] = ['openai-responses', 'openai-chat'];

const access: Readonly<Record<EngineId, EngineAccess>> = {
  chatgpt: { protocols: OPENAI_FORMS, through: 'OpenAI, OpenRouter' },
  aio: { protocols: [], through: 'no API' },
  aimode: { protocols: [], through: 'no API' },
  copilot: { protocols: [], through: 'no API' },
  perplexity: { protocols: ['perplexity', ...OPENAI_FORMS], through: 'Perplexity, OpenRouter' },
  gemini: { protocols: ['gemini', ...OPENAI_FORMS], through: 'Google, OpenRouter' },
  grok: { protocols: OPENAI_FORMS, through: 'xAI, OpenRouter' },
  claude: { protocols: ['anthropic', ...OPENAI_FORMS], through: 'Anthropic, OpenRouter' },
  deepseek: {
    protocols: ['openai-chat', 'openai-responses', 'anthropic'],
    through: 'DeepSeek, OpenRouter, a local server',
  },
  llama: { protocols: ['openai-chat', 'openai-responses'], through: 'a local server, OpenRouter' },
};

/** How each engine can be asked, in the order of the engine table. */
export const engineAccess = engines.map(({ id, label, blended }) => ({
  engine: id,
  label,
  ...access[id],
  /** Search-grounded engines are asked with a search, the others without: else the answers are those of another engine. */
  search: blended,
  /** The providers that show its answers as people see them. */
  providers: providerNames.filter((name) => capabilityOf(name, id) !== undefined),
}));

/** All ways to ask an engine, the API of its vendor first. */
export const waysOf = ({
  protocols,
  providers,
}: {
  protocols: readonly ProtocolName[];
  providers: readonly ProviderName[];
}): TargetProtocol[] => [...protocols, ...providers];

/** The engines that can be asked at all. */
export const collectable = engineAccess.filter((entry) => waysOf(entry).length > 0);

/** The fields of a target as the plan states them; they may have any value. */
interface Stated {
  readonly engine?: unknown;
  readonly protocol?: unknown;
  readonly search?: unknown;
}

interface AccessFault {
  readonly field: keyof Stated;
  readonly message: string;
}

/** Why the engine cannot be asked in this way. Values that no target can have are other faults. */
export function accessFaults({ engine, protocol, search = false }: Stated): AccessFault[] {
  const entry = engineAccess.find((each) => each.engine === engine);
  if (!entry) return [];
  const ways = waysOf(entry);
  const faults: AccessFault[] = [];
  const isKnown = protocolNames.some((name) => name === protocol) || isProvider(protocol);
  if (isKnown && !ways.some((name) => name === protocol)) {
    const reason = entry.protocols.length === 0 ? ', whose vendor offers no API' : '';
    const message = `expected ${either(ways)} for ${entry.engine}${reason}, got ${String(protocol)}`;
    faults.push({ field: 'protocol', message });
  }
  if (!isProvider(protocol) && typeof search === 'boolean' && search !== entry.search) {
    const reason = entry.search
      ? 'which searches the web: its score would count answers of another kind'
      : 'which answers from the knowledge of its model';
    const message = `expected ${entry.search} for ${entry.engine}, ${reason}, got ${search}`;
    faults.push({ field: 'search', message });
  }
  return faults;
}

const either = (names: readonly string[]): string =>
  names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
