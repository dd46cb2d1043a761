import { label } from '../../contract/glossary.js';
import { type OffsiteMention, offsiteMentions } from '../../contract/reads/offsite.js';
import type { Infer } from '../../contract/schema.js';
import { ApiCommand } from '../base/api-command.js';
import { readFlags } from '../base/flags.js';
import { printRead } from '../base/read.js';
import type { Document } from '../render/document.js';
import { grouped, moment, type TableView, text } from '../render/view.js';
import { listed } from '../render/wording.js';

type Data = Infer<typeof offsiteMentions.response>;

export default class Offsite extends ApiCommand {
  static override inHelp = { group: 'CITATIONS', place: 7 };
  static override summary = offsiteMentions.summary;
  static override description =
    'What a weekly search for the names of the brand and its competitors found. A finding is a lead: the ' +
    'name occurs, and nobody checked that the brand is meant. Open the page before you rely on it.';
  static override examples = ['<%= config.bin %> offsite', '<%= config.bin %> offsite --format csv'];
  static override flags = readFlags(offsiteMentions);

  override async run(): Promise<void> {
    const { flags } = await this.parse(Offsite);
    return printRead(this, flags, offsiteMentions, {
      request: (svc, params, options) => svc.tools.call(offsiteMentions.tool, params, options),
      view: {
        table: () => findingsView,
        draw,
      },
    });
  }
}

function draw({ brand, total, mentions }: Data, document: Document): void {
  const own = mentions.filter(({ is_brand }) => is_brand).length;
  const split = ` · ${grouped(own)} for the brand, ${grouped(mentions.length - own)} for competitors`;
  document.title(
    `Off-site findings · ${brand.name} · newest week first`,
    ...listed(total, mentions.length, 'finding').map((text) => text + split),
  );
  document.table(null, findingsView, mentions);
}

const findingsView: TableView<OffsiteMention> = {
  noun: 'findings on record',
  own: ({ is_brand }) => is_brand,
  columns: [
    text('week of', ({ week }) => week),
    text(label('kind'), ({ kind }) => kind),
    text(label('name'), ({ entity, is_brand }) => entity + (is_brand ? ' (brand)' : ''), {
      room: 'flexible',
    }),
    text('title', ({ title }) => title, { room: 'flexible', link: ({ url }) => url }),
    text(label('domain'), ({ domain }) => domain, { room: 'flexible', absence: 'no web address' }),
    text('found', ({ found_at }) => moment(found_at), { room: 'spare' }),
    text(label('page'), ({ url }) => url, { room: 'spare', link: ({ url }) => url }),
  ],
};
