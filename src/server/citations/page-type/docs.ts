import { isInDomainSet } from '../domain.js';
import type { Page } from './page.js';

const HOST_LABELS: ReadonlySet<string> = new Set([
  'docs',
  'doc',
  'documentation',
  'developer',
  'developers',
  'support',
  'help',
  'helpcenter',
  'kb',
  'knowledge',
  'knowledgebase',
  'manual',
  'manuals',
  'hilfe',
  'ayuda',
  'aide',
]);

/** Hosts that serve only documentation. */
const DOCUMENTATION_DOMAINS: ReadonlySet<string> = new Set([
  'readthedocs.io',
  'readthedocs.org',
  'docs.rs',
  'gitbook.io',
  'learn.microsoft.com',
]);

/** Google Docs serves the documents of its users, not documentation. */
const DOCUMENT_EDITORS: ReadonlySet<string> = new Set(['docs.google.com']);

const PATHS: readonly RegExp[] = [
  /^\/(?:[^/]+\/)?(?:docs|documentation|api-docs|apidocs|api-reference|knowledge-?base|help-?cent(?:er|re))(?:\/|$)/,
  /^\/(?:help|support|hc|kb|faqs?|manuals?|user-guide|hilfe|dokumentation)\/./,
  /^\/api\/(?:reference|docs?)(?:\/|$)/,
  /^\/developers?\/(?:api|docs|reference|guides?)(?:\/|$)/,
];

const SITE_NAME = /\b(?:documentation|help cent(?:er|re)|api reference|knowledge base)$/;

export function isDocs(page: Page): boolean {
  if (isInDomainSet(page.host, DOCUMENT_EDITORS)) return false;
  if (/^\/(?:blogs?|news|press|articles?)(?:\/|$)/.test(page.path)) return false;
  if (isInDomainSet(page.host, DOCUMENTATION_DOMAINS)) return true;
  if (page.hostLabels.some((label) => HOST_LABELS.has(label))) return true;
  return PATHS.some((path) => path.test(page.path)) || isTitledDocs(page);
}

/** "Install | Example Documentation". Only a short last clause counts: the site's name, not a sentence about docs. */
function isTitledDocs(page: Page): boolean {
  const site = page.titleClauses.length > 1 ? page.titleClauses.at(-1)! : '';
  return !page.isArticle && site.split(' ').length <= 4 && SITE_NAME.test(site);
}
