/** From bytes to hits: the parser of crawler logs for the endpoint and for the dry run of `svc ingest`. */
export type { Agent } from './agents/agent.js';
export { feedsAnswers, isMissingUserAgent } from './agents/agent.js';
export { agents, findAgent, recogniseAgent } from './agents/match.js';
export { isPublicAddress, rangeOf } from './clients/address.js';
export {
  type AddressList,
  EXPECTED_PROXIES,
  type ListSource,
  listEnd,
  proxyList,
  readProxies,
  SHORTEST_PREFIX,
  shippedLists,
} from './clients/lists.js';
export { createVerifier, type Verifier } from './clients/verify.js';
export type { Entry as LogEntry } from './entry.js';
export { canonicalPath, type Hit, identityInput, PATH_LIMIT } from './hit.js';
export { NO_PAGE } from './pages.js';
export type { LogCounts, LogParserOptions } from './parse.js';
export { createLogParser, type LogParser } from './parse.js';
export { findProduct } from './referrals/products.js';
export type { Referral } from './referrals/referral.js';
export {
  isVerificationRequest,
  VERIFICATION_BODY_LIMIT,
  verifyCode,
} from './verification.js';
