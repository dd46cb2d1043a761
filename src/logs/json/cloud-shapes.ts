/** Records of cloud platforms that have key tables of their own. */
import { isObject, type JsonObject } from './fields.js';
import { objectAt, ownTable, type Shape } from './shape.js';
import { parseJson } from './text.js';

/** Headers as a list of names and values. */
function headerMap(headers: unknown): JsonObject {
  if (!Array.isArray(headers)) return {};
  const pairs = headers.filter(isObject).map(({ name, value }): [string, unknown] => [String(name), value]);
  return Object.fromEntries(pairs);
}

/** AWS WAF logs every request that a web ACL examined, allowed or blocked. */
export const awsWaf: Shape = {
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
export const azure: Shape = {
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
