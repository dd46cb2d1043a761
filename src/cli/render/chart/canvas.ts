import { type Format, styled } from '../colour.js';

/** The dots of a braille cell, by row and column. Their sum is the offset of the character in its Unicode block. */
const DOTS = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const;
const BRAILLE = 0x2800;
export const DOTS_WIDE = 2;
export const DOTS_HIGH = 4;

interface Cell {
  dots: number;
  mark: string | undefined;
  look: readonly Format[];
}

/** The position of a dot; `0, 0` is at the top left. */
export interface Dot {
  readonly x: number;
  readonly y: number;
}

/** A grid of terminal cells: lines of braille dots, and marks that cover them. */
export class Canvas {
  readonly #rows: Cell[][];

  /** @param width Cells. @param height Cells. */
  constructor(width: number, height: number) {
    const empty = (): Cell => ({ dots: 0, mark: undefined, look: [] });
    this.#rows = Array.from({ length: height }, () => Array.from({ length: width }, empty));
  }

  /** Draws a straight line. Both ends must be inside. In a shared cell the style of the last drawing wins. */
  line(from: Dot, to: Dot, look: readonly Format[]): void {
    const steps = Math.max(1, Math.abs(to.x - from.x), Math.abs(to.y - from.y));
    for (let step = 0; step <= steps; step += 1) {
      const part = step / steps;
      const x = Math.round(from.x + (to.x - from.x) * part);
      const y = Math.round(from.y + (to.y - from.y) * part);
      const cell = this.#at({ x, y });
      cell.dots |= DOTS[y % DOTS_HIGH]![x % DOTS_WIDE]!;
      cell.look = look;
    }
  }

  /** Draws a character over the cell of the dot. */
  mark(dot: Dot, character: string, look: readonly Format[]): void {
    Object.assign(this.#at(dot), { mark: character, look });
  }

  /** One text per row, in colour if standard output supports it. */
  lines(): string[] {
    return this.#rows.map((row) => row.map(text).join(''));
  }

  #at({ x, y }: Dot): Cell {
    return this.#rows[Math.floor(y / DOTS_HIGH)]![Math.floor(x / DOTS_WIDE)]!;
  }
}

function text({ dots, mark, look }: Cell): string {
  const character = mark ?? (dots === 0 ? ' ' : String.fromCodePoint(BRAILLE + dots));
  return character === ' ' ? character : styled(look, character, process.stdout);
}
