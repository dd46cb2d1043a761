import { blendedEngineIds, enginesOfMask } from '../../../contract/engines.js';
import { TOOL_CAPS, WINDOW_DAYS } from '../../../contract/limits.js';
import type { CommunityThread } from '../../../contract/reads/community-threads.js';
import { VIDEO_DOMAIN } from '../../citations/content-keys/youtube.js';
import { threadKind } from '../../citations/thread-kind.js';
import { everyDayOf, windowEnding } from '../../days.js';
import { citedThreadCandidates, newestTitles, type ThreadRow } from '../../queries/community-threads.js';
import { brandRefOf, type Compute } from '../reader.js';
import { noRunsNote } from './no-runs-note.js';
import { notes } from './notes.js';

export const readCommunityThreads: Compute<'community-threads'> = async (context) => {
  const { db, brand, today } = context;
  const days = windowEnding(today);
  const window = { brandKey: brand.key, ...days };
  const [candidates, noRuns] = await Promise.all([
    citedThreadCandidates(db, { ...window, days: everyDayOf(days), videoDomain: VIDEO_DOMAIN }),
    noRunsNote(context, blendedEngineIds),
  ]);
  const cited = candidates.filter((row) => row.recorded || threadKind(row.url) !== null);
  const listed = cited.slice(0, TOOL_CAPS.threads);
  const untitled = listed.filter((row) => row.title === null).map((row) => row.urlKey);
  const titles = await newestTitles(db, { ...window, urlKeys: untitled });
  const titleOf = new Map(titles.map((row) => [row.urlKey, row.title]));
  return {
    brand: brandRefOf(brand),
    window_days: WINDOW_DAYS,
    total: cited.length,
    threads: listed.map((row) => threadOf(row, titleOf.get(row.urlKey) ?? null)),
    note: notes([
      noRuns,
      cited.length > listed.length && `These are the ${listed.length} most cited of ${cited.length} threads.`,
    ]),
  };
};

const threadOf = (row: ThreadRow, statedTitle: string | null): CommunityThread => ({
  url: row.url,
  domain: row.domain,
  kind: (row.kind as CommunityThread['kind']) ?? threadKind(row.url),
  title: row.title ?? statedTitle,
  citations: row.citations,
  answers: row.answers,
  engines: enginesOfMask(row.engines),
  brand_in_thread: row.brandInThread,
  checked_at: row.checkedAt?.toISOString() ?? null,
});
