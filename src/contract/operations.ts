/** The operations of the REST API: a GET per read that has a path, and POST crawler-events. */
import { crawlerEvents } from './crawler-events.js';
import type { Lane } from './keys.js';
import type { Read } from './read.js';
import { type ResourceName, resources } from './registry.js';

export interface Operation
  extends Pick<
    Read,
    'summary' | 'needsRuns' | 'plan' | 'planSubject' | 'planOf' | 'params' | 'rows' | 'mainRows' | 'response'
  > {
  /** The path below the root. */
  readonly name: string;
  /** Its name in client libraries: `getOverview`. */
  readonly id: string;
  readonly lane: Lane;
}

const ofRead = (name: ResourceName): Operation => {
  const read: Read = resources[name];
  return { ...read, name, id: camelCase(read.tool), lane: 'reads' };
};

export const operations: readonly Operation[] = [
  ...(Object.keys(resources) as ResourceName[]).map(ofRead),
  { ...crawlerEvents, id: 'sendCrawlerEvents', lane: 'ingest' },
];

/** `getOverview` for `get_overview`. */
function camelCase(words: string): string {
  return words.replaceAll(/_(\w)/g, (_, first: string) => first.toUpperCase());
}
