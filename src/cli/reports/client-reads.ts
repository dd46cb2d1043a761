/** The reads of reports, sent to a server, with null where nothing was measured. */
import { type BrandReads, measuredReads, type ReadParams } from '../../contract/brand-reads.js';
import type { BodyOf, ReadName } from '../../contract/registry.js';
import type { CallOptions } from '../../sdk/arguments.js';
import type { SvcClient } from '../../sdk/client.js';
import { isSvcError } from '../../sdk/errors.js';

/** A plan that is too low, runs that were deleted, or a server that does not have the read. */
const REFUSALS: readonly (number | null | undefined)[] = [400, 403, 404];

export function clientReads(svc: SvcClient, options: CallOptions): BrandReads {
  type Call = (params: object, options: CallOptions) => PromiseLike<object>;
  const calls: { readonly [N in ReadName]?: Call } = {
    briefing: svc.briefing,
    overview: svc.overview,
    history: svc.history as Call,
    why: svc.why,
    competitors: svc.competitors.top,
    prompts: svc.prompts.top,
    'content-coverage': (params, own) => svc.tools.call('get_content_coverage', params, own),
    sources: svc.sources.top,
    sentiment: svc.sentiment,
    marks: svc.marks,
    effect: svc.effect,
    crawlers: svc.crawlers as Call,
  };
  const load = async <N extends ReadName>(name: N, params: ReadParams = {}) => {
    const call = calls[name];
    if (!call) throw new Error(`reports have no ${name}`);
    return (await call(params, options)) as BodyOf<N>;
  };
  return measuredReads({
    load,
    loadIfPossible: async (name, params) => {
      try {
        return await load(name, params);
      } catch (error) {
        if (isSvcError(error) && REFUSALS.includes(error.status)) return { refused: error.message };
        throw error;
      }
    },
  });
}
