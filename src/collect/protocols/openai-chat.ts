/** The chat completions API of OpenAI as a protocol. `language-model.ts` has its form. */
import {
  type ChatMessage,
  chargedOf,
  chatCompletion,
  chatRequest,
} from '../../server/base/language-model.js';
import {
  answered,
  citationOf,
  type EngineInput,
  optionalField,
  outputLimit,
  type Protocol,
} from './protocol.js';

const webSearch = ({ country }: EngineInput) =>
  country === null ? {} : { user_location: { type: 'approximate', approximate: { country } } };

export const openaiChat: Protocol = {
  statesCountry: true,
  maxSearches: () => 1,

  request(asked, input, key) {
    const { instructions, prompt, reply, search } = input;
    const system: ChatMessage[] =
      instructions === undefined ? [] : [{ role: 'system', content: instructions }];
    const body = {
      model: asked.model,
      messages: [...system, { role: 'user' as const, content: prompt }],
      ...optionalField('web_search_options', search ? webSearch(input) : null),
      ...optionalField('max_completion_tokens', outputLimit(asked)),
    };
    return chatRequest(key, body, reply);
  },

  reply(body) {
    const { choices, model } = chatCompletion.parse(body);
    const usage = { ...chargedOf(body), searches: null };
    const { finish_reason, message } = choices[0]!;
    if (message.refusal) return { kind: 'refused', detail: 'refusal', usage };
    if (finish_reason === 'content_filter') return { kind: 'filtered', detail: finish_reason, usage };
    if (finish_reason === 'length') return { kind: 'truncated', detail: finish_reason, usage };
    const citations = (message.annotations ?? []).flatMap(({ type, url_citation }) =>
      type === 'url_citation' && url_citation ? [citationOf(url_citation.url, url_citation.title)] : [],
    );
    const answer = { text: message.content ?? '', model: model ?? null, citations, fanouts: [] };
    return answered(answer, usage);
  },
};
