import { isInDomainSet } from '../domain.js';
import { EDITORIAL_DOMAINS, NEWS_AGENCY_DOMAINS } from '../lists/editorial.js';
import type { Page } from './page.js';

const AGENCIES: ReadonlySet<string> = new Set(NEWS_AGENCY_DOMAINS);
const EDITORIAL: ReadonlySet<string> = new Set(EDITORIAL_DOMAINS);

const HOST_LABELS: ReadonlySet<string> = new Set(['news', 'newsroom', 'press', 'presse']);
const MONTH = '(?:0?[1-9]|1[0-2]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)';
const DAY = '(?:0?[1-9]|[12]\\d|3[01])';

const SECTION =
  /^\/(?:[^/]+\/)?(?:news|newsroom|breaking-news|press|press-releases?|news-releases?|pressemitteilung(?:en)?|presse|nachrichten|noticias|actualites|notizie)\/(?!(?:page|category|tag|archive|kit|contact)(?:\/|$))[^/]/;
const DATED_PATH = new RegExp(`/20\\d\\d/${MONTH}/${DAY}/[^/]`);
const DATED_SLUG = /[a-z]-20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const MONTHLY_PATH = new RegExp(`/20\\d\\d/${MONTH}/[^/]`);
/** Pages that have a date but are not news: blog posts, changelogs, calendars. */
const DATED_OTHERWISE =
  /^\/(?:.*\/)?(?:blogs?|changelog|releases?|release-notes|events?|calendar|archives?|wp-content|uploads|files)\//;

export function isNews(page: Page): boolean {
  if (DATED_OTHERWISE.test(page.path)) return false;
  if (SECTION.test(page.path) || page.hostLabels.some((label) => HOST_LABELS.has(label))) return true;
  if (DATED_PATH.test(page.path) || DATED_SLUG.test(page.path)) return !page.hostLabels.includes('blog');
  if (isInDomainSet(page.host, AGENCIES) && /^\/article\/./.test(page.path)) return true;
  return isInDomainSet(page.host, EDITORIAL) && MONTHLY_PATH.test(page.path);
}
