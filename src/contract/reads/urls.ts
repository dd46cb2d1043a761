import { brandPresence, CITATIONS, citationCount, citingAnswers } from '../citations.js';
import { engineIds } from '../engines.js';
import { CAPS } from '../limits.js';
import { brand, paging } from '../params.js';
import { brandRef, caveats, defineRead } from '../read.js';
import {
  count,
  flag,
  type Infer,
  list,
  nullable,
  object,
  oneOf,
  oneOfOrNewer,
  part,
  text,
  zeroWhenUnmeasured,
} from '../schema.js';
import { sliced, sliceParams } from '../slice.js';
import { source } from './sources.js';

export const pageTypes = [
  'listicle',
  'comparison',
  'howto',
  'review',
  'docs',
  'forum',
  'news',
  'product',
] as const;
export type PageType = (typeof pageTypes)[number];

export const citedUrl = part('A cited page', {
  url: text('Canonical cited URL'),
  domain: text('Its domain'),
  title: nullable(text('Page title; null: no engine reported one')),
  classification: source.fields.classification,
  overridden: source.fields.overridden,
  citations: zeroWhenUnmeasured(
    count('Citations in the current window; 0: cited only in the prior one', citationCount),
  ),
  prior_citations: nullable(
    count('Citations in the window of equal length before; null: no prior window observed yet', {
      what: 'How often answers cited it in the window of equal length just before.',
      formula: CITATIONS,
      unit: 'citations',
      empty: 'null on every row: the prior window has no run; 0: not cited in it',
    }),
  ),
  answers: zeroWhenUnmeasured(count('Distinct answers that cite it in the current window', citingAnswers)),
  engines: list(oneOfOrNewer(engineIds, 'Engine id'), 'Engines that cite it'),
  brand_present: flag('The brand is mentioned in at least one answer that cites it', brandPresence),
  page_type: nullable(oneOf(pageTypes, 'Kind of page; null: no recognisable signal')),
});

export const urls = defineRead({
  path: 'urls',
  tool: 'list_urls',
  group: 'citations',
  summary: 'The pages that answers cite',
  guide: `Which pages do answers cite? The ${CAPS.urls} most cited. citations 0: only in the window before; prior_citations null: there was none; page_type or title null: not known.`,
  needsRuns: false,
  params: { brand, ...paging, ...sliceParams },
  rows: 'urls',
  order: ['citations', 'prior_citations', 'url'],
  response: object({
    brand: brandRef,
    urls: list(citedUrl, `The ${CAPS.urls} most cited; pages are ordered by url`),
    ...sliced,
    ...caveats,
  }),
});

export type CitedUrl = Infer<typeof citedUrl>;
