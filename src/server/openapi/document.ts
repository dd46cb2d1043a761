/** The OpenAPI document of the REST API, derived from the contract. */

import { MCP_PATH, mcpServer } from '../../contract/mcp.js';
import { type Operation, operations } from '../../contract/operations.js';
import { API_ROOT } from '../../contract/paths.js';
import { planLabel } from '../../contract/plans.js';
import { API_VERSION } from '../../contract/versions.js';
import type { JsonSchema } from '../json-schema.js';
import { parametersOf, sharedParameters } from './parameters.js';
import { logBody } from './request-body.js';
import { errorComponent, headerComponents, referredResponses, sharedResponses } from './responses.js';
import { bodySchemas, type Components } from './schemas.js';

/**
 * The document as an object.
 * @param serverUrl The address of the server; absent: that from which the document was loaded.
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

const tagOf = ({ surface, rows }: Operation): string =>
  surface === 'ingest' ? 'Crawler logs' : rows ? 'Lists' : 'Reports';

function pathOf(operation: Operation, responses: Components): JsonSchema {
  const method = operation.surface === 'reads' ? 'get' : 'post';
  return {
    [method]: {
      operationId: operation.id,
      tags: [tagOf(operation)],
      summary: operation.summary,
      description: descriptionOf(operation),
      parameters: parametersOf(operation),
      ...(operation.surface === 'ingest' && { requestBody: logBody }),
      responses: referredResponses(operation, responses),
    },
  };
}

const descriptionOf = ({ surface, rows, plan, needsRuns }: Operation): string =>
  [
    ...(rows ? ['Without cursor and limit the whole list with its cap; with either of them a page.'] : []),
    ...(plan ? [`Needs the ${planLabel(plan)} plan or above.`] : []),
    ...(needsRuns ? ['404 for a brand for which nothing was ever collected.'] : []),
    ...(surface === 'ingest'
      ? ['A body is stored completely or not at all; repeated lines are stored once.']
      : []),
  ].join(' ');
