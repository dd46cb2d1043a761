/**
 * Recognises the source of a record by its keys. Then a common key (`path`) that has another meaning there is ignored.
 */

import { parseJson } from './document.js';
import {
  type Fields,
  isObject,
  type JsonObject,
  type KeyTable,
  keyTable,
  type LogKeys,
  logFields,
  valueAt,
} from './fields.js';

// A kind of record. The keys of the record identify its source.

export interface Shape {
  readonly name: string;
  readonly fits: (record: JsonObject) => boolean;
  /** Whether the row is not a visit, or repeats a visit. */
  readonly skips: (record: JsonObject, fields: Fields) => boolean;
  /** The only keys of the general table that can contain the path and the user agent. */
  readonly pathKeys?: readonly string[];
  readonly agentKeys?: readonly string[];
  /** The table to use instead of the general one. */
  readonly table?: KeyTable;
  /** Converts the record to a form that the key table can read. */
  readonly view?: (record: JsonObject) => JsonObject;
  /** Whether `id` identifies the request. In other records it may identify a server. */
  readonly statesId?: boolean;
}

const noKeys = Object.fromEntries(logFields.map((field) => [field, []])) as unknown as LogKeys;

/** Makes the key table of a shape. Fields may be absent. */
const ownTable = (keys: Partial<LogKeys>): KeyTable => keyTable({ ...noKeys, ...keys });

/** The value of `record[key]` if it is an object, else an empty object. */
function objectAt(record: JsonObject, key: string): JsonObject {
  const value = record[key];
  return isObject(value) ? value : {};
}

// Records of cloud platforms that have key tables of their own.

/** Headers as a list of names and values. */
function headerMap(headers: unknown): JsonObject {
  if (!Array.isArray(headers)) return {};
  const pairs = headers.filter(isObject).map(({ name, value }): [string, unknown] => [String(name), value]);
  return Object.fromEntries(pairs);
}

/** AWS WAF logs every request that a web ACL examined, allowed or blocked. */
const awsWaf: Shape = {
  name: 'aws-waf',
  fits: (record) => isObject(record.httpRequest) && record.httpRequest.uri !== undefined,
  skips: () => false,
  view: (record) => ({ ...record, headers: headerMap(objectAt(record, 'httpRequest').headers) }),
  table: ownTable({
    id: ['httpRequest.requestId'],
    path: ['httpRequest.uri'],
    query: ['httpRequest.args'],
    userAgent: ['headers.User-Agent'],
    time: ['timestamp'],
    status: ['responseCodeSent'],
    host: ['headers.Host'],
    ip: ['httpRequest.clientIp'],
    method: ['httpRequest.httpMethod'],
    referer: ['headers.Referer'],
  }),
};

/** The data of Azure's diagnostic records: `properties`, an object or the JSON text of an object. */
function properties(record: JsonObject): JsonObject {
  const inside = record.properties;
  const value = typeof inside === 'string' && inside.startsWith('{') ? parseJson(inside) : inside;
  return isObject(value) ? value : {};
}

const isAzureRecord = (record: JsonObject): boolean =>
  record.properties !== undefined &&
  (record.category !== undefined || record.operationName !== undefined || record.resourceId !== undefined);

const azurePaths = ['originalRequestUriWithArgs', 'requestUri', 'CsUriStem'];

/**
 * Front Door, Application Gateway, App Service. Their firewall and probe logs repeat requests or contain other ones.
 */
const azure: Shape = {
  name: 'azure',
  fits: (record) => isAzureRecord(record) && azurePaths.some((key) => properties(record)[key] !== undefined),
  skips: (record) => {
    const { category } = record;
    if (category !== undefined && !/access|http/i.test(String(category))) return true;
    // Requests from an edge server to its origin shield are rows too.
    return String(properties(record).isReceivedFromClient) === 'false';
  },
  view: (record) => (isObject(record.properties) ? record : { ...record, properties: properties(record) }),
  table: ownTable({
    id: ['properties.trackingReference', 'properties.transactionId'],
    path: azurePaths.map((key) => `properties.${key}`),
    query: ['properties.requestQuery', 'properties.CsUriQuery'],
    userAgent: ['properties.userAgent', 'properties.UserAgent'],
    time: ['time', 'timeStamp', 'properties.time'],
    status: ['properties.httpStatusCode', 'properties.httpStatus', 'properties.ScStatus'],
    host: ['properties.originalHost', 'properties.hostName', 'properties.host', 'properties.CsHost'],
    ip: ['properties.clientIp', 'properties.clientIP', 'properties.CIp'],
    method: ['properties.httpMethod', 'properties.CsMethod'],
    bytes: ['properties.responseBytes', 'properties.sentBytes', 'properties.ScBytes'],
    referer: ['properties.referer', 'properties.referrer', 'properties.Referer'],
  }),
};

// Records of proxies, applications and collectors that have key tables of their own.

/** The default format of Envoy Gateway. */
const envoyGateway: Shape = {
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
    peer: ['downstream_remote_address'],
    forwarded: ['x-forwarded-for'],
    method: ['method'],
    bytes: ['bytes_sent'],
    referer: ['referer'],
  }),
};

const states = (record: JsonObject, ...keys: string[]): boolean =>
  keys.some((key) => valueAt(record, key) !== undefined);

/** Elastic Common Schema without `url.original`, which the general table reads. */
const elastic: Shape = {
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
const pino: Shape = {
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
    peer: ['req.remoteAddress'],
    forwarded: ['req.headers.x-forwarded-for'],
    cloudflare: ['req.headers.cf-connecting-ip'],
    method: ['req.method'],
    bytes: ['res.headers.content-length'],
    referer: ['req.headers.referer'],
  }),
};

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
