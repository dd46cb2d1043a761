/** The served tools: all tools of the contract, in its order. */

import type { z } from 'zod';
import { errors } from '../../../contract/errors.js';
import { keyKinds } from '../../../contract/keys.js';
import type { ChoiceParam, Param, Params } from '../../../contract/params.js';
import type { Read } from '../../../contract/read.js';
import { runFactCheck } from '../../../contract/reads/run-fact-check.js';
import type { ReadName } from '../../../contract/registry.js';
import { BRAND_ARGUMENT, readOfTool, toolArguments, tools } from '../../../contract/tools.js';
import { type Access, type Brand, requirePlan } from '../../accounts/access.js';
import type { Directory } from '../../accounts/directory.js';
import type { FactChecks } from '../../alerts/fact-check/fact-checks.js';
import { parseParams, type RawParams } from '../../answers/parameters.js';
import { answerRead, type Projection, type ReadEnvironment } from '../../answers/reads/answer-read.js';
import { refuse } from '../../base/errors.js';
import {
  argumentsSchema,
  DIALECT,
  type JsonSchema,
  jsonSchemaOf,
  responseSchema,
} from '../../base/json-schema.js';

// The interface of a tool: its entry in tools/list, and its call.

/** A call of a tool: the caller, and the arguments, not yet checked. */
export interface ToolCall {
  readonly access: Access;
  readonly gone: AbortSignal;
  readonly arguments: unknown;
  /** The id of the HTTP request, for the log. */
  readonly requestId: string;
}

/** Hints for clients that ask their user before a call. */
interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  /** Of a tool that does not only read; of others it has no meaning. */
  readonly idempotentHint?: boolean;
  readonly openWorldHint: boolean;
}

export const READS_ONLY: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  openWorldHint: false,
};

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly annotations: Annotations;
  /**
   * Returns the payload as JSON text.
   * @throws RefusedError: the result has `isError` and the refusal's body.
   */
  call(call: ToolCall): Promise<string>;
}

/** Words whose spelling differs from that in a tool's name. */
const SPELLINGS: Readonly<Record<string, string>> = { urls: 'URLs', youtube: 'YouTube' };

/** The title of a tool: `List URLs` for `list_urls`. */
function titleOf(name: string): string {
  const words = name.split('_').map((word) => SPELLINGS[word] ?? word);
  return words.join(' ').replace(/^./, (first) => first.toUpperCase());
}

// The entry of a tool in tools/list.

/** The part of a tool's definition that callers see. */
type Described = Pick<Read, 'tool' | 'summary' | 'guide' | 'params' | 'response'>;

const presentation = (definition: Described, annotations: Annotations): Omit<Tool, 'call'> => {
  const { tool, guide } = definition;
  return {
    name: tool,
    title: titleOf(tool),
    description: guide,
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

/**
 * The brand of a call.
 * @throws RefusedError: the brand id is unknown or the caller may not see it; no id is given and no brands exist.
 */
async function toolBrand(
  directory: Directory,
  { access }: ToolCall,
  id: string | undefined,
  needsRuns: boolean,
): Promise<Brand> {
  const answer = await directory.brand(access, id);
  if (answer === 'none' && id === undefined) throw refuse(errors.noBrands());
  if (typeof answer === 'string') throw refuse(errors.unknownBrand(id));
  if (needsRuns && !answer.hasRuns) throw refuse(errors.unknownBrand(id ?? answer.id));
  return answer;
}

// Converts the arguments of a tool call to the parameters of a read, with the error messages of the REST surface.

type Arguments = Readonly<Record<string, unknown>>;

/** Returns the arguments as an object. Undefined and null mean an empty one. */
function argumentsOf(value: unknown): Arguments {
  if (value === undefined || value === null) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as Arguments;
  throw refuse(errors.invalidArgument('arguments', textOf(value), 'an object'));
}

/** The id of the requested brand. A value that is not a string is refused later, with the other arguments. */
function brandOf(declared: Params, args: Arguments): string | undefined {
  const id =
    BRAND_ARGUMENT in declared && Object.hasOwn(args, BRAND_ARGUMENT) ? args[BRAND_ARGUMENT] : undefined;
  return typeof id === 'string' ? id : undefined;
}

/**
 * Converts the arguments to the form of a parsed query string.
 * @throws 400 for an unknown or missing argument, or one of the wrong type.
 */
function rawParams(declared: Params, schema: z.ZodType, args: Arguments): RawParams {
  const unknown = Object.keys(args).filter((name) => !Object.hasOwn(declared, name));
  if (unknown.length > 0) throw refuse(errors.unknownArguments(unknown, Object.keys(declared)));
  const result = schema.safeParse(args);
  if (!result.success) throw explained(declared, args, result.error);
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name === BRAND_ARGUMENT ? 'brand' : name, String(value)]),
  );
}

function explained(declared: Params, args: Arguments, { issues }: z.ZodError): Error {
  const name = String(issues[0]!.path[0]);
  const param = declared[name]!;
  const value = args[name];
  const isScalar = ['string', 'number', 'boolean'].includes(typeof value);
  try {
    // For a value that a query string can contain, the message is the same as over REST.
    parseParams({ [name]: param }, isScalar ? { [name]: String(value) } : {});
  } catch (error) {
    if (isScalar || value === undefined) return error as Error;
  }
  return refuse(errors.invalidArgument(name, textOf(value), wanted(param)));
}

function wanted(param: Param): string {
  switch (param.kind) {
    case 'text':
      return 'a string';
    case 'engines':
      return 'a string: an engine id, or several separated by commas';
    case 'values':
      return 'a string: one value, or several separated by commas';
    case 'date':
      return 'a string, YYYY-MM-DD';
    case 'integer':
      return `an integer from ${param.minimum} to ${param.maximum}, without quotes`;
    case 'choice':
      return `one of ${param.values.map((value) => JSON.stringify(value)).join(', ')}${isNumeric(param) ? ', as a number without quotes' : ''}`;
    case 'boolean':
      return 'true or false, without quotes';
  }
}

const isNumeric = ({ values }: ChoiceParam): boolean => typeof values[0] === 'number';

/** The received value for a message. An object is not shown: it may be as large and as deep as the body allows. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return JSON.stringify(value) ?? 'undefined';
}

// A tool that reads, with the reader, cache and bytes of the REST surface.

interface ReadToolEnvironment extends ReadEnvironment {
  readonly directory: Directory;
}

interface ReadDefinition
  extends Described,
    Pick<Read, 'needsRuns' | 'plan' | 'planSubject' | 'rows' | 'mainRows' | 'toolCap' | 'toolParams'> {
  /** The tool returns some fields of this read; if omitted, the tool has its own read. */
  readonly follows?: ReadName;
}

/** @param read The read that provides the body, of which the tool returns all or a part. */
function readTool(env: ReadToolEnvironment, read: ReadName, definition: ReadDefinition): Tool {
  const declared = toolArguments(definition.params);
  const schema = argumentsSchema(declared);
  const projection = projectionOf(definition);
  return {
    ...presentation(definition, READS_ONLY),
    // In the order of the REST surface: plan, brand, parameters, the read.
    call: async (call) => {
      requirePlan(call.access, definition.plan, definition.planSubject ?? definition.summary);
      const args = argumentsOf(call.arguments);
      const brand = await toolBrand(env.directory, call, brandOf(declared, args), definition.needsRuns);
      const raw = { ...definition.toolParams, ...rawParams(declared, schema, args) };
      const { json } = await answerRead(env, read, call, brand, raw, projection);
      return json;
    },
  };
}

/** The part of the read's body that the tool returns; undefined if it is all of it. */
function projectionOf(definition: ReadDefinition): Projection | undefined {
  if (definition.follows) return fieldsAlone(definition.tool, Object.keys(definition.response.fields));
  return definition.toolCap === undefined ? undefined : firstRows(listOf(definition), definition.toolCap);
}

/** The field of the list that the tool cuts. */
const listOf = ({ rows, mainRows }: ReadDefinition): string => rows ?? mainRows!.at[0]!;

function firstRows(field: string, rows: number): Projection {
  return {
    name: `first ${rows}`,
    of: (body) => ({ ...body, [field]: (body[field] as readonly unknown[]).slice(0, rows) }),
  };
}

function fieldsAlone(name: string, fields: readonly string[]): Projection {
  return { name, of: (body) => Object.fromEntries(fields.map((field) => [field, body[field]])) };
}

// run_fact_check: the only tool that does more than read.

interface FactCheckEnvironment {
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

function factCheckTool({ directory, factChecks }: FactCheckEnvironment): Tool {
  const declared = toolArguments(runFactCheck.params);
  const schema = argumentsSchema(declared);
  return {
    ...presentation(runFactCheck, SPENDS),
    // In the order of the other surfaces: brand, kind of key, parameters, the run.
    call: async (call) => {
      const args = argumentsOf(call.arguments);
      const brand = await toolBrand(directory, call, brandOf(declared, args), runFactCheck.needsRuns);
      if (!keyKinds[call.access.kind].factCheck) throw refuse(errors.mayNotRunFactCheck());
      const { force } = parseParams(runFactCheck.params, rawParams(declared, schema, args));
      return JSON.stringify(await factChecks.run(brand, force === true));
    },
  };
}

export interface ToolEnvironment extends ReadToolEnvironment, FactCheckEnvironment {}

export const createTools = (env: ToolEnvironment): readonly Tool[] =>
  Object.values(tools).map((definition) =>
    definition.tool === runFactCheck.tool
      ? factCheckTool(env)
      : readTool(env, readOfTool(definition), definition),
  );
