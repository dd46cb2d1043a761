/** run_fact_check: the only tool that does more than read. */
import { errors } from '../../contract/errors.js';
import { keyKinds } from '../../contract/keys.js';
import { runFactCheck } from '../../contract/reads/run-fact-check.js';
import { toolArguments } from '../../contract/tools.js';
import type { Directory } from '../accounts/directory.js';
import { refuse } from '../errors.js';
import type { FactChecks } from '../fact-check/fact-checks.js';
import { argumentsSchema } from '../json-schema.js';
import { parseParams } from '../parameters.js';
import { brandOf, givenArguments, rawParams } from './arguments.js';
import { presentation } from './presentation.js';
import type { Annotations, Tool } from './tool.js';
import { toolBrand } from './tool-brand.js';

export interface FactCheckEnvironment {
  readonly directory: Directory;
  readonly factChecks: FactChecks;
}

/** The tool spends money, overwrites the stored result, and sends a request to an external model. */
const SPENDS: Annotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

export function factCheckTool({ directory, factChecks }: FactCheckEnvironment): Tool {
  const declared = toolArguments(runFactCheck.params);
  const schema = argumentsSchema(declared);
  return {
    ...presentation(runFactCheck, SPENDS),
    // In the order of the other surfaces: brand, kind of key, parameters, the run.
    call: async (call) => {
      const given = givenArguments(call.arguments);
      const brand = await toolBrand(directory, call, brandOf(declared, given), runFactCheck.needsRuns);
      if (!keyKinds[call.access.kind].factCheck) throw refuse(errors.mayNotRunFactCheck());
      const { force } = parseParams(runFactCheck.params, rawParams(declared, schema, given));
      return JSON.stringify(await factChecks.run(brand, force === true));
    },
  };
}
