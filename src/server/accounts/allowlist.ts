/** Whether an address is on a key's allowlist. */
import { BlockList, isIP } from 'node:net';

const MAPPED_V4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** An address in the form that is compared and shown: v4-mapped v6 as v4, without port and zone. */
export function plainAddress(address: string): string {
  const unported = address.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  return MAPPED_V4.exec(unported)?.[1] ?? unported.replace(/%.*$/, '');
}

/** Null allows every address. */
export function isAllowed(address: string, allow: readonly string[] | null): boolean {
  if (allow === null) return true;
  const family = familyOf(address);
  if (!family) return false;
  const ranges = new BlockList();
  for (const range of allow) addRange(ranges, range);
  return ranges.check(address, family);
}

function addRange(ranges: BlockList, range: string): void {
  const [written = '', bits] = range.split('/');
  const mapped = MAPPED_V4.exec(written)?.[1];
  const address = mapped ?? written;
  const family = familyOf(address);
  if (!family) return;
  if (bits === undefined) ranges.addAddress(address, family);
  else ranges.addSubnet(address, mapped ? Math.max(0, Number(bits) - 96) : Number(bits), family);
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const family = isIP(address);
  return family === 4 ? 'ipv4' : family === 6 ? 'ipv6' : undefined;
}
