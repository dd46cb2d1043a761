/**
 * The address ranges that operators of crawlers publish, and those of content delivery networks. The package ships a copy
 * of each with the last day on which the copy was known to be what the operator publishes; a server may have newer ones.
 */
import { rangeOf } from './address.js';
import shipped from './ranges.json' with { type: 'json' };

/** What is known of a list besides its ranges. */
export interface ListSource {
  /** Agents name their lists by it. */
  readonly name: string;
  readonly operator: string;
  /** Where the operator publishes it. */
  readonly url: string;
  /** Whether it is of a network that forwards requests of others. */
  readonly forwards: boolean;
}

export interface AddressList extends ListSource {
  /** The day that the operator states in its file; null: none. */
  readonly created: string | null;
  /** The last day on which it was fetched; null: there is no copy. */
  readonly checked: string | null;
  readonly prefixes: readonly string[];
}

/** Networks that forward requests of others. */
const NETWORKS: ReadonlySet<string> = new Set(['cloudflare', 'fastly', 'cloudfront']);

/** The shortest prefixes in bits: the widest ranges that networks publish are of 12 and 28 bits. */
export const SHORTEST_PREFIX = { 4: 12, 6: 28 } as const;

/** The list of the proxies in front of a site, which forward requests of others. */
export const proxyList = (prefixes: readonly string[]): AddressList => ({
  name: 'proxies',
  operator: '',
  url: '',
  forwards: true,
  created: null,
  checked: null,
  prefixes,
});

/** What the setting of these proxies has to be. */
export const EXPECTED_PROXIES = `comma-separated addresses or prefixes, such as 203.0.113.0/24, of /${SHORTEST_PREFIX[4]} or longer (IPv6: /${SHORTEST_PREFIX[6]})`;

/** The addresses and prefixes of such proxies; undefined: the text is not what is expected. */
export function readProxies(text: string): string[] | undefined {
  const listed = text.split(',').map((each) => each.trim());
  const isNarrow = (prefix: string): boolean => {
    const range = rangeOf(prefix);
    return range !== null && range.bits >= SHORTEST_PREFIX[range.version];
  };
  return listed.every(isNarrow) ? listed : undefined;
}

/** The lists of the package. */
export const shippedLists: readonly AddressList[] = shipped.map((list) => ({
  ...list,
  forwards: NETWORKS.has(list.name),
}));

/** The days after which a list is not used: an old one calls true crawlers false. */
export const LIST_DAYS = 90;
const DAY_MS = 86_400_000;

/** The time from which a list no longer tells, in ms; of a list without a copy, always. */
export const listEnd = ({ checked }: Pick<AddressList, 'checked'>): number =>
  checked === null ? Number.NEGATIVE_INFINITY : Date.parse(checked) + (LIST_DAYS + 1) * DAY_MS;

/** The time before which a list does not tell, because it may have been another one. */
export const listBegin = ({ checked }: Pick<AddressList, 'checked'>): number =>
  checked === null ? Number.POSITIVE_INFINITY : Date.parse(checked) - LIST_DAYS * DAY_MS;
