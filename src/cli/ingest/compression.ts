import { open } from 'node:fs/promises';
import { CommandError } from '../failure/command-error.js';
import { STDIN } from './log-file.js';

/** The number of first bytes that identify every format here. */
export const MAGIC_BYTES = 6;

/** Compressions that are not supported: first bytes in hexadecimal, and the command that decompresses to standard output. */
const others: readonly (readonly [name: string, command: string, magic: RegExp])[] = [
  ['bzip2', 'bzcat', /^425a683[1-9](?:31|17)/],
  ['xz', 'xzcat', /^fd377a585a00/],
  ['zstd', 'zstdcat', /^(?:28b52ffd|5[\da-f]2a4d18)/],
];

export const isGzip = (head: Uint8Array): boolean => head[0] === 0x1f && head[1] === 0x8b;

/** @throws CommandError `usage` for content in another compression than gzip. */
export function requireReadable(input: string, head: Uint8Array): void {
  const text = Buffer.from(head).toString('hex');
  const [name, command] = others.find(([, , magic]) => magic.test(text)) ?? [];
  if (name === undefined) return;
  const [subject, pipe] =
    input === STDIN
      ? ['Standard input', `… | ${command} | svc ingest`]
      : [input, `${command} ${quoted(input)} | svc ingest`];
  throw new CommandError(
    'usage',
    `${subject} is compressed with ${name}, which svc does not read. Pipe it: ${pipe}`,
  );
}

/** The first bytes of a file. */
export async function magicOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAGIC_BYTES), 0, MAGIC_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** A path as a shell reads it. */
const quoted = (path: string): string =>
  /^[\w./@%+=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
