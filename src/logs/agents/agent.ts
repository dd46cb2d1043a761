/** The definition of one AI agent. */

export type AgentPurpose = 'training' | 'search_index' | 'user_fetch';

/** The source of an entry: documented by its vendor, seen in logs, listed by others, or only claimed. */
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
  /** The engine whose answers it feeds; null if it feeds no engine or several. */
  readonly engine: string | null;
  /** Names that a robots.txt group may address it by. */
  readonly robotsTokens: readonly string[];
  /** Names whose group applies when no group addresses the agent itself. */
  readonly robotsFallback: readonly string[];
  /** Fetches on a user's demand; according to its vendor it may ignore robots.txt. */
  readonly mayIgnoreRobots: boolean;
  /** False for robots.txt tokens, which never occur in a request. */
  readonly inLogs: boolean;
  readonly caseSensitive: boolean;
  readonly confidence: AgentConfidence;
  /** Always listed; other agents are listed after their first hit. */
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
