import { dayOf } from '../days.js';
import type { Entity } from '../entities.js';
import { fold } from '../entities.js';
import type { CapturedMention, PromptRecord, RunRecord, Tone } from '../records.js';
import { byCodePoint } from '../text-order.js';

const WORST_FIRST: readonly Tone[] = ['negative', 'neutral', 'positive'];

export interface ExpectedQuote {
  run_id: string;
  date: string;
  engine: string;
  prompt_id: string;
  prompt: string;
  entity: string;
  is_brand: boolean;
  tracked: boolean;
  sentiment: Tone;
  quote: string;
}

/**
 * Every mention with a tone and an evidence span: by tone, worst first, then date and run id, both descending, then
 * order; equal orders as captured.
 */
export function expectedQuotes(
  runs: RunRecord[],
  entities: Entity[],
  prompts: PromptRecord[],
): ExpectedQuote[] {
  const quotes = runs.flatMap((run) =>
    run.mentions.flatMap((mention) => {
      const quote = quoteOf(run, mention, entities, prompts);
      return quote === null ? [] : [{ quote, order: mention.order }];
    }),
  );
  return quotes
    .sort(
      (a, b) =>
        WORST_FIRST.indexOf(a.quote.sentiment) - WORST_FIRST.indexOf(b.quote.sentiment) ||
        byCodePoint(b.quote.date, a.quote.date) ||
        byCodePoint(b.quote.run_id, a.quote.run_id) ||
        a.order - b.order,
    )
    .map(({ quote }) => quote);
}

function quoteOf(
  run: RunRecord,
  mention: CapturedMention,
  entities: Entity[],
  prompts: PromptRecord[],
): ExpectedQuote | null {
  if (!mention.sentiment || !mention.evidence) return null;
  const entity = entities.find((each) => each.names.includes(fold(mention.name)));
  return {
    run_id: run.id,
    date: dayOf(run.collected_at),
    engine: run.engine,
    prompt_id: run.prompt,
    prompt: prompts.find((prompt) => prompt.id === run.prompt)!.text,
    entity: entity?.name ?? mention.name,
    is_brand: entity?.is_brand ?? false,
    tracked: entity !== undefined,
    sentiment: mention.sentiment,
    quote: mention.evidence,
  };
}
