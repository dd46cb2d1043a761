/** From bytes to hits: the parser of crawler logs for the endpoint and for the dry run of `svc ingest`. */
export type { Agent, AgentConfidence, AgentPurpose } from './agents/agent.js';
export { recogniseAgent } from './agents/match.js';
export { agents, findAgent } from './agents/registry.js';
export { isMissingUserAgent } from './agents/user-agent.js';
export type { LogCounts } from './counts.js';
export type { Entry as LogEntry } from './entry.js';
export { LINE_LIMIT } from './frames.js';
export { type Hit, type Identity, identityInput } from './hit.js';
export { createLogParser, type LogParser } from './parse.js';
export { canonicalPath, PATH_LIMIT } from './path.js';
export type { LogParserOptions } from './records.js';
export {
  isVerificationRequest,
  VERIFICATION_BODY_LIMIT,
  type VerificationInput,
  verifyCode,
} from './verification.js';
