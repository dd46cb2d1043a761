/** The entry of a tool in tools/list. */
import type { Read } from '../../contract/read.js';
import { toolArguments } from '../../contract/tools.js';
import { argumentsSchema, jsonSchemaOf, responseSchema } from '../schemas.js';
import { titleOf } from './title.js';
import type { Annotations, Tool } from './tool.js';

/** The part of a tool's definition that callers see. */
export type Described = Pick<Read, 'tool' | 'summary' | 'guide' | 'params' | 'response'>;

export const presentation = (
  { tool, summary, guide, params, response }: Described,
  annotations: Annotations,
): Omit<Tool, 'call'> => ({
  name: tool,
  title: titleOf(tool),
  description: [`${summary}.`, guide].filter(Boolean).join(' '),
  inputSchema: jsonSchemaOf(argumentsSchema(toolArguments(params))),
  outputSchema: jsonSchemaOf(responseSchema(response)),
  annotations,
});
