/** The settings of sign-in by an OpenID provider: who it is, and which of its people get which workspace. */
import { readFileSync } from 'node:fs';
import { domainToASCII } from 'node:url';
import { isLoopback } from '../../contract/paths.js';
import type { ReadVariable } from '../base/read-variable.js';

/** What a person may be: what a key of the same kind is. */
export type PersonKind = 'full' | 'read';

/** Whom the operator lets in, and as what. */
export interface AccessRule {
  readonly by: 'domain' | 'group';
  /** A domain as `domainOf` writes it, or the exact name of a group. */
  readonly value: string;
  readonly workspaceId: string;
  readonly kind: PersonKind;
}

/** The settings whose names begin with OIDC_. */
export interface IdentityProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** In the order of the setting: the first that fits counts. */
  readonly rules: readonly AccessRule[];
  readonly scope: string;
  /** The claim that lists the groups of a person. */
  readonly groupsClaim: string;
}

const VARIABLES = {
  issuer: 'OIDC_ISSUER',
  clientId: 'OIDC_CLIENT_ID',
  clientSecret: 'OIDC_CLIENT_SECRET',
  secretFile: 'OIDC_CLIENT_SECRET_FILE',
  rules: 'OIDC_ACCESS',
  scope: 'OIDC_SCOPE',
  groupsClaim: 'OIDC_GROUPS_CLAIM',
} as const;

/** Null: people sign in by keys and links only. Some of the settings without the others are faults. */
export function readIdentityProvider(
  read: ReadVariable,
  fault: (text: string) => void,
): IdentityProvider | null {
  const text = (name: string, expected: string, parse = (value: string): string | undefined => value) =>
    read<string | null>(name, null, expected, parse);
  const issuer = text(VARIABLES.issuer, 'https://host, as the provider states it as issuer', issuerOf);
  const clientId = text(VARIABLES.clientId, 'the id that the provider gave this server');
  const stated = text(VARIABLES.clientSecret, 'the secret that the provider gave this server');
  const filed = text(VARIABLES.secretFile, 'a file that can be read, with the secret', contentOf);
  const rules = read<readonly AccessRule[] | null>(VARIABLES.rules, null, RULES_EXPECTED, rulesOf);
  const scope = read(VARIABLES.scope, 'openid email profile', 'scopes, openid among them', scopeOf);
  const groupsClaim = read(VARIABLES.groupsClaim, 'groups', 'the name of a claim', (value) => value);
  if (stated !== null && filed !== null)
    fault(`${VARIABLES.secretFile}: expected no file, as ${VARIABLES.clientSecret} is set`);
  const clientSecret = stated ?? filed;
  const parts = { issuer, clientId, clientSecret, rules };
  const missing = Object.entries(parts).flatMap(([name, value]) => (value === null ? [name] : []));
  if (missing.length === Object.keys(parts).length) return null;
  for (const name of missing as (keyof typeof parts)[])
    fault(`${VARIABLES[name]}: expected too, as another setting of the OpenID provider is set`);
  if (issuer === null || clientId === null || clientSecret === null || rules === null) return null;
  return { issuer, clientId, clientSecret, rules, scope, groupsClaim };
}

const RULES_EXPECTED =
  'domain:HOST=WORKSPACE/KIND or group:NAME=WORKSPACE/KIND, several with commas, KIND full or read, such as domain:example.com=acme/read';

/** https; http on this machine only, where nobody is between. */
export function issuerOf(value: string): string | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  return url && isSafe && url.search === '' && url.hash === '' && url.username === '' ? value : undefined;
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

const scopeOf = (value: string): string | undefined =>
  value.split(' ').includes('openid') && /^[\x21\x23-\x5b\x5d-\x7e ]+$/.test(value) ? value : undefined;

export function rulesOf(value: string): readonly AccessRule[] | undefined {
  const rules = value.split(',').map((each) => ruleOf(each.trim()));
  return rules.every((rule) => rule !== undefined) ? rules : undefined;
}

/** The last equals sign and the last slash separate the parts, because names of groups may have them. */
const RULE = /^(domain|group):(.+)=(.+)\/(full|read)$/;

function ruleOf(text: string): AccessRule | undefined {
  const [, by, subject, workspace, kind] = RULE.exec(text) ?? [];
  if (subject === undefined || workspace === undefined) return undefined;
  const [written, workspaceId] = [decoded(subject), decoded(workspace)];
  if (written === undefined || workspaceId === undefined) return undefined;
  const value = by === 'domain' ? domainOf(`@${written.replace(/^@/, '')}`) : written;
  return value === null
    ? undefined
    : { by: by as AccessRule['by'], value, workspaceId, kind: kind as PersonKind };
}

/** A text in which a comma may be written as %2C. Undefined: it is none. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The domain of an address in lower case and as punycode, as it is compared; null: the address has none. */
export function domainOf(email: string): string | null {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  const ascii = /^[^\s@:/?#\\[\]%]+$/.test(domain) && email.includes('@') ? domainToASCII(domain) : '';
  return ascii === '' ? null : ascii.toLowerCase();
}

export const hostOf = ({ issuer }: Pick<IdentityProvider, 'issuer'>): string => new URL(issuer).host;

/** Where the provider sends people back to, which has to be registered there. */
export const callbackOf = (publicUrl: string): string => `${publicUrl}${CALLBACK_PATH}`;
export const CALLBACK_PATH = '/sign-in/callback';

export const maskedIdentityProvider = (provider: IdentityProvider | null) =>
  provider && { ...provider, clientSecret: '(set)' };
