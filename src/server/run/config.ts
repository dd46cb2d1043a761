/** Reads the server's settings from the environment. All faults are reported together, each with the expected value. */

import { ExpectedError } from '../../contract/failure.js';
import { isLoopback } from '../../contract/paths.js';
import { EXPECTED_PROXIES, readProxies } from '../../logs/clients/lists.js';
import {
  type IdentityProvider,
  maskedIdentityProvider,
  readIdentityProvider,
} from '../accounts/identity-provider.js';
import { type MailConfig, maskedMailConfig, readMailConfig } from '../alerts/delivery/mail.js';
import { type ModelConfig, maskedModelConfig, readModelConfig } from '../alerts/fact-check/model.js';
import type { ReadVariable } from '../base/read-variable.js';

export interface ServerConfig {
  /** The operator key; null: the API is off. */
  readonly operatorKey: string | null;
  readonly databaseUrl: string | null;
  /** A replica of the database, for reads; null if there is none. */
  readonly databaseReadUrl: string | null;
  /** Folder of the embedded database; null: the user's data folder. */
  readonly dataDir: string | null;
  readonly host: string;
  readonly port: number;
  /** The port of the metrics; null: they are off. */
  readonly adminPort: number | null;
  readonly adminHost: string;
  readonly workers: number;
  /** The address under which users reach the server; null: derived from host and port. */
  readonly publicUrl: string | null;
  readonly page: boolean;
  /** Whether people may connect assistants by OAuth. */
  readonly oauth: boolean;
  /** Whether assistants may register themselves for it. */
  readonly oauthRegistration: boolean;
  /** By which people sign in to the page; null: by keys and links only. */
  readonly identityProvider: IdentityProvider | null;
  /** Null: memory on the embedded database, else the database. */
  readonly rateLimitStore: 'memory' | 'database' | null;
  readonly trustProxyHops: number;
  readonly allowedOrigins: readonly string[];
  readonly logLevel: string;
  /** Crawler hits older than this are deleted each night and not stored. */
  readonly crawlerRetentionDays: number;
  /** Addresses and prefixes of proxies in front of the sites whose logs come, besides the known networks. */
  readonly crawlerLogProxies: readonly string[];
  /** Fetch robots.txt from private and loopback addresses too. */
  readonly robotsAllowPrivate: boolean;
  /** The files, such as svc.toml, whose `[schedule]` the server follows; empty: it does not collect by itself. */
  readonly plans: readonly string[];
  /** Whether people with a full key may change those files on the page. */
  readonly edit: boolean;
  /** The language model of fact checks; null if there is none. */
  readonly factCheckModel: ModelConfig | null;
  /** Deliver events to private and loopback addresses too, and by http. */
  readonly alertsAllowPrivate: boolean;
  /** How mail is sent; null: none is sent. */
  readonly mail: MailConfig | null;
}

/** The settings are invalid. The message lists every fault. */
export class ConfigError extends ExpectedError {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super('usage', faults.join('\n'));
    this.faults = faults;
  }
}

type Env = Readonly<Record<string, string | undefined>>;

const MIN_OPERATOR_KEY_LENGTH = 24;
const MAX_WORKERS = 64;
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** @throws ConfigError with every invalid variable. */
export function readConfig(env: Env): ServerConfig {
  const faults: string[] = [];
  const read = readerOf(env, faults);
  const config: ServerConfig = {
    operatorKey: read<string | null>(
      'API_ACCESS_KEY',
      null,
      `at least ${MIN_OPERATOR_KEY_LENGTH} characters without white space; make one with: openssl rand -base64 32`,
      (value) => (/^\S+$/.test(value) && value.length >= MIN_OPERATOR_KEY_LENGTH ? value : undefined),
    ),
    databaseUrl: read<string | null>(
      'DATABASE_URL',
      null,
      'postgres://user:password@host:5432/database',
      postgresUrl,
    ),
    databaseReadUrl: read<string | null>(
      'DATABASE_READ_URL',
      null,
      'postgres://user:password@host:5432/database, a replica of DATABASE_URL',
      postgresUrl,
    ),
    dataDir: read<string | null>('SVC_DATA_DIR', null, 'a folder', (value) => value),
    host: read('HOST', '127.0.0.1', 'an address or host name', (value) => value),
    port: read('PORT', 8080, 'a port from 0 to 65535', (value) => wholeNumber(value, 65_535)),
    adminPort: read<number | null>('ADMIN_PORT', null, 'a port from 0 to 65535', (value) =>
      wholeNumber(value, 65_535),
    ),
    adminHost: read('ADMIN_HOST', '127.0.0.1', 'an address or host name', (value) => value),
    workers: read(
      'WORKERS',
      1,
      `a number of processes, 1 to ${MAX_WORKERS}`,
      (value) => wholeNumber(value, MAX_WORKERS) || undefined,
    ),
    publicUrl: read<string | null>('PUBLIC_URL', null, 'https://host', webUrl),
    page: read('PAGE', true, 'on or off', onOrOff),
    oauth: read('OAUTH', false, 'on or off', onOrOff),
    oauthRegistration: read('OAUTH_DCR', false, 'on or off', onOrOff),
    identityProvider: readIdentityProvider(read, (fault) => faults.push(fault)),
    rateLimitStore: read<'memory' | 'database' | null>(
      'RATE_LIMIT_STORE',
      null,
      'memory or database',
      (value) => (value === 'memory' || value === 'database' ? value : undefined),
    ),
    trustProxyHops: read('TRUST_PROXY_HOPS', 0, 'the number of proxies in front, 0 to 20', (value) =>
      wholeNumber(value, 20),
    ),
    allowedOrigins: read<string[]>(
      'ALLOWED_ORIGINS',
      [],
      'comma-separated origins, such as https://app.example.com',
      origins,
    ),
    logLevel: read('LOG_LEVEL', 'info', `one of ${LOG_LEVELS.join(', ')}`, (value) =>
      LOG_LEVELS.includes(value) ? value : undefined,
    ),
    crawlerRetentionDays: read(
      'CRAWLER_RETENTION_DAYS',
      400,
      'a number of days, 1 to 36500',
      (value) => wholeNumber(value, 36_500) || undefined,
    ),
    crawlerLogProxies: read<string[]>('CRAWLER_LOG_PROXIES', [], EXPECTED_PROXIES, readProxies),
    robotsAllowPrivate: read('ROBOTS_ALLOW_PRIVATE', false, 'true or false', trueOrFalse),
    plans: read<string[]>('SVC_PLAN', [], 'a file, or several with commas', files),
    edit: read('SVC_EDIT', false, 'on or off', onOrOff),
    factCheckModel: readModelConfig(read, (fault) => faults.push(fault)),
    alertsAllowPrivate: read('ALERTS_ALLOW_PRIVATE', false, 'true or false', trueOrFalse),
    mail: readMailConfig(read, (fault) => faults.push(fault)),
  };
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

/** The variables that a server reads. */
const serverVariables = (): ReadonlySet<string> => {
  const names = new Set<string>();
  readConfig(
    new Proxy<Record<string, undefined>>(
      {},
      {
        get: (_, name) => {
          names.add(String(name));
        },
      },
    ),
  );
  return names;
};

let own: ReadonlySet<string> | undefined;

/** Whether a variable is of svc or of the Postgres driver: it has no key of an engine, and may have another secret. */
export function isOwnVariable(name: string): boolean {
  own ??= serverVariables();
  return own.has(name) || /^(?:SVC_|PG)/.test(name);
}

/** Reads variables by name. Undefined from `parse` is a fault, which does not show the value: it may be a secret. */
const readerOf =
  (env: Env, faults: string[]): ReadVariable =>
  (name, fallback, expected, parse) => {
    const value = env[name];
    if (value === undefined || value === '') return fallback;
    const parsed = parse(value);
    if (parsed === undefined) faults.push(`${name}: expected ${expected}`);
    return parsed ?? fallback;
  };

/**
 * Checks settings of a server that depend on each other. Commands on the database accept any combination of them.
 * @throws ConfigError with every fault.
 */
export function validateServeConfig({
  databaseUrl,
  databaseReadUrl,
  workers,
  rateLimitStore,
  publicUrl,
  page,
  oauth,
  oauthRegistration,
  identityProvider,
  plans,
  edit,
}: Pick<
  ServerConfig,
  | 'databaseUrl'
  | 'databaseReadUrl'
  | 'workers'
  | 'rateLimitStore'
  | 'publicUrl'
  | 'page'
  | 'oauth'
  | 'oauthRegistration'
  | 'identityProvider'
  | 'plans'
  | 'edit'
>): void {
  const faults: string[] = [];
  if (oauth && (publicUrl === null || new URL(publicUrl).protocol !== 'https:' || !isOrigin(publicUrl)))
    faults.push('OAUTH: expected PUBLIC_URL as https://host, without a path');
  if (oauth && !page)
    faults.push('OAUTH: expected PAGE=on, because people sign in to the page to connect an assistant');
  if (identityProvider && !isReturnable(publicUrl))
    faults.push('OIDC_ISSUER: expected PUBLIC_URL as https://host, where the provider sends people back to');
  if (identityProvider && !page) faults.push('OIDC_ISSUER: expected PAGE=on, to which people sign in');
  if (edit && plans.length === 0 && workers > 1)
    faults.push(
      `SVC_EDIT: expected a plan (--plan or SVC_PLAN) with several workers, because one process makes the first plan and begins to collect; got WORKERS ${workers}`,
    );
  if (edit && !page) faults.push('SVC_EDIT: expected PAGE=on, because the plan is changed on the page');
  if (oauthRegistration && !oauth) faults.push('OAUTH_DCR: expected OAUTH=on too');
  if (databaseUrl === null && databaseReadUrl !== null)
    faults.push('DATABASE_READ_URL: expected DATABASE_URL too, because the embedded database has no replica');
  if (databaseUrl === null && workers > 1)
    faults.push(
      `WORKERS: expected 1 without DATABASE_URL, because only one process can use the embedded database; got ${workers}`,
    );
  if (databaseUrl !== null && workers > 1 && rateLimitStore === 'memory')
    faults.push(
      'RATE_LIMIT_STORE: expected database with several workers, because each of them would grant the whole limit; got memory',
    );
  if (faults.length > 0) throw new ConfigError(faults);
}

/** Whether a provider may send people there: by https, or by http to this machine. */
function isReturnable(publicUrl: string | null): boolean {
  if (publicUrl === null) return false;
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === 'https:' || isLoopback(hostname);
}

export function maskedConfig(config: ServerConfig): Record<string, unknown> {
  const { operatorKey, databaseUrl, databaseReadUrl, factCheckModel, mail, identityProvider, ...rest } =
    config;
  return {
    operatorKey: operatorKey === null ? null : '(set)',
    databaseUrl: databaseUrl === null ? null : maskedUrl(databaseUrl),
    databaseReadUrl: databaseReadUrl === null ? null : maskedUrl(databaseReadUrl),
    ...rest,
    identityProvider: maskedIdentityProvider(identityProvider),
    factCheckModel: maskedModelConfig(factCheckModel),
    mail: maskedMailConfig(mail),
  };
}

function maskedUrl(text: string): string {
  const url = new URL(text);
  if (url.password !== '') url.password = '***';
  for (const name of ['password', 'sslpassword', 'passfile']) {
    if (url.searchParams.has(name)) url.searchParams.set(name, '***');
  }
  return url.toString();
}

function wholeNumber(value: string, maximum: number): number | undefined {
  return /^\d{1,6}$/.test(value) && Number(value) <= maximum ? Number(value) : undefined;
}

/** Returns the value if it is an address of PostgreSQL, as `--database-url` accepts it too. */
export function postgresUrl(value: string): string | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url && /^postgres(?:ql)?:$/.test(url.protocol) ? value : undefined;
}

const isOrigin = (url: string): boolean => new URL(url).origin === url;

const onOrOff = (value: string): boolean | undefined =>
  value === 'on' || value === 'off' ? value === 'on' : undefined;

const trueOrFalse = (value: string): boolean | undefined =>
  value === 'true' || value === 'false' ? value === 'true' : undefined;

function webUrl(value: string): string | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url && /^https?:$/.test(url.protocol) ? value.replace(/\/+$/, '') : undefined;
}

/** Undefined: a name is empty, or there twice. */
function files(value: string): string[] | undefined {
  const listed = value.split(',').map((each) => each.trim());
  return listed.every((each, at) => each !== '' && listed.indexOf(each) === at) ? listed : undefined;
}

function origins(value: string): string[] | undefined {
  const listed = value.split(',').map((each) => each.trim());
  return listed.every((each) => URL.canParse(each) && new URL(each).origin === each) ? listed : undefined;
}
