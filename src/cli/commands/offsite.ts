import { offsiteMention, offsiteMentions } from '../../contract/reads/offsite.js';
import { readCommand } from '../base/read-command.js';
import { columnsOf, grouped } from '../render/view.js';
import { listed } from '../render/wording.js';

const column = columnsOf(offsiteMention);

export default readCommand(offsiteMentions, {
  inHelp: { group: 'CITATIONS', place: 7 },
  description:
    'What a weekly search for the names of the brand and its competitors found. A finding is a lead: the ' +
    'name occurs, and nobody checked that the brand is meant. Open the page before you rely on it.',
  title: ({ brand, total, mentions }) => {
    const own = mentions.filter(({ is_brand }) => is_brand).length;
    const split = ` · ${grouped(own)} for the brand, ${grouped(mentions.length - own)} for competitors`;
    return [
      `Off-site findings · ${brand.name} · newest week first`,
      ...listed(total, mentions.length, 'finding').map((text) => text + split),
    ];
  },
  table: {
    noun: 'findings on record',
    own: ({ is_brand }) => is_brand,
    columns: [
      column('week'),
      column('kind'),
      column('entity', {
        text: ({ entity, is_brand }) => entity + (is_brand ? ' (brand)' : ''),
        room: 'flexible',
      }),
      column('title', { room: 'flexible', link: ({ url }) => url }),
      column('domain', { room: 'flexible', absence: 'no web address' }),
      column('found_at', { as: 'moment', room: 'spare' }),
      column('url', { room: 'spare', link: ({ url }) => url }),
    ],
  },
});
