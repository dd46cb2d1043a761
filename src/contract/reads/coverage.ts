import { citationCount } from '../citations.js';
import { TOOL_CAPS } from '../limits.js';
import { brand } from '../params.js';
import { brandRef, caveats, defineRead, runCount, windowDays } from '../read.js';
import { count, flag, headed, list, nullable, object, part, text } from '../schema.js';
import { measuredDays, measuredWindow, windowRange } from '../slice.js';
import { source } from './sources.js';

const citations = count('Citations in the window', citationCount);

export const ownPage = part('A cited page of the brand', {
  url: text('Canonical URL of a page of the brand'),
  citations,
});
export const citationWinner = part('A domain that answers cite instead of the brand’s', {
  domain: text('Cited domain'),
  classification: source.fields.classification,
  citations,
});

export const coveredPrompt = part('An active prompt, with the pages that its answers cite', {
  prompt_id: text('Prompt id'),
  text: text('Prompt text', 'prompt'),
  run_count: count('Answers collected in the window', runCount),
  cites_own: nullable(
    headed('own cited', flag('An answer cites a page of the brand; null: no answer was collected')),
  ),
  own_pages: headed('most cited own page', list(ownPage, 'By citations descending, then by url')),
  winners: headed(
    'most cited elsewhere (citations)',
    list(
      citationWinner,
      `The ${TOOL_CAPS.winners} most cited domains that are not the brand’s, ties by domain`,
    ),
  ),
});

export const contentCoverage = defineRead({
  tool: 'get_content_coverage',
  group: 'coverage',
  mainRows: { at: ['prompts'] },
  summary: 'Which prompts already cite the brand’s own pages, and who wins the citations elsewhere',
  guide:
    'Which prompts cite the brand’s pages, and who is cited on the others? cites_own null: no answer was collected; winners: the 3 most cited other domains. Cited is not named: list_prompts has presence_rate by the same id.',
  needsRuns: false,
  params: { brand, ...windowRange },
  response: object({
    brand: brandRef,
    window_days: windowDays,
    totals: part('Counts over all active prompts', {
      prompts: count('Active prompts', {
        what: 'The prompts of the brand.',
        formula: 'active prompts',
        unit: 'prompts',
        empty: '0: there are none',
      }),
      measured: count('Prompts with an answer in the window', {
        what: 'The prompts with data.',
        formula: 'prompts with a run in the window',
        unit: 'prompts',
        empty: '0: nothing was measured',
      }),
      covered: count('Prompts with an answer that cites the brand', {
        what: 'The prompts whose answers cite the brand.',
        formula: 'prompts with a run in the window that cites the brand’s domain',
        unit: 'prompts',
        empty: '0; no measurement if measured is 0',
      }),
    }),
    prompts: list(coveredPrompt, 'Every active prompt, oldest first'),
    window: measuredWindow,
    measured: measuredDays,
    ...caveats,
  }),
});
