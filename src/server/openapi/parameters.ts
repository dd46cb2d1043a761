/** Parameters of requests. One that several operations declare is a component. */
import { crawlerEvents } from '../../contract/crawler-events.js';
import { engineIds } from '../../contract/engines.js';
import { type Operation, operations } from '../../contract/operations.js';
import type { Param } from '../../contract/params.js';
import { type JsonSchema, jsonSchemaOf, typeOf } from '../json-schema.js';

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

/** The parameters of an operation. */
export const parametersOf = (operation: Operation): JsonSchema[] => [
  ...Object.entries(operation.params).map(([name, param]) =>
    isShared(param) ? parameterRef(componentName(name, param)) : queryParameter(name, param),
  ),
  operation.surface === 'reads' ? parameterRef('IfNoneMatch') : contentEncoding,
];

/** The parameters that operations refer to. */
export const sharedParameters = (): Record<string, JsonSchema> => ({
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
