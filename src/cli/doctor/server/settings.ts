import type { ServerConfig } from '../../../server/config.js';
import { type Check, failure, ok, warning } from '../check.js';

/** The settings of a server in this environment, or null with a failure for each fault. */
export async function checkServerSettings(
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ config: ServerConfig | null; checks: Check[] }> {
  const { ConfigError, readConfig, requireServable } = await import('../../../server/config.js');
  try {
    const config = readConfig(env);
    requireServable(config);
    return { config, checks: [checkOperatorKey(config), checkModel(config)] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const remedy = 'Correct the variable; docs/server.md lists all of them.';
    return { config: null, checks: error.faults.map((fault) => failure('settings', `${fault}.`, remedy)) };
  }
}

/** Whether the operator key is set; without it the API is off. */
export const checkOperatorKey = ({ operatorKey }: Pick<ServerConfig, 'operatorKey'>): Check =>
  operatorKey === null
    ? warning(
        'settings',
        'API_ACCESS_KEY is not set: the API answers 503 until it is.',
        'Make one: openssl rand -base64 32',
      )
    : ok('settings', 'The settings are fine.');

/** The language model; only `run_fact_check` needs one. */
export const checkModel = ({ factCheckModel }: Pick<ServerConfig, 'factCheckModel'>): Check =>
  factCheckModel === null
    ? ok('fact checks', 'No language model is configured: run_fact_check answers 501, all else works.')
    : ok('fact checks', `run_fact_check uses ${factCheckModel.model}.`);
