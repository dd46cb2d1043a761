/** Requests of OAuth and MCP that are changed at random: parameters, headers, bodies, methods and paths. */
import { request } from 'node:http';
import fc from 'fast-check';

type Fields = readonly (readonly [name: string, value: string])[];

/** A request in parts that can be changed on their own. */
export interface Parts {
  readonly method: string;
  readonly path: string;
  readonly query?: Fields;
  readonly headers?: Fields;
  readonly form?: Fields;
  /** A body that is no form. */
  readonly text?: string;
}

export interface Reply {
  readonly status: number;
  readonly location: string;
  readonly type: string;
  readonly body: string;
}

const NASTY = [
  ...[
    '',
    ' ',
    '\u0000',
    '%00',
    '%',
    '\r\nX: y',
    '../',
    '//evil.example',
    '\ud800',
    '𝒳',
    'null',
    '[]',
    '{}',
    '0',
  ],
  ...['-1', '1e999', "' or 1=1 --", '<script>', 'javascript:alert(1)', 'https://evil.example/callback'],
  ...[
    'http://127.0.0.1:1/x',
    'svc:read svc:fact-check openid offline_access',
    'plain',
    'none',
    'x'.repeat(5000),
  ],
  ...[
    '__proto__',
    'constructor',
    'client_credentials',
    'refresh_token',
    'password',
    'token',
    'code id_token',
  ],
];
const value = fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: 'binary', maxLength: 20 }));

const change = fc.record({
  part: fc.constantFrom('query', 'form', 'headers', 'query', 'form', 'headers', 'text', 'method', 'path'),
  at: fc.nat(),
  how: fc.constantFrom('drop', 'double', 'replace', 'append', 'cut', 'swap', 'add'),
  value,
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** One of the requests, with one to four changes. */
export const mutated = (originals: readonly Parts[]): fc.Arbitrary<Parts> =>
  fc
    .tuple(fc.nat(originals.length - 1), fc.array(change, { minLength: 1, maxLength: 4 }))
    .map(([at, changes]) => changes.reduce(changed, originals[at]!));

function changed(parts: Parts, { part, at, how, value: given }: Change): Parts {
  if (part === 'method')
    return { ...parts, method: ['GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'][at % 6]! };
  if (part === 'path') return { ...parts, path: textChanged(parts.path, at, how, given) };
  if (part === 'text') return { ...parts, text: textChanged(parts.text ?? '', at, how, given) };
  return { ...parts, [part]: fieldsChanged(parts[part] ?? [], at, how, given) };
}

function fieldsChanged(fields: Fields, at: number, how: Change['how'], given: string): Fields {
  if (fields.length === 0 || how === 'add') return [...fields, [given.slice(0, 40) || 'x', given]];
  const here = at % fields.length;
  const [name, old] = fields[here]!;
  if (how === 'drop') return fields.toSpliced(here, 1);
  if (how === 'double') return [...fields, [name, given]];
  if (how === 'swap') return fields.with(here, [name, fields[(here + 1) % fields.length]![1]]);
  return fields.with(here, [name, how === 'replace' ? given : textChanged(old, at, how, given)]);
}

function textChanged(text: string, at: number, how: Change['how'], given: string): string {
  const here = text.length === 0 ? 0 : at % text.length;
  if (how === 'drop') return text.slice(0, here) + text.slice(here + 1);
  if (how === 'cut') return text.slice(0, here);
  if (how === 'append') return text + given;
  if (how === 'double') return text + text;
  if (how === 'swap') return text.slice(here) + text.slice(0, here);
  return text.slice(0, here) + given + text.slice(here + 1);
}

/** Sends a request as far as HTTP can carry it. */
export function send(
  base: string,
  { method, path, query = [], headers = [], form, text }: Parts,
): Promise<Reply> {
  const search =
    query.length === 0 ? '' : `?${new URLSearchParams(query.map(([name, each]) => [name, each]))}`;
  const body = form ? `${new URLSearchParams(form.map(([name, each]) => [name, each]))}${text ?? ''}` : text;
  const carried: Record<string, string[]> = {};
  for (const [name, each] of headers) {
    const clean = name.replace(/[^\w-]/g, '').toLowerCase() || 'x';
    if (
      !/^(connection|content-length|expect|host|keep-alive|transfer-encoding|upgrade|te|trailer)$/.test(clean)
    )
      carried[`${clean}`] = [
        ...(Object.hasOwn(carried, clean) ? carried[clean]! : []),
        each.replace(/[^\x20-\x7e]/g, '?'),
      ];
  }
  const { hostname, port } = new URL(base);
  const sentPath =
    `/${path.replace(/^\//, '')}`.replace(/[^\x21-\x7e]/g, (each) =>
      encodeURIComponent(each.isWellFormed() ? each : '?'),
    ) + search;
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, method, path: sentPath, headers: carried, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            location: response.headers.location ?? '',
            type: response.headers['content-type'] ?? '',
            body: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(method === 'GET' || method === 'HEAD' ? undefined : body);
  });
}
