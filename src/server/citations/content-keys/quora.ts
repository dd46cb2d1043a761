import { isSameOrSubdomain } from '../domain.js';

const QUESTION = /^\/(?:unanswered\/([^/]+)|([^/]+?)(?:\/answer\/[^/]+)?)\/?$/;

/** Pages of the site itself (`/search`, `/about`) are one lower-case word; question slugs never are. */
const SITE_PAGE = /^[a-z0-9_.]+$/;

/** `https://HOST/Slug` for a Quora question, its unanswered form and its answers, else null. */
export function quoraQuestionUrl(url: URL): string | null {
  if (!isSameOrSubdomain(url.hostname, 'quora.com')) return null;
  const match = QUESTION.exec(url.pathname);
  const slug = match?.[1] ?? match?.[2];
  return slug === undefined || SITE_PAGE.test(slug) ? null : `https://${url.hostname}/${slug}`;
}
