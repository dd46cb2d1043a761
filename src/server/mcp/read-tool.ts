/** A tool that reads: the same reader, cache and bytes as over REST. */
import type { Resource } from '../../contract/resource.js';
import { toolArguments } from '../../contract/tools/arguments.js';
import type { Directory } from '../accounts/directory.js';
import { requirePlanFor } from '../middleware/gates.js';
import { answerRead, type ReadEnvironment, type ReadName, type View } from '../reads/answer-read.js';
import { argumentsSchema } from '../schemas.js';
import { brandOf, givenArguments, rawParams } from './arguments.js';
import { type Described, presentation } from './presentation.js';
import { READS_ONLY, type Tool } from './tool.js';
import { toolBrand } from './tool-brand.js';

export interface ReadToolEnvironment extends ReadEnvironment {
  readonly directory: Directory;
}

/** A read, or one whose tool shows some fields of the read that it follows. */
export type ReadDefinition = Described &
  Pick<Resource, 'needsRuns' | 'plan' | 'planSubject' | 'rows' | 'toolCap'> &
  ({ readonly name: ReadName } | { readonly follows: ReadName });

export function readTool(env: ReadToolEnvironment, definition: ReadDefinition): Tool {
  const declared = toolArguments(definition.params);
  const schema = argumentsSchema(declared);
  const read = 'name' in definition ? definition.name : definition.follows;
  const view = viewOf(definition);
  return {
    ...presentation(definition, READS_ONLY),
    // The order of the REST surface: plan, brand, parameters, the read.
    call: async (call) => {
      requirePlanFor(call.access, definition.plan, definition.planSubject ?? definition.summary);
      const given = givenArguments(call.arguments);
      const brand = await toolBrand(env.directory, call, brandOf(declared, given), definition.needsRuns);
      const raw = rawParams(declared, schema, given);
      const { json } = await answerRead(env, read, call.access, brand, raw, view);
      return json;
    },
  };
}

/** What the tool shows of the read's whole answer; undefined: all of it. */
function viewOf(definition: ReadDefinition): View | undefined {
  if ('follows' in definition) return fieldsAlone(definition.tool, Object.keys(definition.response.fields));
  return definition.toolCap === undefined ? undefined : firstRows(definition.rows!, definition.toolCap);
}

function firstRows(field: string, rows: number): View {
  return {
    name: `first ${rows}`,
    of: (body) => ({ ...body, [field]: (body[field] as readonly unknown[]).slice(0, rows) }),
  };
}

function fieldsAlone(name: string, fields: readonly string[]): View {
  return { name, of: (body) => Object.fromEntries(fields.map((field) => [field, body[field]])) };
}
