/** The served tools: all tools of the contract, in its order. */
import { runFactCheck } from '../../contract/reads/run-fact-check.js';
import { readOfTool, tools } from '../../contract/tools.js';
import { type FactCheckEnvironment, factCheckTool } from './fact-check-tool.js';
import { type ReadToolEnvironment, readTool } from './read-tool.js';
import type { Tool } from './tool.js';

export interface ToolEnvironment extends ReadToolEnvironment, FactCheckEnvironment {}

export const createTools = (env: ToolEnvironment): readonly Tool[] =>
  Object.values(tools).map((definition) =>
    definition.tool === runFactCheck.tool
      ? factCheckTool(env)
      : readTool(env, readOfTool(definition), definition),
  );
