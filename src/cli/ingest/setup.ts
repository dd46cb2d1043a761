import { crawlerEvents } from '../../contract/crawler-events.js';

export const platforms = ['vercel', 'cloudflare', 'nginx', 'apache'] as const;
export type Platform = (typeof platforms)[number];

export interface SetupValues {
  /** Address of the server, without a slash at its end. */
  readonly url: string;
  /** Brand id; undefined: the first brand of the key. */
  readonly brand: string | undefined;
}

const KEY = '<ingest key>';

/** The settings with which a platform ships its logs. */
export function setupText(platform: Platform, values: SetupValues): string {
  return texts[platform](values);
}

/** The endpoint with these parameters of its query. */
function endpoint({ url, brand }: SetupValues, ...more: string[]): string {
  const query = [...(brand ? [`brand=${encodeURIComponent(brand)}`] : []), ...more];
  return `${url}/api/v1/${crawlerEvents.name}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}

const texts: { readonly [P in Platform]: (values: SetupValues) => string } = {
  vercel: (values) => `Vercel: Team Settings > Drains > Add Drain > Logs, custom endpoint.

Endpoint       ${endpoint(values, 'vercel_verify=<code shown by Vercel>')}
Format         NDJSON (JSON works too)
Custom header  Authorization: Bearer ${KEY}
Sources        static, edge, function, redirect, firewall
Environment    production

Replace the code by the one that the dialog shows (x-vercel-verify), and ${KEY} by a key of kind
ingest: svc admin keys create --workspace ID --kind ingest.
`,
  cloudflare: (values) => `Cloudflare: a Logpush job of the data set http_requests, destination HTTP.

destination_conf:
  ${endpoint(values, `header_Authorization=Bearer%20${KEY}`)}
output_options.field_names:
  ${cloudflareFields.join(', ')}
max_upload_bytes: 5000000
max_upload_interval_seconds: 60
filter, to save volume (user agents that hold one of these words):
  ${JSON.stringify({ where: { or: cloudflareWords.map(userAgentContains) } })}

Replace ${KEY} by a key of kind ingest: svc admin keys create --workspace ID --kind ingest.
`,
  nginx: (values) =>
    ofAccessLog(values, {
      server: 'nginx',
      file: '/var/log/nginx/access.log',
      settings: `/etc/nginx/nginx.conf, in http { }; combined is the default and has all that is needed:
  access_log /var/log/nginx/access.log combined;`,
    }),
  apache: (values) =>
    ofAccessLog(values, {
      server: 'Apache',
      file: '/var/log/apache2/access.log',
      settings: `The site, in <VirtualHost>; combined has all that is needed, and common has no user agents:
  CustomLog /var/log/apache2/access.log combined
On Fedora and its relatives the log is /var/log/httpd/access_log, and only root reads it: User=root
instead of DynamicUser and SupplementaryGroups.`,
    }),
};

interface AccessLog {
  readonly server: string;
  readonly file: string;
  /** How the server writes the log. */
  readonly settings: string;
}

/** The steps for a server that writes a log on its own disk. */
const ofAccessLog = (
  { url, brand }: SetupValues,
  { server, file, settings }: AccessLog,
): string => `${server}: ship the access log as it is written.

${settings}

/etc/systemd/system/svc-ingest.service:
  [Unit]
  Description=Ship crawler logs
  After=network-online.target
  Wants=network-online.target

  [Service]
  ExecStart=svc ingest --follow ${file}${brand ? ` --brand ${brand}` : ''} --url ${url} --key-file %d/svc-key
  LoadCredential=svc-key:/etc/svc/ingest.key
  Environment=XDG_STATE_HOME=%S
  StateDirectory=svc
  DynamicUser=yes
  SupplementaryGroups=adm
  Restart=on-failure
  RestartSec=30

  [Install]
  WantedBy=multi-user.target

/etc/svc/ingest.key holds a key of kind ingest: svc admin keys create --workspace ID --kind ingest.
logrotate needs no change: renaming with a signal to ${server} and copytruncate are both followed.

What is there already, once:
  zcat -f ${file}* | svc ingest${brand ? ` --brand ${brand}` : ''} --url ${url}
`;

const cloudflareFields = [
  'ClientRequestURI',
  'ClientRequestHost',
  'ClientRequestUserAgent',
  'ClientRequestSource',
  'ClientIP',
  'EdgeStartTimestamp',
  'EdgeResponseStatus',
  'RayID',
];

/**
 * Every known agent has one of these substrings in its user agent. The length of a filter is limited, so it cannot list
 * all agents; the server decides which requests are hits.
 */
export const cloudflareWords = [
  'bot',
  'Bot',
  'User',
  'AI',
  'laude',
  '-ai',
  '.ai',
  'Deep',
  'Google',
  'mazon',
  'Nova',
  'ta',
  'gent',
  'pider',
  'rawl',
  'kagi',
  'Devin',
  'Webz',
  'omgili',
  'Cotoyogi',
  'Yandex',
  'panscient',
  'laion',
  'nomura',
  'AutoRAG',
];

const userAgentContains = (value: string): object => ({
  key: 'ClientRequestUserAgent',
  operator: 'contains',
  value,
});
