/**
 * The generateContent API of Gemini.
 * https://ai.google.dev/api/generate-content and https://ai.google.dev/gemini-api/docs/google-search
 */
import { z } from 'zod';
import {
  type Answer,
  amount,
  answered,
  type Citation,
  citationOf,
  lenientObject,
  maybe,
  optionalField,
  outputLimit,
  type Protocol,
  type Usage,
} from './protocol.js';

const chunk = z.object({ web: maybe(z.object({ uri: maybe(z.string()), title: maybe(z.string()) })) });
const grounding = z.object({
  webSearchQueries: maybe(z.array(z.string())),
  groundingChunks: maybe(z.array(chunk)),
  groundingSupports: maybe(z.array(z.object({ groundingChunkIndices: maybe(z.array(z.int())) }))),
});
const candidate = z.object({
  finishReason: maybe(z.string()),
  content: maybe(
    z.object({ parts: maybe(z.array(z.object({ text: maybe(z.string()), thought: maybe(z.boolean()) }))) }),
  ),
  groundingMetadata: maybe(grounding),
});
const response = z.object({
  modelVersion: maybe(z.string()),
  promptFeedback: maybe(z.object({ blockReason: maybe(z.string()) })),
  candidates: maybe(z.array(candidate)),
  usageMetadata: lenientObject({
    promptTokenCount: amount,
    candidatesTokenCount: amount,
    thoughtsTokenCount: amount,
    toolUsePromptTokenCount: amount,
  }),
});
type Candidate = z.infer<typeof candidate>;

/** Models before Gemini 3 are charged once for a grounded request, the others for each of its searches. */
const CHARGED_ONCE = /^gemini-[12]\b/;
/** No parameter limits the searches of the others: an assumption. */
const MAX_SEARCHES = 8;

/** Finish reasons of an answer that the vendor withheld. */
const FILTERED = ['SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'LANGUAGE'];

export const gemini: Protocol = {
  statesCountry: false,
  maxSearches: (model) => (CHARGED_ONCE.test(model) ? 1 : MAX_SEARCHES),

  request(asked, { prompt, instructions, reply, search }, key) {
    const config = {
      ...optionalField('maxOutputTokens', outputLimit(asked)),
      ...(reply && { responseMimeType: 'application/json', responseJsonSchema: reply.schema }),
    };
    const body = {
      contents: [{ role: 'user', parts: [{ text: prompt }] }],
      ...optionalField(
        'systemInstruction',
        instructions === undefined ? null : { parts: [{ text: instructions }] },
      ),
      ...optionalField('tools', search ? [{ googleSearch: {} }] : null),
      ...optionalField('generationConfig', Object.keys(config).length > 0 ? config : null),
    };
    const path = `/models/${encodeURIComponent(asked.model)}:generateContent`;
    return { path, headers: optionalField('x-goog-api-key', key) as Record<string, string>, body };
  },

  reply(body) {
    const data = response.parse(body);
    const [first] = data.candidates ?? [];
    const usage = usageOf(data, first);
    if (data.promptFeedback?.blockReason)
      return { kind: 'filtered', detail: 'the prompt was blocked', usage };
    if (!first) return { kind: 'malformed', detail: 'the response has no candidate', usage };
    const { finishReason } = first;
    if (finishReason === 'MAX_TOKENS') return { kind: 'truncated', detail: finishReason, usage };
    if (finishReason != null && FILTERED.includes(finishReason))
      return { kind: 'filtered', detail: finishReason, usage };
    if (finishReason != null && finishReason !== 'STOP')
      return { kind: 'malformed', detail: 'it did not finish with STOP', usage };
    return answered(answerOf(first, data.modelVersion ?? null), usage);
  },
};

function answerOf({ content, groundingMetadata }: Candidate, model: string | null): Answer {
  const parts = (content?.parts ?? []).filter(({ thought }) => thought !== true);
  return {
    text: parts.map(({ text }) => text ?? '').join(''),
    model,
    citations: citationsOf(groundingMetadata),
    fanouts: groundingMetadata?.webSearchQueries ?? [],
  };
}

/** The chunks that a part of the text is based on, each once. Other chunks were only retrieved. */
function citationsOf(metadata: Candidate['groundingMetadata']): Citation[] {
  const named = (metadata?.groundingSupports ?? []).flatMap(
    ({ groundingChunkIndices }) => groundingChunkIndices ?? [],
  );
  return [...new Set(named)].flatMap((index) => {
    const { uri, title } = metadata?.groundingChunks?.[index]?.web ?? {};
    return uri ? [citationOf(uri, title)] : [];
  });
}

/** Thoughts are charged as output, pages that a tool read as input; searches without words are not charged. */
function usageOf(
  { modelVersion, usageMetadata: usage }: z.infer<typeof response>,
  first: Candidate | undefined,
): Usage {
  const queries = (first?.groundingMetadata?.webSearchQueries ?? []).filter((query) => query !== '').length;
  const isChargedOnce = CHARGED_ONCE.test(modelVersion ?? '');
  const sum = (...counts: (number | null | undefined)[]) =>
    counts.every((count) => count == null) ? null : counts.reduce<number>((a, b) => a + (b ?? 0), 0);
  return {
    input: sum(usage?.promptTokenCount, usage?.toolUsePromptTokenCount),
    output: sum(usage?.candidatesTokenCount, usage?.thoughtsTokenCount),
    searches: isChargedOnce ? Math.min(queries, 1) : queries,
    costUsd: null,
  };
}
