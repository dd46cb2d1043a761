/** Decides which addresses the server may connect to on untrusted input. */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** The ranges that IANA lists as not globally reachable, and a cloud metadata address outside of them. */
const CLOSED_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/** Global unicast; `CLOSED_V6` excludes the parts for documentation, tunnels and other protocols. */
const OPEN_V6 = ['2000::/3'];
const CLOSED_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const closedV4 = listOf(CLOSED_V4, 'ipv4');
const openV6 = listOf(OPEN_V6, 'ipv6');
const closedV6 = listOf(CLOSED_V6, 'ipv6');

function listOf(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits = ''] = range.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** Prefixes whose last 32 bits are a v4 address: v4-mapped, and the well-known prefix of NAT64. */
const EMBEDS_V4 = /^(?:::ffff:|64:ff9b::)(?:([0-9a-f]{1,4}):)?([0-9a-f]{1,4})$/;

/** Whether an address is on the public internet. False for text that is not an address. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !closedV4.check(address, 'ipv4');
  if (!isIPv6(address) || address.includes('%')) return false;
  // URL normalises a v6 address, with v4 parts in hex.
  const spelled = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const embedded = EMBEDS_V4.exec(spelled);
  if (embedded) return isPublicAddress(dotted(embedded[1] ?? '0', embedded[2] as string));
  return openV6.check(address, 'ipv6') && !closedV6.check(address, 'ipv6');
}

function dotted(high: string, low: string): string {
  const [h, l] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [h >> 8, h & 255, l >> 8, l & 255].join('.');
}
