/** What the project knows about one AI agent. */

export type AgentPurpose = 'training' | 'search_index' | 'user_fetch';

/** How well an agent is established: named by its vendor, seen in logs, listed by others, or only claimed. */
export type AgentConfidence = 'vendor' | 'observed' | 'third-party' | 'undocumented';

export interface Agent {
  /** Stable id, stored with every hit. */
  readonly key: string;
  /** What the User-Agent field holds; null for tokens that exist in robots.txt only. */
  readonly token: string | null;
  /** Other spellings of the token. */
  readonly aliases: readonly string[];
  readonly label: string;
  readonly operator: string;
  readonly purpose: AgentPurpose;
  /** The engine whose answers it feeds, where that is one engine; else null. */
  readonly engine: string | null;
  /** Names that a robots.txt group may address it by. */
  readonly robotsTokens: readonly string[];
  /** Names whose group applies when none of its own does. */
  readonly robotsFallback: readonly string[];
  /** Fetches on a user's demand, and by its vendor's word may disregard robots.txt. */
  readonly mayIgnoreRobots: boolean;
  /** False for robots.txt tokens, which no request ever carries. */
  readonly inLogs: boolean;
  readonly caseSensitive: boolean;
  readonly confidence: AgentConfidence;
  /** Listed always; the others only once they were seen. */
  readonly defaultList: boolean;
}

/** A row of the registry: the token names everything that the row does not state itself. */
export type AgentEntry = Pick<Agent, 'operator' | 'purpose'> &
  Partial<Omit<Agent, 'operator' | 'purpose' | 'token'>> & { readonly token: string };

/**
 * The agent that a row describes. Left out: key = token in lower case, label and robots token = token, engine null,
 * confidence `vendor`, in logs and in the default list.
 */
export function agentOf(entry: AgentEntry): Agent {
  const inLogs = entry.inLogs ?? true;
  return {
    key: entry.key ?? entry.token.toLowerCase(),
    token: inLogs ? entry.token : null,
    aliases: entry.aliases ?? [],
    label: entry.label ?? entry.token,
    operator: entry.operator,
    purpose: entry.purpose,
    engine: entry.engine ?? null,
    robotsTokens: entry.robotsTokens ?? [entry.token],
    robotsFallback: entry.robotsFallback ?? [],
    mayIgnoreRobots: entry.mayIgnoreRobots ?? false,
    inLogs,
    caseSensitive: entry.caseSensitive ?? false,
    confidence: entry.confidence ?? 'vendor',
    defaultList: entry.defaultList ?? true,
  };
}
