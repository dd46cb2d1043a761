/**
 * Recognises the source of a record by its keys. Then a common key (`path`) that has another meaning there is ignored.
 */
import { awsWaf, azure } from './cloud-shapes.js';
import { isObject, type JsonObject } from './fields.js';
import { elastic, envoyGateway, pino } from './server-shapes.js';
import type { Shape } from './shape.js';

/**
 * Whether the row is not a visitor's own request. Subrequests, purges and health checks are additional rows of a visit.
 */
function isNoEyeball(record: JsonObject): boolean {
  const source = record.ClientRequestSource;
  if (source === undefined || source === null || source === '') {
    return record.WorkerSubrequest === true || record.WorkerSubrequest === 'true';
  }
  return source !== 1 && source !== '1' && String(source).toLowerCase() !== 'eyeball';
}

const cloudflare: Shape = {
  name: 'cloudflare',
  fits: (record) =>
    record.RayID !== undefined ||
    record.ClientRequestURI !== undefined ||
    record.ClientRequestUserAgent !== undefined ||
    record.ClientRequestPath !== undefined ||
    record.ClientRequestSource !== undefined,
  skips: isNoEyeball,
  pathKeys: ['ClientRequestURI', 'ClientRequestPath'],
  agentKeys: ['ClientRequestUserAgent'],
};

/** Build output, middleware and background revalidation are rows too; the last has status -1 on the proxy. */
const vercel: Shape = {
  name: 'vercel',
  fits: (record) =>
    record.deploymentId !== undefined && (record.source !== undefined || record.proxy !== undefined),
  skips: (record, fields) => {
    const proxy = record.proxy;
    if (!isObject(proxy) || fields.key('userAgent') !== 'proxy.userAgent') return true;
    return proxy.statusCode === -1 || proxy.statusCode === '-1';
  },
  pathKeys: ['proxy.path'],
  agentKeys: ['proxy.userAgent'],
  statesId: true,
};

/** All subsystems of Caddy write to one stream; errors and proxy steps repeat the request of an access line. */
const caddy: Shape = {
  name: 'caddy',
  fits: (record) =>
    (isObject(record.request) && record.request.uri !== undefined) ||
    (record.logger !== undefined && record.ts !== undefined && record.level !== undefined),
  skips: (record) => {
    const logger = record.logger;
    return !isObject(record.request) || (typeof logger === 'string' && !logger.startsWith('http.log.access'));
  },
  pathKeys: ['request.uri'],
  agentKeys: ['request.headers.User-Agent'],
};

const googleCloud: Shape = {
  name: 'google-cloud',
  fits: (record) => isObject(record.httpRequest),
  skips: () => false,
  pathKeys: ['httpRequest.requestUrl'],
  agentKeys: ['httpRequest.userAgent'],
};

const shapes: readonly Shape[] = [
  cloudflare,
  vercel,
  caddy,
  awsWaf,
  googleCloud,
  envoyGateway,
  elastic,
  pino,
  azure,
];

/** The shape of a record, undefined for a record that is read with the general key table. */
export function shapeOf(record: JsonObject): Shape | undefined {
  for (const shape of shapes) if (shape.fits(record)) return shape;
  return undefined;
}
