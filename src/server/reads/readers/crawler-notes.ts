/** The notes of crawler analytics. */
import { lastDays } from '../../../contract/wording.js';
import { notes } from './notes.js';

export interface CrawlerFacts {
  readonly connected: boolean;
  /** Whether any agent came in the last `WINDOW_DAYS`, whatever the window. */
  readonly active: boolean;
  readonly lastEventAt: string | null;
  readonly hits: number;
  /** Why robots.txt could not be fetched; null when it could. */
  readonly robotsFailure: string | null;
  /** Labels of blocked agents that, according to their vendors, may ignore robots.txt. */
  readonly blockedButFree: readonly string[];
}

/** The caveats that apply, as sentences; null when none does. */
export function crawlerNote(facts: CrawlerFacts): string | null {
  const sentences = [connection(facts), robots(facts), claim(facts), disregard(facts)];
  return notes(sentences);
}

function connection({ connected, active, lastEventAt }: CrawlerFacts): string | null {
  if (!connected) {
    return 'No crawler logs were ever received for this brand, so hits are null: not measured, not zero. Ship logs to POST /api/v1/crawler-events.';
  }
  if (active) return null;
  return `Nothing from any AI agent was logged in the ${lastDays}, so zero hits may be missing data; the newest request on record is of ${lastEventAt}.`;
}

const robots = ({ robotsFailure }: CrawlerFacts): string | null =>
  robotsFailure === null ? null : `robots.txt could not be fetched (${robotsFailure}), so verdicts are null.`;

const claim = ({ hits }: CrawlerFacts): string | null =>
  hits === 0
    ? null
    : 'Agents are counted by the user agent that a request claimed; addresses are not verified.';

const disregard = ({ blockedButFree }: CrawlerFacts): string | null =>
  blockedButFree.length === 0
    ? null
    : `Blocked agents that fetch on a person’s demand may ignore robots.txt: ${blockedButFree.join(', ')}.`;
