/** Records of proxies, applications and collectors that have key tables of their own. */
import { isObject, type JsonObject, valueAt } from './fields.js';
import { ownTable, type Shape } from './shape.js';

/** The default format of Envoy Gateway. */
export const envoyGateway: Shape = {
  name: 'envoy-gateway',
  fits: (record) => record['x-envoy-origin-path'] !== undefined,
  skips: () => false,
  table: ownTable({
    id: ['x-request-id'],
    path: ['x-envoy-origin-path'],
    userAgent: ['user-agent'],
    time: ['start_time'],
    status: ['response_code'],
    host: [':authority'],
    ip: ['x-forwarded-for', 'downstream_remote_address'],
    method: ['method'],
    bytes: ['bytes_sent'],
    referer: ['referer'],
  }),
};

const states = (record: JsonObject, ...keys: string[]): boolean =>
  keys.some((key) => valueAt(record, key) !== undefined);

/** Elastic Common Schema without `url.original`, which the general table reads. */
export const elastic: Shape = {
  name: 'elastic-common-schema',
  fits: (record) =>
    (record.url !== undefined || record['url.path'] !== undefined || record['url.full'] !== undefined) &&
    states(record, 'url.path', 'url.full') &&
    !states(record, 'url.original') &&
    states(record, 'user_agent.original', 'http.request.method', 'http.response.status_code'),
  skips: () => false,
  table: ownTable({
    path: ['url.path', 'url.full'],
    query: ['url.query'],
    userAgent: ['user_agent.original'],
    time: ['@timestamp', 'timestamp', 'time'],
    status: ['http.response.status_code'],
    host: ['url.domain'],
    ip: ['source.ip', 'client.ip', 'source.address', 'client.address'],
    method: ['http.request.method'],
    bytes: ['http.response.body.bytes', 'http.response.bytes'],
    referer: ['http.request.referrer'],
  }),
};

/**
 * pino-http, bunyan and Fastify: the request in `req`, the response in `res`. Their request ids count from 1 with every
 * start of the process, so they do not identify a request.
 */
export const pino: Shape = {
  name: 'pino',
  fits: ({ req }) => isObject(req) && (req.url !== undefined || req.originalUrl !== undefined),
  // Messages of an application about a request have `req` too. Fastify logs each request when it arrives.
  skips: (record) => !states(record, 'res', 'responseTime', 'reqId'),
  table: ownTable({
    path: ['req.originalUrl', 'req.url'],
    userAgent: ['req.headers.user-agent', 'req.userAgent'],
    time: ['time', 'timestamp', '@timestamp', 'ts'],
    status: ['res.statusCode'],
    host: ['req.headers.host', 'req.host', 'req.hostname'],
    ip: ['req.remoteAddress', 'req.ip'],
    method: ['req.method'],
    bytes: ['res.headers.content-length'],
    referer: ['req.headers.referer'],
  }),
};
