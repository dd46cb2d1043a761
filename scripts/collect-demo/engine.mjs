/** An engine on the loopback address with made-up answers: the Responses form to ask, the chat form to find names. */
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

const PAGES = {
  Fleetfoot: 'https://fleetfoot.example/lab',
  Stride: 'https://stride.example/models',
  Bolt: 'https://reviews.example/bolt',
};
const SENTENCES = [
  ['Fleetfoot', 'Fleetfoot is close to indestructible.', 'positive'],
  ['Stride', 'Stride wears out quickly.', 'negative'],
  ['Bolt', 'Bolt is a solid choice.', 'positive'],
];

/** Each prompt gets two of the three sentences, in an order of its own. */
function answerTo(prompt, count) {
  const at = (prompt.length + count) % SENTENCES.length;
  const chosen = [SENTENCES[at], SENTENCES[(at + 1) % SENTENCES.length]];
  return {
    text: chosen.map(([, sentence]) => sentence).join(' '),
    pages: chosen.map(([name]) => PAGES[name]),
  };
}

function responses({ model, input }, count) {
  const { text, pages } = answerTo(input, count);
  const annotations = pages.map((url) => ({
    type: 'url_citation',
    url,
    title: '',
    start_index: 0,
    end_index: 1,
  }));
  return {
    model: `${model}-loopback`,
    status: 'completed',
    output: [
      {
        type: 'web_search_call',
        action: { type: 'search', queries: [input.toLowerCase().replace(/\W+/g, ' ').trim()] },
      },
      { type: 'message', content: [{ type: 'output_text', text, annotations }] },
    ],
    usage: { input_tokens: 8000 + input.length, output_tokens: text.length },
  };
}

function names({ messages }) {
  const { answer } = JSON.parse(messages.at(-1).content);
  const found = SENTENCES.filter(([, sentence]) => answer.includes(sentence));
  const mentions = found.map(([name, evidence, sentiment]) => ({ name, sentiment, evidence }));
  return {
    choices: [{ finish_reason: 'stop', message: { content: JSON.stringify({ mentions }) } }],
    usage: { prompt_tokens: 400, completion_tokens: 60 },
  };
}

/** @returns The address, and how often it was asked. */
export async function startEngine() {
  let asked = 0;
  const server = createServer(async (request, response) => {
    const body = await json(request);
    asked++;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(request.url === '/v1/responses' ? responses(body, asked) : names(body)));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    asked: () => asked,
    close: () => server.close(),
  };
}
