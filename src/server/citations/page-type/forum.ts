import { isInDomainSet } from '../domain.js';
import { FORUM_DOMAINS } from '../lists/ugc.js';
import type { Page } from './page.js';

const FORUMS: ReadonlySet<string> = new Set(FORUM_DOMAINS);

const HOST_LABELS: ReadonlySet<string> = new Set([
  'forum',
  'forums',
  'foro',
  'foros',
  'community',
  'communities',
  'discuss',
  'discussion',
  'discussions',
  'discourse',
  'answers',
  'boards',
  'bbs',
]);

/** Paths of forum software: phpBB, vBulletin, XenForo, Khoros, Vanilla, Discourse, bbPress and similar. */
const PATHS: readonly RegExp[] = [
  /^\/(?:(?:community|support|help)\/)?(?:forums?|foros?|foren)(?:\/|$)/,
  /\/(?:viewtopic|viewforum|showthread|forumdisplay)\.php$/,
  /^\/community\/(?:t|threads?|topics?|posts?|questions?|discussions?)\/./,
  /\/threads?\/(?:[^/]*[.-])?\d+(?:\/|$)/,
  /^\/(?:[^/]+\/){0,2}t5\/(?:[^/]+\/){1,3}(?:td|m)-p\/\d/,
  /\/(?:discussions?|questions)\/\d+(?:\/|$)/,
  /\/topic\/\d+-/,
  /^\/support\/topic\/./,
  /^\/t\/(?!\d+\/)[^/]+\/\d+(?:\/\d+)?$/,
];

export function isForum(page: Page): boolean {
  if (isInDomainSet(page.host, FORUMS)) return true;
  return (
    page.hostLabels.some((label) => HOST_LABELS.has(label)) || PATHS.some((path) => path.test(page.path))
  );
}
