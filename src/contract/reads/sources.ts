import { brandPresence, citationCount } from '../citations.js';
import { CAPS } from '../limits.js';
import { brand, paging } from '../params.js';
import { brandRef, caveats, defineRead } from '../read.js';
import { count, flag, type Infer, list, object, oneOfOrNewer, part, text } from '../schema.js';
import { sliced, sliceParams } from '../slice.js';

/** Labels of a cited domain, in the order in which they are tried. A workspace may define a label of its own, so the list is open. */
export const domainLabels = [
  'owned',
  'competitor',
  'ugc',
  'reference',
  'institutional',
  'commerce',
  'editorial',
  'other',
] as const;
export type DomainLabel = (typeof domainLabels)[number];

export const source = part('A cited domain', {
  domain: text('Cited domain'),
  classification: oneOfOrNewer(domainLabels, 'Effective label, workspace reclassifications merged in'),
  overridden: flag('A workspace reclassification set the label'),
  citations: count('Citations of the domain in the window', citationCount),
  brand_present: flag('The brand is mentioned in at least one run that cites the domain', brandPresence),
});

export const sources = defineRead({
  path: 'sources',
  tool: 'list_sources',
  group: 'citations',
  summary: 'The domains that answers cite',
  guide: `Which sites do answers cite? The ${CAPS.sources} most cited. classification is the label in effect, overridden: set by the workspace; brand_present: an answer that cites it names the brand.`,
  needsRuns: true,
  params: { brand, ...paging, ...sliceParams },
  rows: 'sources',
  order: ['citations', 'domain'],
  response: object({
    brand: brandRef,
    sources: list(source, `The ${CAPS.sources} most cited; pages are ordered by domain`),
    ...sliced,
    ...caveats,
  }),
});

export type Source = Infer<typeof source>;
