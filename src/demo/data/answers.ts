/** Generates the text of an answer, and derives its mentions from the text. */

import type { Run } from '../../server/dataset/records/run.js';
import { channelOf } from './channels.js';
import type { Market } from './market.js';
import type { Naming } from './mentions.js';
import type { Random } from './random.js';
import type { Slot } from './schedule.js';

type Mention = Run['mentions'][number];

export interface Answer {
  readonly text: string;
  readonly mentions: Mention[];
}

const EVIDENCE_SHARE = 0.8;
/** The share of negative mentions that use the maker's own complaints, if it has any. */
const OWN_COMPLAINT_SHARE = 0.7;
const CLOSING_SHARE = 0.2;

interface Sentence {
  readonly text: string;
  /** The bracketed part of the phrase; null: it has none. */
  readonly span: string | null;
}

function sentenceOf(phrase: string, { name, product }: Pick<Naming, 'name' | 'product'>): Sentence {
  const filled = phrase.replaceAll('{name}', name).replaceAll('{product}', product.model);
  const span = /\[(.+)\]/.exec(filled)?.[1] ?? null;
  return { text: filled.replace('[', '').replace(']', ''), span };
}

function phrasesFor({ maker, tone }: Naming, market: Market, random: Random): readonly string[] {
  if (tone === null) return market.phrases.unscored;
  const isOwnComplaint = tone === 'negative' && maker.complaints && random.chance(OWN_COMPLAINT_SHARE);
  return isOwnComplaint ? maker.complaints! : market.phrases[tone];
}

/** One sentence per name. A phrase is repeated only after all phrases were used. */
function sentencesOf(market: Market, namings: readonly Naming[], random: Random): Sentence[] {
  const used = new Set<string>();
  return namings.map((naming) => {
    const phrases = phrasesFor(naming, market, random);
    const fresh = phrases.filter((phrase) => !used.has(phrase));
    const phrase = random.pick(fresh.length > 0 ? fresh : phrases);
    used.add(phrase);
    return sentenceOf(phrase, naming);
  });
}

function mentionOf(naming: Naming, order: number, span: string | null, random: Random): Mention {
  if (naming.tone === null) return { name: naming.name, order };
  const scored = { name: naming.name, order, sentiment: naming.tone };
  return span !== null && random.chance(EVIDENCE_SHARE) ? { ...scored, evidence: span } : scored;
}

/** An answer that contains these namings. The evidence of each mention is a span of the text. */
export function answerOf(market: Market, slot: Slot, namings: readonly Naming[], random: Random): Answer {
  const { openings, general, closing } = market.phrases;
  const opening = random.pick(openings);
  if (namings.length === 0) return { text: `${opening} ${general[slot.prompt.topic]!}`, mentions: [] };
  const sentences = sentencesOf(market, namings, random);
  const mentions = namings.map((naming, i) => mentionOf(naming, i + 1, sentences[i]!.span, random));
  const lines = sentences.map(({ text }) => text);
  const isList = channelOf(slot.engine).style === 'list';
  const body = isList ? lines.map((line, i) => `${i + 1}. ${line}`).join('\n') : lines.join(' ');
  const parts = [opening, body];
  if (namings.length > 1 && random.chance(CLOSING_SHARE)) {
    const last = { name: namings[0]!.maker.name, product: namings[0]!.product };
    parts.push(sentenceOf(random.pick(closing), last).text);
    mentions.push({ name: last.name, order: mentions.length + 1 });
  }
  return { text: parts.join(isList ? '\n\n' : ' '), mentions };
}
