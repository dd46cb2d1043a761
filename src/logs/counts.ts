/** The counts of a parser. */

export interface LogCounts {
  /** Lines, or elements of a JSON document: the sum of the next four. */
  records: number;
  /** Records that are requests, whether they name an agent or not. */
  totalLines: number;
  /** Records in an unknown format. */
  unparsed: number;
  /** Blank and comment lines. */
  blank: number;
  /** Valid JSON that is not a request, or an additional record of a visit. */
  notRequests: number;
  /** Requests of a known agent with a path, before de-duplication; part of totalLines. */
  matched: number;
  /** The newest time of a request in ms; null: there was no request. */
  newestTime: number | null;
  /** Whether any request has a user agent. If not, no agent can match. */
  hasUserAgent: boolean;
}

export function noCounts(): LogCounts {
  return {
    records: 0,
    totalLines: 0,
    unparsed: 0,
    blank: 0,
    notRequests: 0,
    matched: 0,
    newestTime: null,
    hasUserAgent: false,
  };
}
