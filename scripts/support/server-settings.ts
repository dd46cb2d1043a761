import type { ServerSettings } from '../../src/server/run/main.js';

/** The settings of a server on a free port of this machine that logs nothing. */
export const serverSettings = (operatorKey: string): ServerSettings => ({
  operatorKey,
  host: '127.0.0.1',
  port: 0,
  rateLimitStore: 'memory',
  trustProxyHops: 0,
  allowedOrigins: [],
  logLevel: 'silent',
  crawlerRetentionDays: 400,
  robotsAllowPrivate: false,
  factCheckModel: null,
});
