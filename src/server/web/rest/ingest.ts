/** POST /api/v1/crawler-events: first its gates in order, then its handler. */
import type { Knex } from 'knex';
import {
  type CrawlerEventsParams,
  crawlerEvents,
  type IngestResult,
} from '../../../contract/crawler-events.js';
import { API_ROOT } from '../../../contract/paths.js';
import { proxyList } from '../../../logs/clients/lists.js';
import { verifyCode } from '../../../logs/verification.js';
import type { Access, Brand } from '../../accounts/access.js';
import { parseParams } from '../../answers/parameters.js';
import { keptLists } from '../../base/address-lists.js';
import { NEVER_GONE, waitingAlone } from '../../base/audience.js';
import { deploymentSecret } from '../../base/deployment-secret.js';
import { createMemoryBudget, type MemoryLimits, storingTurns } from '../../intake/ingest/limits.js';
import { DEDUPE_SECRET, takeLogs } from '../../intake/ingest/take-logs.js';
import { type GateEnvironment, type GateOptions, passGates, visibleBrand } from '../gates.js';
import { cutUnreadBody } from '../http/connection.js';
import { type BodyTimeouts, readBody, statedLength } from '../http/read-body.js';
import { requireMethod } from '../http/routing.js';
import type { Context, Handler } from '../state.js';

/** Called with the result of each stored body of crawler logs. */
export type Ingested = (result: IngestResult) => void;

export interface IngestEnvironment extends GateEnvironment {
  readonly db: Knex;
  readonly crawlerRetentionDays: number;
  readonly crawlerLogProxies: readonly string[];
  readonly bodyTimeouts: BodyTimeouts;
  readonly memoryLimits: MemoryLimits;
  /** Called with each result. */
  readonly ingested?: Ingested | undefined;
}

export function ingestRoute(env: IngestEnvironment): [path: string, Handler] {
  const take = takeBody(env);
  const options: GateOptions = {
    lane: 'ingest',
    checks: [requireMethod(['POST'])],
  };
  const handle: Handler = async (ctx) => {
    cutUnreadBody(ctx);
    const access = await passGates(env, ctx, options);
    await take(ctx, access, await visibleBrand(env.directory, access, crawlerEvents, ctx.query));
  };
  return [`${API_ROOT}/${crawlerEvents.name}`, handle];
}

function takeBody(env: IngestEnvironment) {
  const { bodyBytes: maxBytes } = crawlerEvents.limits;
  const budget = createMemoryBudget(env.memoryLimits);
  const turns = storingTurns(env.db);
  const secret = deploymentSecret(env.db, DEDUPE_SECRET);
  const lists = keptLists(env.db, env.clock);
  const proxies = proxyList(env.crawlerLogProxies);
  return async (ctx: Context, { keyId }: Access, { key: brandKey }: Brand): Promise<void> => {
    const { vercel_verify: vercelVerify } = parseParams(
      crawlerEvents.params,
      ctx.query,
    ) as CrawlerEventsParams;
    const stated = statedLength(ctx.req);
    // A stated length above the limit is refused when the body is read.
    // A body that has arrived is stored even if its client leaves.
    const audience = waitingAlone({ keyId, gone: NEVER_GONE });
    const reservation = budget.reserve(keyId, stated > maxBytes ? 0 : stated);
    try {
      const onLength = (length: number) => reservation.grow(length);
      const wire = await readBody(ctx.req, { maxBytes, timeouts: env.bodyTimeouts, onLength });
      const store = {
        db: env.db,
        secret: await secret(),
        lists: [...(await lists()), proxies],
        retentionDays: env.crawlerRetentionDays,
      };
      const received = { brandKey, wire, headers: ctx.headers, vercelVerify, now: env.clock() };
      const { result, changed } = await turns.run(audience, () => takeLogs(store, received));
      if (changed) env.directory.forget();
      env.ingested?.(result);
      echoCode(ctx, vercelVerify);
      ctx.status = 200;
      ctx.set('Content-Type', 'application/json');
      ctx.body = JSON.stringify(result);
    } finally {
      reservation.release();
    }
  };
}

/** Vercel keeps a drain only if every success carries its code. */
function echoCode(ctx: Context, vercelVerify: string | undefined): void {
  const code = verifyCode({ headers: ctx.headers, vercelVerify });
  if (code !== null) ctx.set('x-vercel-verify', code);
}
