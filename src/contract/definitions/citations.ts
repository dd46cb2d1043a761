import { TOOL_CAPS } from '../limits.js';
import { counted, type DefinitionGroup, judged, ratio, stated } from './definition.js';

const elements = 'elements of the citation lists of answers: an answer that cites a page twice counts 2';

export const citations: DefinitionGroup = {
  id: 'citations',
  title: 'Citations',
  definitions: [
    counted('citations', 'citations', 'How often answers cite it.', elements, '0: not cited in the window'),
    counted(
      'prior_citations',
      'citations',
      'How often answers cited it in the window of equal length just before.',
      elements,
      'null on every row: the prior window has no run; 0: not cited in it',
    ),
    counted(
      'answers',
      'answers',
      'How many answers cite it.',
      'distinct answers: one that cites a page twice counts 1',
      '0: not cited in the window',
    ),
    counted(
      'citations_total',
      'citations',
      'How often answers ever cited the page, on every engine.',
      elements,
      '0: never cited; no measurement where nothing was ever collected, which note says',
    ),
    counted(
      'answers_total',
      'answers',
      'How many answers ever cited the page, on every engine.',
      'distinct answers',
      '0: never cited; no measurement where nothing was ever collected, which note says',
    ),
    judged(
      'brand_present',
      {
        what: 'Whether answers that cite it mention the brand; in a row of answers, whether the answer does.',
        empty: 'false',
      },
      'at least one run of the window that cites the row mentions the brand',
    ),
    ratio('youtube-citations.avg_position', 'rank', ['Σ place', 'citations of the video'], {
      what: 'The mean place of the video in the citation lists of answers; 1 is first.',
      empty: 'never null: only cited videos are listed',
    }),
    counted(
      'best_position',
      'rank',
      'The best place of the video in a citation list; 1 is first.',
      'the smallest place',
      'never null: only cited videos are listed',
    ),
    stated('views', 'views', 'the vendor', {
      what: 'Views of the video as of stats_as_of.',
      empty: 'null: not stated',
    }),
    stated('likes', 'likes', 'the vendor', {
      what: 'Likes of the video as of stats_as_of.',
      empty: 'null: not stated',
    }),
    counted(
      'total',
      'rows',
      'How many rows there are before the cap of the list.',
      'all findings, pages, threads or searches',
      '0: there are none',
    ),
    stated(
      'tracked-pages.value',
      'that of the field metric',
      'the provider',
      {
        what: 'A number of a third party about the page.',
        empty: 'never null: 0 is a stated zero; ranks null: never fetched',
      },
      { scale: 'that of the provider' },
    ),
  ],
};

export const coverage: DefinitionGroup = {
  id: 'coverage',
  title: 'Prompts and searches',
  definitions: [
    stated('est_volume', 'asks a month', 'the dataset', {
      what: 'How often people ask the prompt.',
      empty: 'null: not estimated',
    }),
    stated('est_volume_band', 'asks a month', 'the dataset', {
      what: 'The range of the estimate, low and high.',
      empty: 'null: not estimated',
    }),
    stated('gsc_impressions_28d', 'impressions', 'the search console', {
      what: 'Impressions of the site for the query of the prompt over 28 days.',
      empty: 'null: not measured',
    }),
    counted('prompts', 'prompts', 'The prompts of the brand.', 'active prompts', '0: there are none', [
      'totals.prompts',
    ]),
    counted(
      'measured',
      'prompts',
      'The prompts with data.',
      'prompts with a run in the window',
      '0: nothing was measured',
      ['totals.measured'],
    ),
    counted(
      'covered',
      'prompts',
      'The prompts whose answers cite the brand.',
      'prompts with a run in the window that cites the brand’s domain',
      '0; no measurement if measured is 0',
      ['totals.covered'],
    ),
    counted(
      'runs',
      'runs',
      'How many answers an engine ran the search for.',
      `distinct answers; the ${TOOL_CAPS.fanouts} most frequent searches are listed`,
      'never null: only searches that ran are listed',
      ['fanouts.runs'],
    ),
    stated('volume', 'searches a month', 'the dataset', {
      what: 'How often people search it.',
      empty: 'null: not measured, never estimated',
    }),
  ],
};

export const tone: DefinitionGroup = {
  id: 'tone',
  title: 'Tone',
  definitions: [
    counted(
      'mentions',
      'runs',
      'How many answers mention the entity.',
      'runs that mention it; the sum of positive, neutral, negative and unscored',
      '0; no measurement if run_count is 0',
      ['entities.mentions', 'by_engine.mentions'],
    ),
    ...(['positive', 'neutral', 'negative'] as const).map((name) =>
      counted(
        name,
        'runs',
        `How many answers mention the entity in a ${name} tone.`,
        'a run counts once per entity, with the tone of its first scored mention by order',
        '0; no measurement if run_count is 0',
      ),
    ),
    counted(
      'unscored',
      'runs',
      'How many answers mention the entity without a tone; they are outside the index, and not neutral.',
      'runs without a scored mention of it',
      '0; no measurement if run_count is 0',
    ),
    counted(
      'quotes_total',
      'quotes',
      'How many quotes there are before the cap of the list.',
      'scored mentions with the span that the tone was read from',
      '0; no measurement if run_count is 0',
    ),
  ],
};
