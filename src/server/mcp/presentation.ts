/** The entry of a tool in tools/list. */
import type { Read } from '../../contract/read.js';
import { toolArguments } from '../../contract/tools.js';
import { argumentsSchema, DIALECT, jsonSchemaOf, responseSchema } from '../json-schema.js';
import { titleOf } from './title.js';
import type { Annotations, Tool } from './tool.js';

/** The part of a tool's definition that callers see. */
export type Described = Pick<Read, 'tool' | 'summary' | 'guide' | 'params' | 'response'>;

export const presentation = (definition: Described, annotations: Annotations): Omit<Tool, 'call'> => {
  const { tool, summary, guide } = definition;
  return {
    name: tool,
    title: titleOf(tool),
    description: [`${summary}.`, guide].filter(Boolean).join(' '),
    ...schemasOf(definition),
    annotations,
  };
};

/** Schemas by definition. All tools together take some 60 ms, which every server of a process would spend again. */
const schemas = new WeakMap<Described, Pick<Tool, 'inputSchema' | 'outputSchema'>>();

function schemasOf(definition: Described): Pick<Tool, 'inputSchema' | 'outputSchema'> {
  const known = schemas.get(definition);
  if (known) return known;
  const { params, response } = definition;
  const made = {
    inputSchema: jsonSchemaOf(argumentsSchema(toolArguments(params))),
    outputSchema: { $schema: DIALECT, ...responseSchema(response) },
  };
  schemas.set(definition, made);
  return made;
}
