import { engineIds } from '../engines.js';
import { AD_CAPTURE_BEGAN, CAPS } from '../limits.js';
import { brand, customRange, engineFilter, presetDays } from '../params.js';
import { brandRef, caveats, defineRead, windowBounds } from '../read.js';
import { count, headed, type Infer, list, nullable, object, oneOfOrNewer, part, text } from '../schema.js';
import { allEngines } from '../wording.js';

export const adCard = part('A creative card of an ad', {
  title: nullable(text('Title as shown; null: not stated')),
  body: nullable(text('Text as shown; null: not stated')),
  target_url: nullable(text('Where the card leads; null: no link')),
  domain: nullable(text('Host of target_url without www.; null: no link')),
  image_url: nullable(text('Image; null: not stated')),
});

export const ad = part('An ad unit that was captured next to an answer', {
  run_id: text('The answer; joins rows of answers', 'run'),
  prompt_id: text('The prompt'),
  engine: oneOfOrNewer(engineIds, 'Engine that stated the unit'),
  captured_at: text('When the answer was collected, ISO 8601'),
  date: text('Its day, YYYY-MM-DD'),
  advertiser: nullable(text('Name as the engine stated it; null: not stated, never guessed')),
  advertiser_url: nullable(text('Link as stated; null: not stated')),
  advertiser_domain: nullable(text('Host of advertiser_url without www.; null: no link', 'domain')),
  favicon_url: nullable(text('Favicon; null: not stated')),
  cards: headed('first card', list(adCard, 'Creative cards; empty: an advertiser without cards')),
});

export const ads = defineRead({
  path: 'ads',
  tool: 'list_ads',
  group: 'ads',
  mainRows: { at: ['ads'] },
  summary: 'Advertiser units captured next to answers, verbatim',
  guide: `Which ads stand next to answers? Up to ${CAPS.ads} units, newest first, verbatim. A unit with no stated name or link is not stated: never guess an advertiser. Capture began July 2026; on engines outside engines_observable ads are unknown, never absent. There are no spend estimates.`,
  needsRuns: false,
  params: {
    brand,
    days: presetDays(7, 'the day of the brand’s newest captured unit'),
    ...customRange,
    engine: engineFilter(allEngines),
  },
  response: object({
    brand: brandRef,
    window: windowBounds('null: nothing was ever captured'),
    engines: nullable(list(oneOfOrNewer(engineIds, 'Engine id'), 'The engine filter; null: unfiltered')),
    engines_observable: list(
      oneOfOrNewer(engineIds, 'Engine id'),
      'Engines whose payloads state ads, and those of which a run of the window observes them; on every other engine ads are unknown, never absent',
    ),
    totals: part('Sums over the window', {
      units: count('Units in the window under the filter, before the cap: answers with an ad', {
        what: 'The ad units of the window.',
        formula: 'units of the engines asked for, before the cap of the list',
        unit: 'units',
        empty: '0: none was captured; engines outside of engines_observable state none',
      }),
      advertisers: count('Distinct names stated', {
        what: 'The advertisers of the window.',
        formula: 'distinct stated names',
        unit: 'advertisers',
        empty: '0: none was stated',
      }),
    }),
    capture: part('Everything that was ever captured for the brand', {
      all_time_units: count('Units ever captured for the brand, on any engine', {
        what: 'The ad units that were ever captured.',
        formula: `units on any engine since ${AD_CAPTURE_BEGAN}`,
        unit: 'units',
        empty: '0: none was captured',
      }),
      first_captured_at: nullable(text('ISO 8601; null: never captured')),
      last_captured_at: nullable(text('ISO 8601; null: never captured')),
    }),
    ads: list(ad, `Newest first, at most ${CAPS.ads}`),
    ...caveats,
  }),
});

export type Ads = Infer<typeof ads.response>;
export type Ad = Infer<typeof ad>;
