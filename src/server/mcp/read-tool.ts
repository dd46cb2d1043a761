/** A tool that reads, with the reader, cache and bytes of the REST surface. */
import type { Read } from '../../contract/read.js';
import type { ReadName } from '../../contract/registry.js';
import { toolArguments } from '../../contract/tools.js';
import type { Directory } from '../accounts/directory.js';
import { argumentsSchema } from '../json-schema.js';
import { requirePlan } from '../middleware/gates.js';
import { answerRead, type ReadEnvironment, type View } from '../reads/answer-read.js';
import { brandOf, givenArguments, rawParams } from './arguments.js';
import { type Described, presentation } from './presentation.js';
import { READS_ONLY, type Tool } from './tool.js';
import { toolBrand } from './tool-brand.js';

export interface ReadToolEnvironment extends ReadEnvironment {
  readonly directory: Directory;
}

export interface ReadDefinition
  extends Described,
    Pick<Read, 'needsRuns' | 'plan' | 'planSubject' | 'rows' | 'toolCap'> {
  /** The tool returns some fields of this read; absent: the tool has its own read. */
  readonly follows?: ReadName;
}

/** @param read The read that provides the body, of which the tool returns all or a part. */
export function readTool(env: ReadToolEnvironment, read: ReadName, definition: ReadDefinition): Tool {
  const declared = toolArguments(definition.params);
  const schema = argumentsSchema(declared);
  const view = viewOf(definition);
  return {
    ...presentation(definition, READS_ONLY),
    // In the order of the REST surface: plan, brand, parameters, the read.
    call: async (call) => {
      requirePlan(call.access, definition.plan, definition.planSubject ?? definition.summary);
      const given = givenArguments(call.arguments);
      const brand = await toolBrand(env.directory, call, brandOf(declared, given), definition.needsRuns);
      const raw = rawParams(declared, schema, given);
      const { json } = await answerRead(env, read, call, brand, raw, view);
      return json;
    },
  };
}

/** The part of the read's body that the tool returns; undefined: all of it. */
function viewOf(definition: ReadDefinition): View | undefined {
  if (definition.follows) return fieldsAlone(definition.tool, Object.keys(definition.response.fields));
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
