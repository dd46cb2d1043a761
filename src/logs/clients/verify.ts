/** Finds the address of the client of a request, and verifies by it that the request comes from the operator of its agent. */
import type { Agent } from '../agents/agent.js';
import type { Entry } from '../entry.js';
import { type AddressKey, fieldKey, isPublicKey, Ranges } from './address.js';
import { type AddressList, listBegin, listEnd } from './lists.js';

export interface Verifier {
  /** Whether the request is one of the agent's operator; null: not known. */
  verify(agent: Agent, entry: Entry): boolean | null;
  /** The address of the client; null: the record does not have it. Never to be stored. */
  clientOf(entry: Entry): AddressKey | null;
}

/** The name of the list of the network that states its client in a header of its own, which others cannot set. */
const CLOUDFLARE = 'cloudflare';

/** Made once for each list, because every body has its own verifier. */
const made = new WeakMap<readonly string[], Ranges>();

function rangesOf({ prefixes }: AddressList): Ranges {
  const known = made.get(prefixes);
  if (known) return known;
  const ranges = new Ranges(prefixes);
  made.set(prefixes, ranges);
  return ranges;
}

/** @param now Lists that are too old at this time verify nothing. */
export function createVerifier(lists: readonly AddressList[], now: Date): Verifier {
  const held = new Map(lists.map((list) => [list.name, { ...list, ranges: rangesOf(list) }]));
  const networks = [...held.values()].filter(({ forwards }) => forwards);
  const isHop = (key: AddressKey): boolean =>
    !isPublicKey(key) || networks.some(({ ranges }) => ranges.has(key));

  function clientOf({ ip, via }: Entry): AddressKey | null {
    let client = fieldKey(via?.peer ?? ip);
    if (client === null || !isHop(client)) return client;
    if (via === undefined) return null;
    if (via.chain === '' && held.get(CLOUDFLARE)?.ranges.has(client)) return fieldKey(via.cloudflare);
    // Each hop appends the address from which it got the request. What stands before a hop that is not known is a claim.
    for (const address of via.chain.split(',').reverse()) {
      client = fieldKey(address);
      if (client === null || !isHop(client)) return client;
    }
    return null;
  }

  return {
    clientOf,
    verify(agent, entry) {
      if (agent.ranges.length === 0) return null;
      const own = agent.ranges.map((name) => held.get(name));
      const telling = own.flatMap((list) => (list && tells(list, entry.time, now.getTime()) ? [list] : []));
      if (telling.length === 0) return null;
      const client = clientOf(entry);
      if (client === null) return null;
      if (telling.some(({ ranges }) => ranges.has(client))) return true;
      return telling.length === own.length ? false : null;
    },
  };
}

/** Whether a list tells about a request of this time. */
const tells = (list: AddressList, time: number, now: number): boolean =>
  now < listEnd(list) && time >= listBegin(list);
