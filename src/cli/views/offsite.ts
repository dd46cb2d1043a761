import { type OffsiteMention, offsiteMention } from '../../contract/reads/offsite-mentions.js';
import type { ToolPayloadOf } from '../../contract/tools.js';
import type { Paper } from '../render/document.js';
import type { SheetView } from '../render/object-format.js';
import { grouped, moment, type TableView, words } from '../render/view.js';
import { listed } from '../render/wording.js';

type OffsiteMentions = ToolPayloadOf<'list_offsite_mentions'>;

export const offsiteView: SheetView<OffsiteMentions, OffsiteMention> = {
  schema: offsiteMention,
  rows: ({ mentions }) => mentions,
  table: () => findingsView,
  draw,
};

function draw({ brand, total, mentions }: OffsiteMentions, paper: Paper): void {
  const own = mentions.filter(({ is_brand }) => is_brand).length;
  const split = ` · ${grouped(own)} for the brand, ${grouped(mentions.length - own)} for competitors`;
  paper.title(
    `Off-site findings · ${brand.name} · newest week first`,
    ...listed(total, mentions.length, 'finding').map((text) => text + split),
  );
  paper.table(null, findingsView, mentions);
}

const findingsView: TableView<OffsiteMention> = {
  noun: 'findings on record',
  own: ({ is_brand }) => is_brand,
  columns: [
    words('week of', ({ week }) => week),
    words('kind', ({ kind }) => kind),
    words('name', ({ entity, is_brand }) => entity + (is_brand ? ' (brand)' : ''), { room: 'flexible' }),
    words('title', ({ title }) => title, { room: 'flexible', link: ({ url }) => url }),
    words('domain', ({ domain }) => domain, { room: 'flexible', absence: 'no web address' }),
    words('found', ({ found_at }) => moment(found_at), { room: 'spare' }),
    words('url', ({ url }) => url, { room: 'spare', link: ({ url }) => url }),
  ],
};
