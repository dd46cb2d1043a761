/** Brands that are hard to lay out: many rivals and prompts, names in other scripts or without a space, a first week. */
import { addDays } from '../../../../../src/server/base/days.js';

export const crowdedId = 'crowded';
export const newId = 'newcomer';

const NAMES = [
  'شركة القهوة العربية للمعدات المنزلية',
  'חברת מכונות האספרסו הישראלית',
  '株式会社日本家庭用エスプレッソマシン製造販売',
  '서울 커피 기계 제작소',
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
  'Ångström & Sons of the Long Road to the Northern Harbour, Limited Liability Company',
  '☕️🤖 Robo',
  'A',
];
const QUESTIONS = [
  'ما هي أفضل آلة إسبريسو للمنزل؟',
  '自宅で使うのに一番いいエスプレッソマシンはどれですか、予算は五万円までで静かなものがいいです',
  'Which machine is best?',
  `Is ${'verylongword'.repeat(12)} any good?`,
  'I have a small kitchen, a cat that is afraid of noise, two children and a budget of less than four hundred euros: which espresso machine should I buy this year, and from whom?',
];

const RIVALS = 50;
const PROMPTS = 500;
const ENGINES = ['chatgpt', 'gemini', 'perplexity'] as const;
const nameOf = (at: number) =>
  at < NAMES.length ? NAMES[at]! : `${NAMES[at % NAMES.length]!.slice(0, 24)} ${at}`;

/** @param today The newest day with runs, YYYY-MM-DD. */
export function* oddMarket(today: string): Generator<object> {
  yield { type: 'workspace', id: 'odd', name: 'odd', plan: 'growth' };
  yield* crowded(today);
  yield* newcomer(today);
}

function* crowded(today: string): Generator<object> {
  const brand = { name: NAMES[5], domain: `${'a-long-name-of-a-host-'.repeat(2)}example.example` };
  yield { type: 'brand', id: crowdedId, workspace: 'odd', ...brand, created_at: '2026-01-01T00:00:00Z' };
  for (let at = 0; at < RIVALS; at++)
    if (at !== 5) yield { type: 'competitor', id: `c${at}`, brand: crowdedId, name: nameOf(at) };
  for (let at = 0; at < PROMPTS; at++) {
    const text = `${QUESTIONS[at % QUESTIONS.length]} ${at}`;
    yield { type: 'prompt', id: `p${at}`, brand: crowdedId, text, tags: [NAMES[at % 4]!.slice(0, 30)] };
  }
  for (let at = 0; at < PROMPTS; at++) yield runOf(crowdedId, at, addDays(today, -(at % 28)));
}

function* newcomer(today: string): Generator<object> {
  const created_at = `${addDays(today, -3)}T00:00:00Z`;
  yield {
    type: 'brand',
    id: newId,
    workspace: 'odd',
    name: 'Newcomer',
    domain: 'newcomer.example',
    created_at,
  };
  yield { type: 'prompt', id: 'p0', brand: newId, text: QUESTIONS[2] };
  for (let at = 0; at < 6; at++) yield { ...runOf(newId, at, addDays(today, -(at % 3))), prompt: 'p0' };
}

/** An answer that names the brand now and then, and some rivals. */
function runOf(brand: string, at: number, day: string): object {
  const own = at % 4 === 0 ? [brand === newId ? 'Newcomer' : NAMES[5]!] : [];
  const rivals = brand === newId ? ['Elder'] : [nameOf(at % RIVALS), nameOf((at * 7) % RIVALS), nameOf(0)];
  const names = [...new Set([...own, ...rivals])];
  const tones = ['positive', 'negative', 'neutral'] as const;
  return {
    type: 'run',
    id: `r${at}`,
    brand,
    prompt: `p${at}`,
    engine: ENGINES[at % ENGINES.length],
    region: 'us',
    model: `model-of-${'many-words-'.repeat(4)}${at > 250 ? 1 : 2}`,
    collected_at: `${day}T08:00:00Z`,
    mentions: names.map((name, place) => ({
      name,
      order: place + 1,
      sentiment: tones[(at + place) % 3],
      evidence: `${name}: ${QUESTIONS[(at + place) % QUESTIONS.length]}`,
    })),
    citations: [
      {
        url: `https://site${at % 15}.example/${'path-of-many-words/'.repeat(at % 9)}${at % 40}`,
        title: QUESTIONS[at % 5],
      },
      {
        url: `https://${'subdomain.'.repeat(8)}${'a-long-name-of-a-host-'.repeat(2)}example.example/${at % 7}`,
      },
    ],
    fanouts: [QUESTIONS[(at + 1) % 5]],
  };
}
