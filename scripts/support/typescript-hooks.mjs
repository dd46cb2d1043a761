/** The hooks of typescript.mjs. */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const modules = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'node_modules');
const { version } = JSON.parse(readFileSync(join(modules, 'ts-blank-space', 'package.json'), 'utf8'));
const cache = join(modules, '.cache', 'answer-visibility', `ts-blank-space-${version}`);
mkdirSync(cache, { recursive: true });

/** Imports name the compiled file; in the sources it is a .ts file. Packages may have both. */
export function resolve(specifier, context, next) {
  if (/^(\.\.?\/|file:).*\.js$/.test(specifier) && !context.parentURL?.includes('/node_modules/')) {
    const { href } = new URL(specifier.replace(/js$/, 'ts'), context.parentURL);
    if (existsSync(fileURLToPath(href))) return { url: href, format: 'module', shortCircuit: true };
  }
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const source = await blanked(readFileSync(fileURLToPath(url), 'utf8'));
  return { format: 'module', shortCircuit: true, source: `${source}\n//# sourceURL=${url}` };
}

/** The text with spaces in place of its types. */
async function blanked(text) {
  const file = join(cache, createHash('sha256').update(text).digest('hex'));
  if (existsSync(file)) return readFileSync(file, 'utf8');
  const { default: blank } = await import('ts-blank-space');
  const source = blank(text);
  // Renamed, because several processes may write it at the same time.
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, source);
  renameSync(draft, file);
  return source;
}
