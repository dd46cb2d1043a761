export type LogField =
  | 'id'
  | 'path'
  | 'query'
  | 'userAgent'
  | 'time'
  | 'status'
  | 'host'
  | 'ip'
  | 'method'
  | 'bytes'
  | 'referer';

/**
 * The keys of each field in JSON access logs, in priority order. Dots mean nesting. The first value of an array or of a
 * header counts. Header names are case-insensitive.
 */
export type LogKeys = Readonly<Record<LogField, readonly string[]>>;

/**
 * The keys for sources that have no table of their own (see shapes). They also determine the identity of a record:
 * after a key is added before or between those of a field, records that were sent before count again.
 */
export const logKeys: LogKeys = {
  id: [
    'RayID',
    'requestId',
    'request_id',
    'x-edge-request-id',
    'reqId',
    'insertId',
    'proxy.vercelId',
    'rayId',
    // The id of a row in some sources, of a server in others. The shape decides which.
    'id',
  ],
  path: [
    'ClientRequestURI',
    'ClientRequestPath',
    'proxy.path',
    'request.uri',
    'request_uri',
    'cs-uri-stem',
    'reqPath',
    'httpRequest.requestUrl',
    'RequestPath',
    'request_url',
    'requestUrl',
    'url.original',
    'http.url',
    'url',
    'uri',
    'path',
    'request',
  ],
  query: ['cs-uri-query', 'queryStr', 'query_string'],
  userAgent: [
    'ClientRequestUserAgent',
    'proxy.userAgent',
    'request.headers.User-Agent',
    'request_User-Agent',
    'http_user_agent',
    'cs(User-Agent)',
    'cs-user-agent',
    'UA',
    'httpRequest.userAgent',
    'request_user_agent',
    'user_agent.original',
    'http.useragent',
    'user_agent',
    'userAgent',
    'useragent',
    'agent',
    'User-Agent',
    'ua',
  ],
  time: [
    'EdgeStartTimestamp',
    'EdgeEndTimestamp',
    'proxy.timestamp',
    'StartUTC',
    'reqTimeSec',
    'timestamp(ms)',
    'ts',
    'time_iso8601',
    'timestamp_iso8601',
    '@timestamp',
    'timestamp',
    'start_time',
    'time',
    'msec',
    'time_local',
    'datetime',
    'event_time',
    'date',
    'receiveTimestamp',
    'time_start',
    'requestTime',
    'requestTimeEpoch',
    'time_end',
  ],
  status: [
    'EdgeResponseStatus',
    'proxy.statusCode',
    'statusCode',
    'httpRequest.status',
    'DownstreamStatus',
    'sc-status',
    'response_status',
    'status_code',
    'status',
    'response_code',
    'response',
  ],
  host: [
    'ClientRequestHost',
    'proxy.host',
    'request.host',
    'x-host-header',
    'cs(Host)',
    'cs-host',
    'reqHost',
    'RequestHost',
    'http_host',
    'host',
  ],
  ip: [
    'ClientIP',
    'proxy.clientIp',
    'request.client_ip',
    'request.remote_ip',
    'c-ip',
    'cliIP',
    'httpRequest.remoteIp',
    'ClientHost',
    'client_ip',
    'clientIp',
    'remote_addr',
    'remoteAddr',
    'ip',
  ],
  method: [
    'ClientRequestMethod',
    'proxy.method',
    'request.method',
    'cs-method',
    'reqMethod',
    'httpRequest.requestMethod',
    'RequestMethod',
    'request_method',
    'method',
  ],
  bytes: [
    'EdgeResponseBytes',
    'proxy.responseByteSize',
    'httpRequest.responseSize',
    'DownstreamContentSize',
    'sc-bytes',
    'totalBytes',
    'body_bytes_sent',
    'bytes_sent',
    'response_size',
    'size',
    'bytes',
  ],
  referer: [
    'ClientRequestReferer',
    'proxy.referer',
    'request.headers.Referer',
    'httpRequest.referer',
    'request_Referer',
    'cs(Referer)',
    'http_referer',
    'request_referer',
    'referer',
    'referrer',
  ],
};

/** Keys that also occur in other records. They make a record a request only together with another request field. */
export const weakPathKeys: ReadonlySet<string> = new Set(['url', 'uri', 'path', 'request']);

/** Keys under which a collector wraps many records, and those under which it wraps one line of text. */
export const wrapperKeys = ['logs', 'events', 'records', 'entries', 'data'] as const;
export const lineKeys = ['message', 'log', 'MESSAGE'] as const;
