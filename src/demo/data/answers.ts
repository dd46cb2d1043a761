/** Generates an answer: which makers it names, its text, and the mentions in the text. */
import type { EngineId } from '../../contract/engines.js';
import type { Run } from '../../server/intake/dataset/records/run.js';
import { momentum, type Slot, weeklySwing } from './calendar.js';
import { channelOf } from './channels.js';
import { type Entity, espresso, type Maker, type Market, type Product, type Tones } from './market.js';
import { gainOf } from './marks.js';
import type { Random } from './random.js';

// Decides which makers an answer names, in which order and in which tone.

type ToneName = keyof Tones;

/** One name in one answer, before its sentence is written. */
export interface Naming {
  readonly maker: Maker;
  readonly name: string;
  readonly product: Product;
  /** Null: the answer does not judge the maker. */
  readonly tone: ToneName | null;
}

const MAX_NAMES = 7;
const ALIAS_SHARE = 0.08;
const UNSCORED_SHARE = 0.22;
const ABOUT_PRESENCE = 0.97;
/** The weight of the random part of a rank, relative to the maker's strength. */
const RANK_SPREAD = 1.1;
const toneNames: readonly ToneName[] = ['positive', 'neutral', 'negative'];

/** Probability that the answer of this slot names the maker. */
function presenceOf(maker: Maker | Entity, slot: Slot): number {
  const rise = 1 + (maker.growth ?? 0) * (momentum(slot.day) - 0.5);
  const { engines, topics, prompts } = maker;
  const fit =
    (engines?.[slot.engine] ?? 1) * (topics?.[slot.prompt.topic] ?? 1) * (prompts?.[slot.prompt.id] ?? 1);
  const presence =
    maker.presence * rise * fit * (slot.prompt.naming ?? 1) * weeklySwing(maker.name, slot.day);
  const gain = 'id' in maker && maker.id === espresso.brand ? gainOf(slot.prompt.id, slot.day) : 1;
  return Math.min(0.95, presence * gain);
}

function toneOf(maker: Maker, engine: EngineId, random: Random): ToneName | null {
  if (random.chance(UNSCORED_SHARE)) return null;
  return random.weighted(
    toneNames,
    (tone) => maker.tones[tone] * (tone === 'negative' ? channelOf(engine).critical : 1),
  );
}

function namingOf(maker: Maker, engine: EngineId, random: Random): Naming {
  const isAlias = maker.aliases.length > 0 && random.chance(ALIAS_SHARE);
  return {
    maker,
    name: isAlias ? random.pick(maker.aliases) : maker.name,
    product: random.pick(maker.products),
    tone: toneOf(maker, engine, random),
  };
}

/** The makers that an answer names, in order, each at most once. */
export function namingsOf(market: Market, slot: Slot, random: Random): Naming[] {
  const isAbout = (maker: Maker | Entity) => 'id' in maker && slot.prompt.about?.includes(maker.id) === true;
  return [...market.entities, ...market.untracked]
    .filter((maker) => random.chance(isAbout(maker) ? ABOUT_PRESENCE : presenceOf(maker, slot)))
    .map((maker) => ({
      maker,
      rank: maker.strength + (isAbout(maker) ? 1 : 0) + random.next() * RANK_SPREAD,
    }))
    .sort((a, b) => b.rank - a.rank)
    .slice(0, MAX_NAMES)
    .map(({ maker }) => namingOf(maker, slot.engine, random));
}

type Mention = Run['mentions'][number];

interface Answer {
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

/** An answer that names these makers. The evidence of each mention is a span of its text. */
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
