/** Reads the User-Agent field of a log. */

const encoded = /%(?:25)?(?:20|2F)/i;
const octet = /%([0-9A-Fa-f]{2})/g;

/** Whether the value is not a user agent: empty, the dash of access logs, or the placeholder of a proxy. */
export function isMissingUserAgent(value: string): boolean {
  return value === '' || value === '-' || value === 'REDACTED';
}

/**
 * Decodes the percent-encoding of a user agent in CDN logs, twice if it was encoded twice. A value with a space was not
 * encoded. Each octet becomes the character with its number, which is enough because tokens are ASCII.
 */
export function decodeUserAgent(value: string): string {
  let text = value;
  for (let round = 0; round < 2 && !text.includes(' ') && encoded.test(text); round++) {
    text = text
      .replaceAll('+', ' ')
      .replace(octet, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
  return text;
}

export type AgentPurpose = 'training' | 'search_index' | 'user_fetch' | 'ad_check';

/** Whether answers need its fetches: without them a site is missing from answers. */
export const feedsAnswers = (purpose: string): boolean =>
  purpose === 'search_index' || purpose === 'user_fetch';

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
  /** The lists of the addresses from which its operator sends it; none: they are not published, or are those of people. */
  readonly ranges: readonly string[];
  /** Whether it is always listed; other agents are listed after their first hit. */
  readonly defaultList: boolean;
}

/** An entry of agents.json: the token is the default for the fields that the entry leaves out. */
export type AgentEntry = Pick<Agent, 'operator' | 'purpose'> &
  Partial<Omit<Agent, 'operator' | 'purpose' | 'token'>> & {
    readonly token: string;
    /** Why it is listed as it is. */
    readonly note?: string;
  };

/**
 * The agent of an entry. Defaults: key = token in lower case, label and robots token = token, engine null,
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
    ranges: entry.ranges ?? [],
    defaultList: entry.defaultList ?? true,
  };
}
