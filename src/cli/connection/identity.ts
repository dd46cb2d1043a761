import type { BrandEntry } from '../../contract/reads/brands.js';
import type { SvcClient } from '../../sdk/client.js';
import { isSvcError } from '../../sdk/errors.js';
import type { ResponseMetadata } from '../../sdk/response.js';

/** The server's information about a key. */
export interface Identity {
  readonly keyKind: string | null;
  /** The brands that the key can see; null: it may not read. */
  readonly brands: readonly BrandEntry[] | null;
  readonly rateLimit: ResponseMetadata['rateLimit'];
  readonly apiVersion: string | null;
  /** The server's message if it knows the key but refuses the read. */
  readonly refusal: string | null;
}

/**
 * Reads the brands, which every key that may read can see; costs one token.
 * @throws SvcError if the server does not know the key, or the request fails.
 */
export async function identify(svc: SvcClient, signal: AbortSignal): Promise<Identity> {
  try {
    const { data, ...metadata } = await svc.brands.top(undefined, { signal }).withResponse();
    return { ...about(metadata), brands: data.brands, refusal: null };
  } catch (error) {
    if (!isSvcError(error) || error.keyKind === null) throw error;
    if (error.status === 403) return { ...about(error), brands: null, refusal: error.message };
    // A workspace without brands.
    if (error.status === 404) return { ...about(error), brands: [], refusal: error.message };
    throw error;
  }
}

const about = ({ keyKind, rateLimit, apiVersion }: ResponseMetadata) => ({ keyKind, rateLimit, apiVersion });
