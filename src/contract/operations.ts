/** The operations of the REST API: a GET per read that has a path, and POST crawler-events. */
import { crawlerEvents } from './crawler-events.js';
import type { Read } from './read.js';
import { type ResourceName, resources } from './registry.js';

export interface Operation
  extends Pick<
    Read,
    'summary' | 'needsRuns' | 'plan' | 'planSubject' | 'params' | 'rows' | 'mainRows' | 'response'
  > {
  /** The path below the root. */
  readonly name: string;
  /** Its name in client libraries: `getOverview`. */
  readonly id: string;
  /** What the key must allow, and the bucket that a request uses. */
  readonly surface: 'reads' | 'ingest';
}

const ofRead = (name: ResourceName): Operation => {
  const read: Read = resources[name];
  return { ...read, name, id: camelCase(read.tool), surface: 'reads' };
};

export const operations: readonly Operation[] = [
  ...(Object.keys(resources) as ResourceName[]).map(ofRead),
  { ...crawlerEvents, id: 'sendCrawlerEvents', surface: 'ingest' },
];

/** `get_overview` gives `getOverview`. */
function camelCase(words: string): string {
  return words.replaceAll(/_(\w)/g, (_, first: string) => first.toUpperCase());
}
