import { expect } from 'chai';
import fc from 'fast-check';
import { AgentMemo, agents, recogniseAgent } from '../../../src/logs/agents/match.js';

const keyOf = (userAgent: string): string | null => recogniseAgent(userAgent)?.key ?? null;

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';

describe('recogniseAgent', () => {
  const rows: [rule: string, userAgent: string, key: string | null][] = [
    [
      'finds a token in the middle',
      'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)',
      'gptbot',
    ],
    ['ignores case', 'mozilla/5.0 (compatible; gptBOT/1.2)', 'gptbot'],
    ['requires a word boundary before the token', 'NotGPTBot/1.0', null],
    ['requires a word boundary after the token', 'GPTBots/1.0', null],
    ['counts a hyphen as part of a word', 'GPTBot-Image/1.0', null],
    ['counts an underscore as part of a word', 'my_GPTBot/1.0', null],
    ['treats other characters as a boundary', 'badÿþGPTBot/1.0', 'gptbot'],
    ['finds a bare token', 'GPTBot', 'gptbot'],
    ['finds nothing in an empty field', '', null],
    ['finds nothing in a dash', '-', null],
    ['finds nothing in a redacted field', 'REDACTED', null],
    ['matches the slash of Googlebot/', 'Googlebot/2.1 (+http://www.google.com/bot.html)', 'googlebot'],
    ['ignores bots "like Googlebot"', 'FreshRSS/1.11 (Linux; https://freshrss.org) like Googlebot', null],
    ['ignores Googlebot-Image', 'Googlebot-Image/1.0', null],
    [
      'ignores the ads bot of Bing',
      'Mozilla/5.0 (compatible; adidxbot/2.0; +http://www.bing.com/bingbot.htm)',
      null,
    ],
    ['finds bingbot', 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', 'bingbot'],
    [
      'ignores the Exabot of Exalead',
      'Mozilla/5.0 (compatible; Exabot/3.0; +http://www.exabot.com/go/robot)',
      null,
    ],
    ['finds the ExaBot of Exa', 'Mozilla/5.0 (compatible; ExaBot/1.0; +https://exa.ai)', 'exabot-exa'],
    ['ignores Novaact', 'Novaact/1.0 (+novaact.com)', null],
    ['finds NovaAct', 'Mozilla/5.0 (compatible; NovaAct)', 'novaact'],
    ['ignores a bare word', 'ngrok/3.0 cohere grok devin code spider cursor Operator OpenAI', null],
    ['finds Devin with its slash', 'Devin/1.0', 'devin'],
    ['ignores an unknown "bot"', 'Mozilla/5.0 (Linux; Android 9; CUBOT_X19) UptimeRobot/2.0', null],
    ['finds the notebook by its old name', 'Mozilla/5.0 Google-NotebookLM', 'google-notebooklm'],
    ['finds the notebook by its new name', 'Mozilla/5.0 Google-GeminiNotebook', 'google-gemininotebook'],
    [
      'finds a bot in a browser’s user agent',
      `${chrome}; compatible; OAI-SearchBot/1.4; +https://openai.com/searchbot`,
      'oai-searchbot',
    ],
    [
      'finds the variant of that bot',
      `${chrome}; compatible; OAI-SearchBot/1.3; robots.txt; +https://openai.com/searchbot`,
      'oai-searchbot',
    ],
    ['finds meta-webindexer', `${chrome} (compatible; meta-webindexer/1.1)`, 'meta-webindexer'],
    ['ignores a link preview', 'facebookexternalhit/1.1 Facebot Twitterbot/1.0', null],
    ['finds the check of advertisements', 'meta-externalads/1.1 OAI-AdsBot/1.0', 'oai-adsbot'],
    [
      'finds Claude Code, which also calls itself Claude-User',
      'Claude-User (claude-code/2.1.86; +https://support.anthropic.com/)',
      'claude-code',
    ],
    ['finds the other spelling of Perplexity-User', 'PerplexityUser/1.0', 'perplexity-user'],
    ['finds nothing in a browser', chrome, null],
    ['finds a token of two words', 'Mozilla/5.0 (compatible; Kangaroo Bot/1.0)', 'kangaroo-bot'],
    [
      'finds another spelling of Yandex',
      'Mozilla/5.0 (compatible; YandexAdditionalBot/3.0; +http://yandex.com/bots)',
      'yandexadditional',
    ],
    ['finds the older spelling of omgili', 'omgilibot/0.4 +http://omgili.com', 'omgili'],
    ['finds GoogleOther-Image as GoogleOther', 'GoogleOther-Image/1.0', 'googleother'],
    ['finds GoogleOther-Video as GoogleOther', 'GoogleOther-Video/1.0', 'googleother'],
    [
      'distinguishes the evaluation bot of Ai2',
      'Mozilla/5.0 (compatible) AI2Bot-DeepResearchEval (+https://www.allenai.org/crawler)',
      'ai2bot-deepresearcheval',
    ],
    [
      'finds a bot that links to its own page',
      'Mozilla/5.0 (compatible; IbouBot/1.0; +bot@ibou.io; +https://ibou.io/iboubot.html)',
      'iboubot',
    ],
    [
      'finds a bot with a comment',
      'Mozilla/5.0 (compatible; Thinkbot/0.5.8; +In_the_test_phase,_if_the_Thinkbot_brings_you_trouble,_please_block_its_IP_address._Thank_you.)',
      'thinkbot',
    ],
    ['finds a bot with a host name as its token', 'bigsur.ai', 'bigsur.ai'],
    ['finds TerraCotta', 'TerraCotta https://github.com/CeramicTeam/CeramicTerracotta', 'terracotta'],
    ['ignores the Java cluster', 'Terracotta/4.3 Java/17', null],
    ['finds Crawlspace', 'Mozilla/5.0 (compatible; Crawlspace/1.0)', 'crawlspace'],
    [
      'ignores a repository of that name',
      'Mozilla/5.0 (compatible; CrawlspaceBot/1.0; +https://github.com/example/crawlspace) audit',
      null,
    ],
    [
      'ignores names of no vendor',
      'xAI-Bot Groq-Bot Bard-AI Gemini-AI ChatGPT-Browser Anthropic-Claude',
      null,
    ],
    ['finds the earliest of two', 'ClaudeBot/1.0 GPTBot/1.2', 'claudebot'],
    ['finds the longest token at one position', 'Diffbot-User/1.0', 'diffbot-user'],
    [
      'decodes %20',
      'Mozilla/5.0%20(compatible;%20Googlebot/2.1;%20+http://www.google.com/bot.html)',
      'googlebot',
    ],
    ['decodes %2520', 'Mozilla/5.0%2520(compatible;%2520bingbot%252F2.0)', 'bingbot'],
    ['decodes %2F and +', 'Mozilla%2F5.0%20(compatible;+Kangaroo+Bot%2F1.0)', 'kangaroo-bot'],
    ['decodes a single encoded word', 'Googlebot%2F2.1', 'googlebot'],
    ['does not decode a value with a space', 'x%20 Googlebot%2F2.1', null],
    ['decodes at most twice', 'Googlebot%25252F2.1%20', null],
  ];

  for (const [rule, userAgent, key] of rows) it(rule, () => expect(keyOf(userAgent)).to.equal(key));

  it('returns the same as a search for every token at every position', () => {
    const pieces = fc.constantFrom(
      ...agents.flatMap(({ token }) => token ?? []),
      ' ',
      '-',
      '_',
      '/',
      ';',
      'x',
      'É',
      '\u212a',
      'bot',
    );
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 6 }).map((parts) => `${parts.join('')} `),
        (text) => {
          expect(keyOf(text)).to.equal(searched(text));
        },
      ),
      { numRuns: 3000 },
    );
  });
});

/** The rule in its simplest form. */
function searched(text: string): string | null {
  const found = agents.flatMap((agent) =>
    (agent.token === null ? [] : [agent.token, ...agent.aliases]).flatMap((token) => {
      const before = /^[\w-]/.test(token) ? '(?<![A-Za-z0-9_-])' : '';
      const behind = /[\w-]$/.test(token) ? '(?![A-Za-z0-9_-])' : '';
      const escaped = token.replace(/[.\\/(]/g, '\\$&');
      const match = new RegExp(`${before}${escaped}${behind}`, agent.caseSensitive ? '' : 'i').exec(text);
      return match === null ? [] : [{ key: agent.key, at: match.index, length: token.length }];
    }),
  );
  return found.sort((a, b) => a.at - b.at || b.length - a.length)[0]?.key ?? null;
}

/** Looks up the bytes of a text, as a parser of bytes does. */
const lookup = (memo: AgentMemo, text: string) =>
  memo.lookup(Buffer.from(text).toString('latin1'), () => text);

describe('the cache of user agents', () => {
  it('returns the result of recogniseAgent for bytes and for text, cached or not', () => {
    const memo = new AgentMemo();
    const texts = new AgentMemo();
    const names = fc.constantFrom(
      ...agents.flatMap(({ token }) => token ?? []),
      '',
      '-',
      'curl/8',
      'x'.repeat(1100),
    );
    const userAgent = fc
      .tuple(names, fc.constantFrom('', ' ', '/', 'x'), fc.nat(3))
      .map(([a, b, c]) => `${a}${b}${c || ''}`);
    fc.assert(
      fc.property(userAgent, (text) => {
        const agent = recogniseAgent(text);
        expect(lookup(memo, text)).to.include({ agent, present: text !== '' && text !== '-' });
        expect(texts.lookup(text).agent).to.equal(agent);
      }),
      { numRuns: 3000 },
    );
  });

  it('stays correct with more user agents than it can hold', () => {
    const memo = new AgentMemo();
    const texts = new AgentMemo();
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 10_000; i++) {
        const [text, key] = i % 3 === 0 ? [`GPTBot/${i}`, 'gptbot'] : [`Mozilla/5.0 Chrome/${i}`, undefined];
        expect(lookup(memo, text).agent?.key).to.equal(key);
        expect(texts.lookup(text).agent?.key).to.equal(key);
      }
    }
  });
});
