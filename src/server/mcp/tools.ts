/** The tools that read: one per entry of the contract's registries, in their order. */
import { errors } from '../../contract/errors.js';
import { resources } from '../../contract/registry.js';
import type { Resource } from '../../contract/resource.js';
import type { Schema } from '../../contract/schema.js';
import { tagGroups } from '../../contract/tag-groups.js';
import { toolResources } from '../../contract/tools/registry.js';
import type { Brand } from '../accounts/brand-scope.js';
import type { Directory } from '../accounts/directory.js';
import { refuse } from '../errors.js';
import { requirePlanFor } from '../middleware/gates.js';
import { answerRead, type ReadEnvironment, type ReadName, type View } from '../reads/answer-read.js';
import { argumentsSchema, jsonSchemaOf, responseSchema } from '../schemas.js';
import { brandOf, givenArguments, rawParams, toolArguments } from './arguments.js';
import { titleOf } from './title.js';
import { READS_ONLY, type Tool, type ToolCall } from './tool.js';

export interface ToolEnvironment extends ReadEnvironment {
  readonly directory: Directory;
}

/** A tool of the contract: the read it shows, whole or in part. */
interface Definition
  extends Pick<
    Resource,
    'tool' | 'summary' | 'guide' | 'needsRuns' | 'plan' | 'planSubject' | 'params' | 'response'
  > {
  readonly read: ReadName;
  readonly view?: View;
}

/** A tool per read, with the rows that a tool may give: first those with a REST twin. */
const mirrors: readonly Definition[] = Object.values<Resource>({ ...resources, ...toolResources }).map(
  (resource) => ({
    ...resource,
    read: resource.name as ReadName,
    ...(resource.toolCap !== undefined && { view: firstRows(resource.rows!, resource.toolCap) }),
  }),
);

const groups: Definition = {
  ...tagGroups,
  read: tagGroups.of,
  view: fieldsAlone(tagGroups.tool, Object.keys(tagGroups.response.fields)),
};

/** Tag groups stand where they come from. */
const definitions: readonly Definition[] = mirrors.flatMap((each) =>
  each.read === groups.read ? [each, groups] : [each],
);

/** Every tool that reads. */
export const readTools = (env: ToolEnvironment): readonly Tool[] =>
  definitions.map((each) => readTool(env, each));

function readTool(env: ToolEnvironment, definition: Definition): Tool {
  const declared = toolArguments(definition.params);
  const schema = argumentsSchema(declared);
  return {
    name: definition.tool,
    title: titleOf(definition.tool),
    description: [`${definition.summary}.`, definition.guide].filter(Boolean).join(' '),
    inputSchema: jsonSchemaOf(schema),
    outputSchema: jsonSchemaOf(responseSchema(definition.response as Schema)),
    annotations: READS_ONLY,
    // The order of the REST surface: plan, brand, parameters, the read.
    call: async (call) => {
      requirePlanFor(call.access, definition.plan, definition.planSubject ?? definition.summary);
      const given = givenArguments(call.arguments);
      const brand = await brandFor(env.directory, call, brandOf(declared, given), definition.needsRuns);
      const raw = rawParams(declared, schema, given);
      const { json } = await answerRead(env, definition.read, call.access, brand, raw, definition.view);
      return json;
    },
  };
}

/**
 * The brand of a call.
 * @throws Unknown brand id, for all that the caller cannot see alike; No brands exist, where none was named.
 */
async function brandFor(
  directory: Directory,
  { access }: ToolCall,
  id: string | undefined,
  needsRuns: boolean,
): Promise<Brand> {
  const answer = await directory.brand(access, id);
  if (answer === 'none' && id === undefined) throw refuse(errors.noBrands());
  if (typeof answer === 'string') throw refuse(errors.unknownBrandId(id ?? ''));
  if (needsRuns && !answer.hasRuns) throw refuse(errors.unknownBrandId(id ?? answer.id));
  return answer;
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
