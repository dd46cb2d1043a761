/** Writes a svc.toml from what was answered. */
import { parse, stringify } from 'smol-toml';
import type { Catalog, CatalogPrompt } from '../../server/intake/dataset/apply-catalog.js';
import { parsePlan, parsePlanFile } from './parse-plan.js';
import type { CollectPlan } from './plan.js';
import type { StatedTable } from './suggested.js';

export interface NewPlan {
  readonly brand: Catalog['brand'];
  readonly competitors: readonly { readonly name: string; readonly domain: string | null }[];
  /** The prompts, or the name of the file that has them. */
  readonly prompts: readonly CatalogPrompt[] | string;
  readonly samples: number;
  readonly targets: readonly StatedTable[];
  readonly extraction: StatedTable | null;
}

const HEAD = `# What is measured, and how. \`svc serve --plan FILE\` asks the engines when [schedule] says, \`svc collect\` asks once;
# \`svc admin apply\` makes the brand and the prompts of the database equal to this file.
# A text that changes keeps its history with was = "the text before": a former name stays a spelling, until forget = ["the name"]
# drops it. Models and prices are examples: look up yours.
`;

/**
 * The text of the file.
 * @param file Its name, for messages.
 * @throws PlanError for an answer that no such file can have.
 */
export function planText(plan: NewPlan, file: string): string {
  const { brand, competitors, prompts, samples, targets, extraction } = plan;
  const { aliases, ...own } = brand;
  const document = {
    ...(typeof prompts === 'string' ? { prompts } : {}),
    samples,
    brand: { ...own, ...(aliases.length > 0 ? { aliases } : {}) },
    ...listed(
      'competitor',
      competitors.map(({ name, domain }) => ({ name, ...(domain ? { domain } : {}) })),
    ),
    ...(typeof prompts === 'string' ? {} : listed('prompt', prompts.map(promptOf))),
    ...listed('target', targets),
    ...(extraction === null ? {} : { extraction }),
    schedule: { every: '1d', at: '04:00' },
  };
  const toml = `${HEAD}\n${stringify(document)}`;
  parsePlanFile(toml, file);
  return toml.endsWith('\n') ? toml : `${toml}\n`;
}

const listed = (name: string, tables: readonly object[]) => (tables.length > 0 ? { [name]: tables } : {});

const promptOf = ({ text, topic, tags, was }: CatalogPrompt) => ({
  text,
  ...(topic === null ? {} : { topic }),
  ...(tags.length > 0 ? { tags } : {}),
  ...(was.length > 0 ? { was } : {}),
});

/** The engines of another plan, as it states them. @throws PlanError */
export function enginesOf(toml: string, file: string): Pick<NewPlan, 'samples' | 'targets' | 'extraction'> {
  const { samples } = parsePlanFile(toml, file);
  const { target = [], extraction = null } = parse(toml) as {
    target?: StatedTable[];
    extraction?: StatedTable | null;
  };
  return { samples, targets: target, extraction };
}

/** The plan that these engines are. @throws PlanError */
export function planOf(
  { samples, targets, extraction }: ReturnType<typeof enginesOf>,
  file: string,
): CollectPlan {
  return parsePlan(
    stringify({ samples, target: targets, ...(extraction === null ? {} : { extraction }) }),
    file,
  );
}
