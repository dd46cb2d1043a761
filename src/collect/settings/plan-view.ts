/** What a plan says, for people: with its keys by name, and what a day costs. */
import type { EngineId } from '../../contract/engines.js';
import type { EngineSetting, PlanSettingsView } from '../../server/intake/plan-settings.js';
import type { TomlTable } from '../plan/edit-toml.js';
import type { Endpoint } from '../plan/plan.js';
import { suggestedEngines } from '../plan/suggested.js';
import { isProvider } from '../protocols/capabilities.js';
import { keyFaults } from '../setup.js';
import { dayOf, type PlanSource } from './plan-editor.js';

type Env = Readonly<Record<string, string | undefined>>;

export function viewOfPlan(source: PlanSource, env: Env): PlanSettingsView {
  const { file, read, stated, prompts } = source;
  const { brand, competitors, prompts: all } = read.catalog;
  const { extraction } = read.plan;
  const { schedule } = read;
  return {
    file,
    brand: { id: brand.id, name: brand.name, domain: brand.domain, aliases: brand.aliases },
    competitors: competitors.map(({ text: name, domain, aliases }) => ({ name, domain, aliases })),
    prompts: all,
    promptsFile: prompts?.name ?? null,
    samples: read.plan.samples,
    engines: (stated.target ?? []).map((target, at) => engineOf(target, at, env)),
    suggested: suggestedEngines,
    extraction: extraction && {
      model: extraction.model,
      keyEnv: extraction.keyEnv,
      keyFault: keyFaults([extraction], env)[0] ?? null,
    },
    schedule: schedule && {
      every: `${schedule.everyDays}d`,
      at: schedule.at,
      max_usd: schedule.maxUsd,
      max_calls: schedule.maxCalls,
    },
    day: dayOf(read),
  };
}

function engineOf(target: TomlTable, at: number, env: Env): EngineSetting {
  const keyEnv = typeof target.key_env === 'string' ? target.key_env : null;
  const priceOf = (name: string) => (typeof target[name] === 'number' ? target[name] : null);
  const endpoint = { keyEnv, protocol: target.protocol } as Endpoint;
  return {
    at,
    engine: target.engine as EngineId,
    region: String(target.region ?? 'global'),
    protocol: String(target.protocol),
    model: typeof target.model === 'string' ? target.model : null,
    isEnabled: target.enabled !== false,
    prices: {
      input_usd_per_mtok: priceOf('input_usd_per_mtok'),
      output_usd_per_mtok: priceOf('output_usd_per_mtok'),
      call_usd: priceOf('call_usd'),
    },
    hasTokens: !isProvider(target.protocol),
    keyEnv,
    keyFault: keyFaults([endpoint], env)[0] ?? null,
  };
}
