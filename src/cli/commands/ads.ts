import { engineLabel } from '../../contract/glossary.js';
import { type Ad, ad, ads } from '../../contract/reads/ads.js';
import type { Infer } from '../../contract/schema.js';
import { allEngines } from '../../contract/wording.js';
import { readCommand } from '../base/read-command.js';
import type { Document } from '../render/document.js';
import { columnsOf, counted, date, engine, grouped, type TableView } from '../render/view.js';
import { answerHint, enginesText, period } from '../render/wording.js';

type Data = Infer<typeof ads.response>;

export default readCommand(ads, {
  inHelp: { group: 'SHOPPING AND ADS', place: 3 },
  description:
    '— means that the engine stated no advertiser. Only some engines state ads; on the others ads are ' +
    'unknown, which does not mean that there are none. Formats other than the table print one ad unit per row.',
  examples: ['', '--from 2026-07-01 --to 2026-07-31 --format csv'],
  request: (svc) => svc.ads,
  table: () => unitsView,
  draw,
});

function draw(
  { brand, window, engines, engines_observable, totals, capture, ads }: Data,
  document: Document,
): void {
  const found = `${counted(totals.units, 'ad unit')}, ${counted(totals.advertisers, 'advertiser')} named`;
  // Without any captured ad, the count is not known: 0 would be wrong.
  const counts = capture.first_captured_at === null ? [] : [found];
  document.title(
    `Ads · ${brand.name} · ${period(window)}`,
    [enginesText(engines, allEngines), ...counts].join(' · '),
  );
  document.sentences(
    `Engines that state ads: ${engines_observable.map(engineLabel).join(', ')}. On every other engine ads are unknown, never absent.`,
    capture.first_captured_at === null
      ? 'No ad was ever captured for this brand.'
      : `${counted(capture.all_time_units, 'unit')} on record, ${day(capture.first_captured_at)} to ${day(capture.last_captured_at)}.`,
  );
  document.table(null, unitsView, ads);
  if (ads.length > 0) document.sentences(answerHint(ads[0]!.run_id, brand));
}

const day = (stamp: string | null): string => stamp?.slice(0, 10) ?? '—';

const column = columnsOf(ad);

const unitsView: TableView<Ad> = {
  noun: 'ads in this window',
  columns: [
    date(),
    engine(),
    column('advertiser', {
      room: 'flexible',
      absence: 'not stated',
      link: ({ advertiser_url }) => advertiser_url,
    }),
    column('advertiser_domain', { room: 'flexible', absence: 'not stated' }),
    column('cards', { head: 'cards', text: ({ cards }) => grouped(cards.length), align: 'right' }),
    column('cards', {
      text: ({ cards: [first] }) => first?.title ?? first?.body ?? '',
      room: 'flexible',
      link: ({ cards: [first] }) => first?.target_url ?? null,
    }),
    column('prompt_id', { room: 'spare' }),
    column('run_id', { room: 'spare' }),
  ],
};
