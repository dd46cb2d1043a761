/** The definition of one AI agent. */

export type AgentPurpose = 'training' | 'search_index' | 'user_fetch';

/** The evidence for an entry: documented by its vendor, seen in logs, listed by others, or only claimed. */
export type AgentConfidence = 'vendor' | 'observed' | 'third-party' | 'undocumented';

export interface Agent {
  /** Stable id, stored with every hit. */
  readonly key: string;
  /** The token in the User-Agent field; null for tokens that exist in robots.txt only. */
  readonly token: string | null;
  /** Other spellings of the token. */
  readonly aliases: readonly string[];
  readonly label: string;
  readonly operator: string;
  readonly purpose: AgentPurpose;
  /** The engine that uses its fetches for answers; null: none, or several engines. */
  readonly engine: string | null;
  /** The names by which a robots.txt group can address it. */
  readonly robotsTokens: readonly string[];
  /** If no group addresses the agent itself, the group for one of these names applies. */
  readonly robotsFallback: readonly string[];
  /** Whether it fetches on request of a user and, according to its vendor, may ignore robots.txt. */
  readonly mayIgnoreRobots: boolean;
  /** False for robots.txt tokens, which never occur in a request. */
  readonly inLogs: boolean;
  readonly caseSensitive: boolean;
  readonly confidence: AgentConfidence;
  /** Whether it is always listed; other agents are listed after their first hit. */
  readonly defaultList: boolean;
}

/** A row of the registry: the token is the default for the fields that the row leaves out. */
export type AgentEntry = Pick<Agent, 'operator' | 'purpose'> &
  Partial<Omit<Agent, 'operator' | 'purpose' | 'token'>> & { readonly token: string };

/**
 * The agent of a row. Defaults: key = token in lower case, label and robots token = token, engine null,
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
