/** The OpenAPI document of the REST API, derived from the contract. */

import { crawlerEvents } from '../../../contract/crawler-events.js';
import { engineIds } from '../../../contract/engines.js';
import { planLabel } from '../../../contract/keys.js';
import { MCP_PATH, mcpServer } from '../../../contract/mcp.js';
import { type Operation, operations } from '../../../contract/operations.js';
import type { Param } from '../../../contract/params.js';
import { API_ROOT, OPENAPI_PATH } from '../../../contract/paths.js';
import { API_VERSION } from '../../../contract/versions.js';
import { type JsonSchema, jsonSchemaOf, typeOf } from '../../base/json-schema.js';
import { serveStatic } from '../http/response.js';
import type { Route } from '../http/routing.js';
import {
  bodySchemas,
  type Components,
  errorComponent,
  headerComponents,
  referredResponses,
  sharedResponses,
} from './responses.js';

// Parameters of requests. One that several operations declare is a component.

const componentName = (name: string, { component }: Param): string =>
  component ?? name[0]!.toUpperCase() + name.slice(1);
const parameterRef = (name: string): JsonSchema => ({ $ref: `#/components/parameters/${name}` });

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The ETag of an answer that the client has; if nothing changed, the response is 304',
  schema: { type: 'string' },
};
const contentEncoding = {
  name: 'Content-Encoding',
  in: 'header',
  description: 'How the body is compressed; gzip is recognised without it',
  schema: { type: 'string', enum: crawlerEvents.encodings },
};

const parametersOf = (operation: Operation): JsonSchema[] => [
  ...Object.entries(operation.params).map(([name, param]) =>
    isShared(param) ? parameterRef(componentName(name, param)) : queryParameter(name, param),
  ),
  operation.lane === 'reads' ? parameterRef('IfNoneMatch') : contentEncoding,
];

const sharedParameters = (): Record<string, JsonSchema> => ({
  ...Object.fromEntries(
    operations
      .flatMap(({ params }) => Object.entries(params))
      .filter(([, param]) => isShared(param))
      .map(([name, param]) => [componentName(name, param), queryParameter(name, param)]),
  ),
  IfNoneMatch: ifNoneMatch,
});

const isShared = (param: Param): boolean =>
  operations.filter(({ params }) => Object.values(params).includes(param)).length > 1;

const queryParameter = (name: string, param: Param): JsonSchema => ({
  name,
  in: 'query',
  ...(param.required && { required: true }),
  description: param.description,
  ...(isList(param) && { style: 'form', explode: false }),
  schema: schemaOf(param),
});

const isList = ({ kind }: Param): boolean => kind === 'engines' || kind === 'values';

function schemaOf(param: Param): JsonSchema {
  switch (param.kind) {
    case 'engines':
      return { type: 'array', items: { type: 'string', enum: engineIds }, minItems: 1 };
    case 'values':
      return { type: 'array', items: { type: 'string' }, minItems: 1 };
    case 'date':
      return { type: 'string', format: 'date' };
    default: {
      const { $schema: _, ...schema } = jsonSchemaOf(typeOf(param));
      return { ...schema, ...('default' in param && { default: param.default }) };
    }
  }
}

// The body of POST crawler-events.

const MIB = 1_048_576;
const { bodyBytes, decodedBytes } = crawlerEvents.limits;

/** A line as nginx and Apache write it; the time is in the week of the demo from which the examples are. */
export const exampleLines = [
  '203.0.113.7 - - [20/Nov/2026:09:14:03 +0000] "GET /guides/espresso HTTP/1.1" 200 5316 "-" "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)"',
  '198.51.100.9 - - [20/Nov/2026:09:14:05 +0000] "GET / HTTP/1.1" 200 812 "-" "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)"',
  '',
].join('\n');

/** A blank body is refused. */
const media = (example: unknown) => ({ schema: { type: 'string', pattern: '\\S' }, example });

/** The media types are informative: the server looks at the bytes. */
const logBody: JsonSchema = {
  required: true,
  description: `Lines of a log, at most ${bodyBytes / MIB} MiB as sent and ${decodedBytes / MIB} MiB decompressed`,
  content: {
    'text/plain': media(exampleLines),
    'application/x-ndjson': media(
      '{"time":"2026-11-20T09:14:03Z","host":"torvello.example","path":"/guides/espresso","status":200,"user_agent":"PerplexityBot/1.0"}\n',
    ),
  },
};

/**
 * The document as an object.
 * @param serverUrl The address of the server; if omitted, that from which the document was loaded.
 */
export function openApiDocument(serverUrl = '/'): JsonSchema {
  const responses = sharedResponses();
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: serverUrl }],
    security: [{ ApiKey: [] }],
    tags,
    paths: Object.fromEntries(
      operations.map((each) => [`${API_ROOT}/${each.name}`, pathOf(each, responses)]),
    ),
    components: {
      securitySchemes: { ApiKey: apiKey },
      parameters: sharedParameters(),
      headers: headerComponents(),
      responses,
      schemas: { ...bodySchemas(), Error: errorComponent },
    },
  };
}

const info = {
  title: `${mcpServer.name} REST API`,
  summary: 'How brands appear in the answers of AI engines',
  description: [
    'Read-only JSON over the metrics of a workspace, and one endpoint that takes crawler logs.',
    'Null means not measured or not stated, never zero. A released field never changes its name or meaning; later versions add fields, parameters and reads, so clients ignore unknown fields. Unknown parameters are ignored; a parameter given twice is an error. HEAD works like GET.',
    `Examples are answers of the demo with lists cut to two rows. An MCP server is at \`${MCP_PATH}\`.`,
  ].join('\n\n'),
  version: API_VERSION,
  license: { name: 'MIT', identifier: 'MIT' },
};

const apiKey = {
  type: 'http',
  scheme: 'bearer',
  description: 'An API key of the workspace. A key of kind `ingest` may send crawler logs and nothing else.',
};

const tags = [
  { name: 'Lists', description: 'Reads with pages of rows' },
  { name: 'Reports', description: 'Reads of one object' },
  { name: 'Crawler logs', description: 'Taking logs of web servers and CDNs' },
];

const tagOf = ({ lane, rows }: Operation): string =>
  lane === 'ingest' ? 'Crawler logs' : rows ? 'Lists' : 'Reports';

function pathOf(operation: Operation, responses: Components): JsonSchema {
  const method = operation.lane === 'reads' ? 'get' : 'post';
  return {
    [method]: {
      operationId: operation.id,
      tags: [tagOf(operation)],
      summary: operation.summary,
      description: descriptionOf(operation),
      parameters: parametersOf(operation),
      ...(operation.lane === 'ingest' && { requestBody: logBody }),
      responses: referredResponses(operation, responses),
    },
  };
}

const descriptionOf = ({ lane, rows, plan, needsRuns }: Operation): string =>
  [
    ...(rows ? ['Without cursor and limit the whole list with its cap; with either of them a page.'] : []),
    ...(plan ? [`Needs the ${planLabel(plan)} plan or above.`] : []),
    ...(needsRuns ? ['404 for a brand for which nothing was ever collected.'] : []),
    ...(lane === 'ingest'
      ? ['A body is stored completely or not at all; repeated lines are stored once.']
      : []),
  ].join(' ');

// GET /openapi.json: the document, without a key.

/** @param publicUrl The address of the server for its users; null: the one from which the document is loaded. */
export const openApiRoute = (publicUrl: string | null): Route => [
  OPENAPI_PATH,
  serveStatic('application/json', () => JSON.stringify(openApiDocument(publicUrl ?? undefined))),
];
