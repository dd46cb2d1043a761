import { type FileHandle, open } from 'node:fs/promises';
import { follow } from './follow.js';
import { filePieces, STDIN, statOf, stdinPieces } from './input.js';
import { portionsAfter } from './resume.js';
import type { Piece } from './segment.js';
import type { Position } from './state-file.js';

export interface Wanted {
  readonly follow: boolean;
  readonly from: 'beginning' | 'end' | 'last' | undefined;
  readonly signal: AbortSignal;
}

/** Whether the reading begins behind the stored position. */
export const goesOn = ({ follow, from }: Wanted, position: Position | undefined): boolean =>
  position !== undefined && (from === 'last' || (from === undefined && follow));

/** What is to be read of one input. */
export async function* piecesOf(
  input: string,
  wanted: Wanted,
  position: Position | undefined,
): AsyncGenerator<Piece> {
  if (input === STDIN) {
    yield* stdinPieces();
    return;
  }
  if (position !== undefined && goesOn(wanted, position)) {
    const portions = await portionsAfter(input, position);
    const last = portions.pop()!;
    for (const { path, start } of portions) yield* filePieces(path, start);
    yield* wanted.follow ? follow(last.path, last.start, wanted.signal) : filePieces(last.path, last.start);
    return;
  }
  const atEnd = wanted.from === 'end' || (wanted.follow && wanted.from !== 'beginning');
  if (wanted.follow) yield* follow(input, atEnd ? 'end' : 0, wanted.signal);
  else yield* filePieces(input, atEnd ? (await statOf(input)).size : 0);
}

/** Bytes of all files together, null where that cannot be told. */
export async function sizeOf(inputs: readonly string[]): Promise<number | null> {
  if (inputs.includes(STDIN)) return null;
  const sizes = await Promise.all(
    inputs.map(async (path) => ((await isPacked(path)) ? null : (await statOf(path)).size)),
  );
  return sizes.some((size) => size === null) ? null : sizes.reduce((sum: number, size) => sum + size!, 0);
}

async function isPacked(path: string): Promise<boolean> {
  let file: FileHandle | undefined;
  try {
    await statOf(path);
    file = await open(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await file?.close();
  }
}
