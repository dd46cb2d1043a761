/** The text of an answer that is stated in blocks: paragraphs, headings, lists, tables, comparisons, code. */
import { z } from 'zod';
import { maybe } from './protocol.js';

const text = maybe(z.string());

interface Block {
  readonly title?: string | null | undefined;
  readonly snippet?: string | null | undefined;
  readonly text?: string | null | undefined;
  readonly code?: string | null | undefined;
  readonly list?: readonly Block[] | null | undefined;
  readonly text_blocks?: readonly Block[] | null | undefined;
  readonly table?: readonly (readonly unknown[])[] | null | undefined;
  readonly comparison?: readonly Comparison[] | null | undefined;
  readonly product_labels?: readonly string[] | null | undefined;
}
interface Comparison {
  readonly feature?: string | null | undefined;
  readonly values?: readonly string[] | null | undefined;
}

export const textBlock: z.ZodType<Block> = z.object({
  title: text,
  snippet: text,
  text,
  code: text,
  get list() {
    return maybe(z.array(textBlock));
  },
  get text_blocks() {
    return maybe(z.array(textBlock));
  },
  table: maybe(z.array(z.array(z.unknown()))),
  comparison: maybe(z.array(z.object({ feature: text, values: maybe(z.array(z.string())) }))),
  product_labels: maybe(z.array(z.string())),
});

/** The words of the blocks, each part on a line of its own. */
export const textOf = (blocks: readonly Block[]): string => blocks.flatMap(linesOf).join('\n');

const ROW = ' | ';

function linesOf(block: Block): string[] {
  const { title, snippet, text: words, code, list, text_blocks, table, comparison, product_labels } = block;
  const compared = comparison ?? [];
  return [
    ...[title, snippet, words, code].flatMap((line) => (line?.trim() ? [line.trim()] : [])),
    ...(list ?? []).flatMap(linesOf).map((line) => `- ${line}`),
    ...(text_blocks ?? []).flatMap(linesOf),
    ...(table ?? []).map((cells) => cells.map((cell) => (typeof cell === 'string' ? cell : '')).join(ROW)),
    ...(compared.length > 0 && product_labels ? [product_labels.join(ROW)] : []),
    ...compared.map(({ feature, values }) => [feature ?? '', ...(values ?? [])].join(ROW)),
  ];
}
