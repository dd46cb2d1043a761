import { isInDomainSet } from '../domain.js';
import { STACK_EXCHANGE_DOMAINS } from '../lists/ugc.js';

const SITES: ReadonlySet<string> = new Set(STACK_EXCHANGE_DOMAINS);
const QUESTION = /^\/(?:questions|q)\/([1-9]\d{0,9})(?:\/.*)?$/;
const ANSWER = /^\/a\/([1-9]\d{0,9})(?:\/\d+)?\/?$/;

/**
 * Returns `https://HOST/questions/ID` for a question of a Stack Exchange site, and `https://HOST/a/ID` for a link to an
 * answer, because that link does not contain the id of the question; else null.
 */
export function stackExchangePostUrl(url: URL): string | null {
  if (!isInDomainSet(url.hostname, SITES)) return null;
  const question = QUESTION.exec(url.pathname)?.[1];
  if (question !== undefined) return `https://${url.hostname}/questions/${question}`;
  const answer = ANSWER.exec(url.pathname)?.[1];
  return answer === undefined ? null : `https://${url.hostname}/a/${answer}`;
}
