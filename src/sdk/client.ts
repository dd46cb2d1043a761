import { Endpoints } from './endpoints.js';

/**
 * The API of an svc server, one method per resource.
 *
 *     const svc = new SvcClient({ baseUrl, apiKey });
 *     const { visibility } = await svc.overview();
 *     for await (const prompt of svc.prompts.list()) …
 *
 * Calls are paced by the key's token bucket and tried again where that helps; failures are SvcErrors.
 */
export class SvcClient extends Endpoints {
  /** The brands that the key can see. */
  readonly brands = this.list('brands');
  /** The visibility scorecard of one brand over the last 7 days. */
  readonly overview = this.read('overview');
  /** Active prompts with presence, visibility and position; null there means not sampled, see `promptState`. */
  readonly prompts = this.list('prompts');
  /** The brand and its tracked competitors side by side. */
  readonly competitors = this.list('competitors');
  /** The domains that answers cite. */
  readonly sources = this.list('sources');
  /** The pages that answers cite. */
  readonly urls = this.list('urls');
  /** The collected answers with their mentions and citations. */
  readonly answers = this.list('answers');
}
