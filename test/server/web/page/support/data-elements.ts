/** The numbers of a page: each `<data>`, with the read that it says it is from. */

export interface DataElement {
  readonly field: string;
  readonly value: string;
  readonly text: string;
  /** The nearest data-source around it. */
  readonly source: string | undefined;
}

const TAG = /<(\/?)([a-z][\w-]*)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*(\/?)>([^<]*)/g;
const VOID = ['meta', 'link', 'input', 'br', 'hr', 'img'];

const decoded = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

export function attribute(attributes: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1];
  return value === undefined ? undefined : decoded(value);
}

/** Every element of a page: its name, its attributes, the text that follows the tag, the attributes of those around it. */
export function* elementsOf(
  html: string,
): Generator<{ name: string; attributes: string; text: string; around: readonly string[] }> {
  const open: { name: string; attributes: string }[] = [];
  for (const [, end, name = '', attributes = '', single, text = ''] of html.matchAll(TAG)) {
    if (end) {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes another element.`);
      continue;
    }
    yield { name, attributes, text: decoded(text), around: open.map((each) => each.attributes) };
    if (!single && !VOID.includes(name)) open.push({ name, attributes });
  }
  if (open.length > 0) throw new Error(`<${open.at(-1)?.name}> is not closed.`);
}

export function dataOf(html: string): DataElement[] {
  return [...elementsOf(html)]
    .filter(({ name }) => name === 'data')
    .map(({ attributes, text, around }) => ({
      field: attribute(attributes, 'data-field') ?? '',
      value: attribute(attributes, 'value') ?? '',
      text,
      source: around.map((each) => attribute(each, 'data-source')).findLast((each) => each !== undefined),
    }));
}

/** The fields that name a row. */
const IDS = ['id', 'domain', 'url', 'agent', 'date', 'prompt_id', 'query', 'engine', 'name'];

/** The value of a field in the body of a read, by the name that the page has for it. */
export function valueAt(body: unknown, path: string, rows?: string): unknown {
  if (path === '') return body;
  if (Array.isArray(body)) {
    const named = body.flatMap((item) =>
      IDS.map((id) => item?.[id])
        .filter((id) => typeof id === 'string' && begins(path, id))
        .map((id) => [id, item] as const),
    );
    const [longest] = named.sort(([a], [b]) => b.length - a.length);
    const [id, item] = longest ?? [path.split('.')[0]!, body[Number(path.split('.')[0])]];
    return valueAt(item, path.slice(id.length + 1));
  }
  const fields = body as Record<string, unknown>;
  const key = Object.keys(fields ?? {}).find((name) => begins(path, name));
  if (key !== undefined) return valueAt(fields[key], path.slice(key.length + 1));
  return rows === undefined ? undefined : valueAt(fields[rows], path);
}

const begins = (path: string, name: string): boolean => path === name || path.startsWith(`${name}.`);
