/** The tools that are served: every one of the contract, in its order. */
import { runFactCheck } from '../../contract/run-fact-check.js';
import { tools } from '../../contract/tools/catalog.js';
import { type ReadDefinition, type ReadToolEnvironment, readTool } from './read-tool.js';
import type { Tool } from './tool.js';

export const createTools = (env: ReadToolEnvironment): readonly Tool[] =>
  Object.values(tools)
    .filter((definition) => definition !== runFactCheck)
    .map((definition) => readTool(env, definition as ReadDefinition));
