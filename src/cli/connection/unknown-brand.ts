import { errors } from '../../contract/errors.js';
import { printable } from '../../contract/printable.js';
import type { BrandEntry } from '../../contract/reads/brands.js';
import { ToolError } from '../../sdk/errors.js';
import { CommandError } from '../failure/command-error.js';
import { codeOf, isRefusedAs } from '../failure/refused-as.js';
import { nearest } from '../failure/suggestion.js';
import type { Settings } from './settings.js';

/** The beginning of the message with which the tools refuse a brand. */
const TOOL_MESSAGE = errors.unknownBrandId('').message;

/** Whether the server refused the brand of a request: the named or the default one. */
export const isUnknownBrand = (error: unknown): boolean =>
  isRefusedAs(error, errors.unknownBrand()) ||
  (codeOf(error) === null ? refusedByTool(error) !== null : isRefusedAs(error, errors.unknownBrandId('')));

/** The id that a tool refused; null: another error, or the message does not state it. */
const refusedByTool = (error: unknown): string | null =>
  error instanceof ToolError && error.message.startsWith(TOOL_MESSAGE)
    ? error.message.slice(TOOL_MESSAGE.length)
    : null;

/**
 * The brands that a text names: the one with this id, else all with this name. Case does not matter in names.
 */
export function brandsNamed(text: string, brands: readonly BrandEntry[]): readonly BrandEntry[] {
  const exact = brands.filter(({ id }) => id === text);
  const folded = text.trim().toLowerCase();
  return exact.length > 0 ? exact : brands.filter(({ name }) => name.trim().toLowerCase() === folded);
}

/**
 * The id of the one brand that a text names.
 * @param source The source of the text.
 * @param refusal The message if it names no brand.
 * @throws CommandError `not_found` for no brand, `usage` for several.
 */
export function brandIdOf(
  text: string,
  brands: readonly BrandEntry[],
  source: string | null,
  refusal = `Unknown brand: ${text}`,
): string {
  const [found, ...others] = brandsNamed(text, brands);
  const origin = source === null ? '' : ` (${source})`;
  if (found === undefined) {
    throw new CommandError('not_found', `${refusal}${origin}.${advice(text, brands)}`, {
      status: 404,
      hint: '`svc brands` lists the brands that the key can see.',
    });
  }
  if (others.length === 0) return found.id;
  const ids = [found, ...others].map(({ id }) => id).join(', ');
  throw new CommandError(
    'usage',
    `${others.length + 1} brands are named ${text}${origin}: give an id, ${ids}.`,
  );
}

function advice(text: string, brands: readonly BrandEntry[]): string {
  const ids = new Map(
    brands.flatMap(
      ({ id, name }) =>
        [
          [id, id],
          [name.toLowerCase(), id],
        ] as const,
    ),
  );
  const near = nearest(text, [...ids.keys()]) ?? nearest(text.toLowerCase(), [...ids.keys()]);
  return near === undefined ? '' : ` Did you mean ${printable(ids.get(near)!)}?`;
}

/**
 * Resolves a brand that the server refused.
 * @param brands All brands that the key can see, the default one first.
 * @returns The id to request instead, if the text was the brand's name.
 * @throws CommandError if nothing was collected for it, or if it does not exist.
 */
export function resolveBrand(
  error: unknown,
  { brand, sources }: Settings,
  brands: readonly BrandEntry[],
): string {
  const refused = refusedByTool(error);
  // A tool may have received its brand as an argument.
  const text = refused ?? brand ?? (error instanceof ToolError ? undefined : brands[0]?.id);
  if (text === undefined) throw error;
  const source = text === brand ? sources.brand : null;
  const id = brandIdOf(text, brands, source, refused === null ? undefined : TOOL_MESSAGE + text);
  if (id !== text) return id;
  throw neverCollected(brands.find((each) => each.id === id)!, brand === undefined && brands.length > 1);
}

/** The error for a name where only an id is accepted. */
export const namedByName = (id: string): CommandError =>
  new CommandError('not_found', `Brands are named by their id here: give ${printable(id)}.`, { status: 404 });

function neverCollected({ id, name }: BrandEntry, isDefault: boolean): CommandError {
  const others = isDefault ? ' `svc brands` lists the others, which --brand names.' : '';
  return new CommandError(
    'not_found',
    `Nothing was collected for the brand ${printable(name)} (${printable(id)}) yet: data comes in with \`svc admin import\`.`,
    { status: 404, hint: `docs/dataset.md describes what an import reads.${others}` },
  );
}
