/** Whether a client can sign in by OAuth at the server, so that no key is needed on the machine. */
import { ISSUER_METADATA_PATH, RESOURCE_METADATA_PATH } from '../../contract/oauth.js';
import { type ClientName, clientOf } from './setup.js';

const TIMEOUT_MS = 5000;

/** The address that a client signs in at; null: it gets a key. */
export interface Way {
  readonly oauth: string | null;
  readonly why: string;
}

interface Asking {
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
}

/** @param base The address of the server, checked. */
export async function wayFor(client: ClientName, base: string, asking: Asking): Promise<Way> {
  const { oauth } = clientOf(client);
  if (!oauth)
    return {
      oauth: null,
      why: `${client} gets the key: its file has no servers that it signs in at by OAuth.`,
    };
  const { resource } = (await documentAt(base + RESOURCE_METADATA_PATH, asking)) ?? {};
  if (typeof resource !== 'string' || !/^https:\/\//.test(resource) || !URL.canParse(resource))
    return { oauth: null, why: `${client} gets the key: the server offers no OAuth.` };
  if (oauth.registers) {
    const { registration_endpoint } = (await documentAt(base + ISSUER_METADATA_PATH, asking)) ?? {};
    if (registration_endpoint === undefined)
      return {
        oauth: null,
        why: `${client} gets the key: it registers itself for OAuth, which the server does not allow (OAUTH_DCR).`,
      };
  }
  return {
    oauth: resource,
    why: `${client} signs in by OAuth, which it and the server have: no key is needed on this machine. --key keeps the key.`,
  };
}

/** A JSON object; undefined if there is none, for whatever reason: then the key is tried, whose failures are explained. */
async function documentAt(
  url: string,
  { fetch, signal }: Asking,
): Promise<Record<string, unknown> | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) });
    return response.ok ? Object(await response.json()) : undefined;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
