import { type Ad, type Ads, ad } from '../../contract/reads/ads.js';
import { date } from '../render/columns.js';
import type { Paper } from '../render/document.js';
import type { SheetView } from '../render/object-format.js';
import { count, counted, type TableView, words } from '../render/view.js';
import { period, scopeOf } from '../render/wording.js';

export const adsView: SheetView<Ads, Ad> = {
  schema: ad,
  rows: ({ ads }) => ads,
  table: () => unitsView,
  draw,
};

function draw({ brand, window, engines, engines_observable, totals, capture, ads }: Ads, paper: Paper): void {
  const found = `${counted(totals.units, 'ad unit')}, ${counted(totals.advertisers, 'advertiser')} named`;
  // A count of what was never captured would be a false zero.
  const counts = capture.first_captured_at === null ? [] : [found];
  paper.title(
    `Ads · ${brand.name} · ${period(window)}`,
    [scopeOf(engines, 'every engine'), ...counts].join(' · '),
  );
  paper.words(
    `Engines that state ads: ${engines_observable.join(', ')}. On every other engine ads are unknown, never absent.`,
    capture.first_captured_at === null
      ? 'No ad was ever captured for this brand.'
      : `${counted(capture.all_time_units, 'unit')} on record, ${day(capture.first_captured_at)} to ${day(capture.last_captured_at)}.`,
  );
  paper.table(null, unitsView, ads);
}

const day = (stamp: string | null): string => stamp?.slice(0, 10) ?? '—';

const unitsView: TableView<Ad> = {
  noun: 'ads in this window',
  columns: [
    date(),
    words('engine', ({ engine }) => engine),
    words('advertiser', ({ advertiser }) => advertiser, {
      room: 'flexible',
      absence: 'not stated',
      link: ({ advertiser_url }) => advertiser_url,
    }),
    words('domain', ({ advertiser_domain }) => advertiser_domain, {
      room: 'flexible',
      absence: 'not stated',
    }),
    count('cards', ({ cards }) => cards.length),
    words('first card', ({ cards: [first] }) => first?.title ?? first?.body ?? '', {
      room: 'flexible',
      link: ({ cards: [first] }) => first?.target_url ?? null,
    }),
    words('prompt id', ({ prompt_id }) => prompt_id, { room: 'spare' }),
    words('run', ({ run_id }) => run_id, { room: 'spare' }),
  ],
};
