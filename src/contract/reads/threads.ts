import { citationCount, citingAnswers } from '../citations.js';
import { engineIds } from '../engines.js';
import { TOOL_CAPS } from '../limits.js';
import { brand } from '../params.js';
import { brandRef, caveats, defineRead, totalRows, windowDays } from '../read.js';
import {
  count,
  flag,
  headed,
  type Infer,
  list,
  nullable,
  object,
  oneOf,
  oneOfOrNewer,
  part,
  text,
} from '../schema.js';
import { lastDaysParam } from '../slice.js';
import { lastDays } from '../wording.js';

export const threadKinds = ['forum', 'video', 'qa'] as const;
export type ThreadKind = (typeof threadKinds)[number];

export const communityThread = part('A cited thread', {
  url: text('Canonical URL; every spelling of the thread is counted here'),
  domain: text('Its domain'),
  kind: nullable(oneOf(threadKinds, 'As recorded, else what the address tells; null: neither says')),
  title: nullable(text('Title as recorded, else the newest that an engine stated; null: none', 'thread')),
  citations: count('Citations in the window', citationCount),
  answers: count('Distinct answers that cite it', citingAnswers),
  engines: list(oneOfOrNewer(engineIds, 'Engine id'), 'Engines that cite it'),
  brand_in_thread: nullable(
    headed('brand', flag('The brand is talked about in the thread; null: not checked')),
  ),
  checked_at: nullable(text('When that was checked, ISO 8601; null: not checked', 'checked')),
});

export const communityThreads = defineRead({
  tool: 'list_community_threads',
  mainRows: { at: ['threads'] },
  summary: 'Forum, video and Q&A threads that answers cite, and whether the brand is in them',
  guide: `In which cited forum and video threads is the brand? Up to ${TOOL_CAPS.threads} of the ${lastDays}. brand_in_thread null: not checked.`,
  needsRuns: false,
  params: { brand, days: lastDaysParam },
  response: object({
    brand: brandRef,
    window_days: windowDays,
    total: count('Threads cited in the window', totalRows),
    threads: list(communityThread, `By citations descending, then by url; at most ${TOOL_CAPS.threads}`),
    ...caveats,
  }),
});

export type CommunityThread = Infer<typeof communityThread>;
