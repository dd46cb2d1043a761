import { SvcClient } from '../../sdk/client.js';
import { isSvcError } from '../../sdk/errors.js';
import { MOST_BODY_BYTES } from '../../sdk/ingest/limits.js';
import type { IngestProgress } from '../../sdk/ingest/options.js';
import { CommandError } from '../command-error.js';
import type { Settings } from '../settings.js';
import { MOST_BATCH_BYTES } from './flags.js';
import { shippingFetch } from './shipping-client.js';

export interface DeliveryOptions {
  readonly settings: Settings;
  readonly gzip: boolean;
  readonly maxRetries: number;
  /** Milliseconds for one request. */
  readonly timeout: number;
  readonly batchBytes: number;
  readonly signal: AbortSignal;
  readonly warn: (message: string) => void;
  /** Told of retries. */
  readonly info: (message: string) => void;
  readonly onDelivered: (sent: IngestProgress) => void;
}

const MOST_AT_ONCE = 2;
const LEAST_BATCH_BYTES = 65_536;

/** Sends batches, at most two at once, and learns how large they should be. */
export class Delivery {
  readonly #options: DeliveryOptions;
  readonly #svc: SvcClient;
  /** Bytes of the batches to come. */
  batchBytes: number;
  #most = MOST_BATCH_BYTES;
  #underWay = 0;
  readonly #waiting: (() => void)[] = [];

  /** @throws CommandError `authentication` without a key, `usage` for what cannot be an address or a key. */
  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.batchBytes = options.batchBytes;
    this.#svc = this.#connect();
  }

  async send(bytes: Uint8Array): Promise<IngestProgress> {
    const { signal, maxRetries, timeout, onDelivered } = this.#options;
    if (this.#underWay >= MOST_AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#underWay += 1;
    try {
      // Compressed on its way out; cut here already.
      const call = { signal, maxRetries, timeout, gzip: false, maxBodyBytes: MOST_BODY_BYTES };
      const sent = await this.#svc.ingest([bytes], call);
      if (sent.bodies > 1) this.#lower(bytes.length / sent.bodies);
      onDelivered(sent);
      return sent;
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#underWay -= 1;
    }
  }

  /** Something on the way takes less than was sent. */
  #lower(bytes: number): void {
    this.#most = Math.max(LEAST_BATCH_BYTES, Math.min(this.#most, Math.floor(bytes)));
    this.batchBytes = Math.min(this.batchBytes, this.#most);
  }

  #connect(): SvcClient {
    const { settings, gzip, warn, info } = this.#options;
    const { url, key, brand } = settings;
    if (!key) {
      const hint = 'Store one with `svc login`, or set SVC_API_KEY.';
      throw new CommandError('authentication', `No API key for ${url}.`, { hint });
    }
    // Requests are what is scarce, so each takes more.
    const onScarcity = () => {
      this.batchBytes = Math.min(this.batchBytes * 2, this.#most);
    };
    const fetch = shippingFetch({ gzip, onScarcity });
    const logger = { error: warn, warn, info, debug: () => {} };
    try {
      return new SvcClient({ baseUrl: url, apiKey: key, brand, logger, fetch });
    } catch (error) {
      if (isSvcError(error)) throw new CommandError('usage', error.message);
      throw error;
    }
  }
}
