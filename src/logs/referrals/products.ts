/** The products whose answers send people, and how a request shows it: by its referrer, or by the `utm_source` of its target. */

export interface Product {
  /** Stable id, stored with the counts. */
  readonly key: string;
  readonly label: string;
  /** Its hosts, and every host below them. */
  readonly hosts: readonly string[];
  /** The path with which a referrer begins, where the host has more than answers. */
  readonly path?: string;
}

/** All known products. Google's AI Overviews and AI Mode are not among them: they send the referrer of its other results. */
export const products: readonly Product[] = [
  { key: 'chatgpt', label: 'ChatGPT', hosts: ['chatgpt.com', 'chat.openai.com'] },
  { key: 'perplexity', label: 'Perplexity', hosts: ['perplexity.ai'] },
  { key: 'gemini', label: 'Gemini', hosts: ['gemini.google.com'] },
  { key: 'copilot', label: 'Copilot', hosts: ['copilot.microsoft.com'] },
  { key: 'claude', label: 'Claude', hosts: ['claude.ai'] },
  { key: 'deepseek', label: 'DeepSeek', hosts: ['chat.deepseek.com'] },
  { key: 'grok', label: 'Grok', hosts: ['grok.com'] },
  { key: 'meta-ai', label: 'Meta AI', hosts: ['meta.ai'] },
  { key: 'mistral', label: 'Mistral', hosts: ['chat.mistral.ai'] },
  { key: 'duck-ai', label: 'Duck.ai', hosts: ['duck.ai'] },
  // The rest of the host is a search engine.
  { key: 'kagi', label: 'Kagi Assistant', hosts: ['kagi.com'], path: '/assistant' },
  { key: 'you', label: 'You.com', hosts: ['you.com'] },
  { key: 'phind', label: 'Phind', hosts: ['phind.com'] },
];

const byHost: ReadonlyMap<string, Product> = new Map(
  products.flatMap((product) => product.hosts.map((host) => [host, product])),
);

export const findProduct = (key: string): Product | undefined => products.find((each) => each.key === key);

/** The longest name of a host (RFC 1035). */
const LONGEST_HOST = 253;

/** The product of a host, which may be below one of its hosts. Names compare without case and without a final dot. */
export function productOfHost(name: string): Product | null {
  if (name.length > LONGEST_HOST + 1) return null;
  let host = name.toLowerCase();
  if (host.endsWith('.')) host = host.slice(0, -1);
  for (;;) {
    const product = byHost.get(host);
    if (product) return product;
    const dot = host.indexOf('.');
    // A host that begins with a dot has no name below the product's.
    if (dot <= 0) return null;
    host = host.slice(dot + 1);
  }
}

/** Scheme, authority and path of an address. An authority ends with a backslash too, as browsers read it. */
const address = /^https?:\/\/([^/?#\\]*)([^?#]*)/i;
const port = /:\d*$/;

/** Only so many characters are read: hosts are short, and so is `path`. */
const READ = 512;

/**
 * The product of a Referer field; null for every other address. No browser sends credentials with it, so that an address with
 * them is none, whatever is before the @. CDNs may percent-encode the field, some twice.
 */
export function productOfReferer(field: string): Product | null {
  let text = field.slice(0, READ);
  for (let round = 0; round < 2 && /^https?%/i.test(text); round++)
    text = text.replaceAll('%25', '%').replace(/%3a/gi, ':').replace(/%2f/gi, '/');
  const [, authority, path] = address.exec(text) ?? [];
  if (authority === undefined || authority.includes('@')) return null;
  const product = productOfHost(authority.replace(port, ''));
  if (product?.path === undefined) return product;
  const next = path![product.path.length];
  return path!.startsWith(product.path) && (next === undefined || next === '/') ? product : null;
}

const source = /[?&]utm_source=([^&#]{1,300})/;

/** The product that the `utm_source` of a request target names by a host; null for every other value. */
export function productOfTarget(target: string): Product | null {
  const query = target.indexOf('?');
  const found = query === -1 ? null : source.exec(target.slice(query, query + 16 * READ));
  if (found === null) return null;
  const product = productOfHost(found[1]!.replace(/%2e/gi, '.'));
  return product?.path === undefined ? product : null;
}
