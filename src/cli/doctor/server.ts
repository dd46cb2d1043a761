import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { inOneLine } from '../../contract/wording.js';
import type { ServerConfig } from '../../server/run/config.js';
import { isOwnServer } from '../collect/planned-server.js';
import { type Check, failure, ok, warning } from './check.js';

/** The settings of a server in this environment, or null with a failure for each fault. */
export async function checkServerSettings(
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ config: ServerConfig | null; checks: Check[] }> {
  const { ConfigError, readConfig, validateServeConfig } = await import('../../server/run/config.js');
  try {
    const config = readConfig(env);
    validateServeConfig(config);
    const checks = [checkOperatorKey(config, NO_KEY_HERE), checkModel(config)];
    return { config, checks: [...checks, ...(await checkProvider(config)), ...(await checkPlans(config))] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const remedy = 'Correct the variable; docs/server.md lists all of them.';
    return { config: null, checks: error.faults.map((fault) => failure('settings', `${fault}.`, remedy)) };
  }
}

const NO_KEY = 'API_ACCESS_KEY is not set: the API answers 503 until it is.';
/** A server may run with other settings than those of this environment. */
const NO_KEY_HERE =
  'API_ACCESS_KEY is not set in this environment: `svc serve` answers 503 without it; `svc serve --plan` on your own machine needs none.';

/** Whether the operator key is set; without it the API is off, except on a server of one's own. */
export const checkOperatorKey = (config: ServerConfig, finding = NO_KEY): Check =>
  config.operatorKey === null && !isOwnServer(config)
    ? warning('settings', finding, 'Make one: openssl rand -base64 32')
    : ok('settings', 'The settings are fine.');

/** Whether the OpenID provider says what it is, and what has to be registered there; none: people sign in by keys. */
export async function checkProvider({ identityProvider, publicUrl }: ServerConfig): Promise<Check[]> {
  if (identityProvider === null || publicUrl === null) return [];
  const { callbackOf, hostOf } = await import('../../server/accounts/identity-provider.js');
  const host = hostOf(identityProvider);
  const { discover, refusalIn } = await import('../../server/web/oidc/identity.js');
  try {
    await discover(identityProvider);
    return [ok('sign-in', `People sign in at ${host}, which sends them back to ${callbackOf(publicUrl)}.`)];
  } catch (error) {
    const { detail } = refusalIn(identityProvider, error);
    const remedy = 'Compare OIDC_ISSUER with the issuer in its /.well-known/openid-configuration.';
    return [failure('sign-in', `${host} cannot be used: ${inOneLine(detail)}.`, remedy)];
  }
}

/** The language model; only `run_fact_check` needs one. */
export const checkModel = ({ factCheckModel }: Pick<ServerConfig, 'factCheckModel'>): Check =>
  factCheckModel === null
    ? ok('fact checks', 'No language model is configured: run_fact_check answers 501, all else works.')
    : ok('fact checks', `run_fact_check uses ${factCheckModel.model}.`);

const TIMEOUT_MS = 7000;
/** Addresses that mean all of this machine; they cannot be connected to everywhere. */
const ANY: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** The address on which a server of these settings listens, for a process of its machine. */
function addressOf({ host, port }: Pick<ServerConfig, 'host' | 'port'>): string {
  const name = ANY[host] ?? host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Whether a server answers, and reaches its database: the one that has the data folder open, else the one of these settings. */
export async function checkListening(config: ServerConfig, version: string): Promise<Check> {
  const { databaseLocation } = await import('../../server/database/database.js');
  const location = databaseLocation(config);
  if (!('folder' in location)) return checkAddress(addressOf(config));
  const { serverOf } = await import('../../server/database/folder-guest.js');
  const url = existsSync(location.folder!) ? await serverOf(location.folder!, version) : undefined;
  return url === undefined
    ? warning('server', `No server has the database in ${location.folder} open.`, 'Start it: svc serve')
    : checkAddress(locally(url));
}

/** The address of a server that listens on all of this machine, for a process of that machine. */
function locally(url: string): string {
  const { hostname, port } = new URL(url);
  return addressOf({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) });
}

async function checkAddress(url: string): Promise<Check> {
  try {
    const { status } = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (status === 200) return ok('server', `A server answers on ${url}.`);
    return status === 503
      ? failure('server', `The server on ${url} cannot use its database.`, 'Look at its log.')
      : warning(
          'server',
          `Another program answers on ${url}, with status ${status}.`,
          'Choose another PORT.',
        );
  } catch {
    return warning('server', `No server answers on ${url}.`, 'Start it: svc serve');
  }
}

/** Whether the plans that the server follows can be used. */
export async function checkPlans({ plans, edit }: Pick<ServerConfig, 'plans' | 'edit'>): Promise<Check[]> {
  const { requireBrandsApart } = await import('../../collect/plan/read-plan.js');
  const checks = await Promise.all(plans.map(checkPlan));
  const same = await requireBrandsApart(plans).then(
    () => [],
    (error: Error) => [failure('plan', error.message, 'Leave one of them out, or give it another brand.')],
  );
  return [...checks, ...same, ...(edit ? plans.flatMap(checkWritable) : [])];
}

/** What keeps the page from writing a plan: it writes a file beside, and gives it the name. */
function checkWritable(plan: string): Check[] {
  try {
    const file = realpathSync(plan);
    for (const path of [file, dirname(file)]) accessSync(path, constants.W_OK);
    return [];
  } catch (error) {
    const { code = '', path = plan } = error as NodeJS.ErrnoException;
    // That is told already.
    if (code === 'ENOENT') return [];
    const remedy =
      'Give the user of the server the right to write the file and its folder, or serve without --edit.';
    return [
      failure('plan', `${path} cannot be written (${code}), so that its settings cannot be changed.`, remedy),
    ];
  }
}

async function checkPlan(plan: string): Promise<Check> {
  const { readPlan } = await import('../collect/setup.js');
  try {
    const { schedule } = await readPlan(plan, true);
    return schedule === null
      ? warning(
          'plan',
          `${plan} has no [schedule].`,
          'Add one: every = "1d", at = "04:00" (docs/collecting.md).',
        )
      : ok('plan', `${plan} has no fault.`);
  } catch (error) {
    return failure(
      'plan',
      inOneLine((error as Error).message),
      'Correct the file: the server reads it again every minute.',
    );
  }
}
