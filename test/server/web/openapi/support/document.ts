/** The OpenAPI document with its references resolved, and validators of its bodies. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { openApiDocument } from '../../../../../src/server/web/openapi/document.js';

export interface Media {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
export interface DocumentedResponse {
  readonly description: string;
  readonly headers: Readonly<Record<string, object>>;
  readonly content?: Readonly<Record<string, Media>>;
}
export interface DocumentedParameter {
  readonly name: string;
  readonly in: 'query' | 'header';
  readonly description: string;
  readonly required?: boolean;
  readonly explode?: boolean;
  readonly schema: {
    readonly type: string;
    readonly enum?: readonly (string | number)[];
    readonly const?: string | number;
    readonly default?: unknown;
    readonly minimum?: number;
    readonly maximum?: number;
    readonly items?: { readonly enum?: readonly string[] };
  };
}
export interface DocumentedOperation {
  readonly path: string;
  readonly method: string;
  readonly operationId: string;
  readonly parameters: readonly DocumentedParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  /** By status. */
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

export const document = openApiDocument() as Readonly<Record<string, unknown>>;

/** The value that a JSON pointer names, as `#/components/responses/NotFound`. */
const at = (pointer: string): unknown =>
  pointer
    .slice(2)
    .split('/')
    .reduce((value, name) => (value as Record<string, unknown>)[name], document as unknown);

/** The value with references outside of schemas replaced. */
function resolved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolved);
  if (typeof value !== 'object' || value === null) return value;
  const { $ref } = value as { $ref?: string };
  if ($ref !== undefined) return resolved(at($ref));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, name === 'schema' ? each : resolved(each)]),
  );
}

export const documentedOperations: readonly DocumentedOperation[] = Object.entries(
  document.paths as Record<string, Record<string, object>>,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(
    ([method, operation]) =>
      ({ ...(resolved(operation) as object), path, method }) as unknown as DocumentedOperation,
  ),
);

/** The query with the required parameters only, for data with the brand `b`, its prompt `p` and the run `r1`. */
export function requiredQuery({ path, parameters }: DocumentedOperation): string {
  // `effect` needs one of several parameters, which OpenAPI cannot say.
  if (path.endsWith('/effect')) return 'brand=b&since=2026-11-10&prompt=p';
  const given: Readonly<Record<string, string>> = { run_id: 'r1', url: 'https://acme.com/a' };
  return parameters
    .filter((each) => each.required)
    .map(({ name, schema }) => `${name}=${schema.enum?.[0] ?? given[name]}`)
    .join('&');
}

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, formats: { date: true } });
const local = (schema: unknown): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"document#/$defs/')) as object;
ajv.addSchema({ $id: 'document', $defs: local((document.components as { schemas: object }).schemas) });
const validators = new Map<string, ValidateFunction>();

/** Why a value is not valid by a schema of the document; null: it is valid. */
export function faultOf(schema: object, value: unknown): string | null {
  const text = JSON.stringify(schema);
  const validate = validators.get(text) ?? ajv.compile(local(schema));
  validators.set(text, validate);
  return validate(value) ? null : ajv.errorsText(validate.errors);
}
