import type { Competitor } from '../../contract/reads/competitors.js';
import { percent, position, score, type TableView, words } from '../render/view.js';

export const competitorsView: TableView<Competitor> = {
  noun: 'competitors',
  own: (row) => row.is_brand,
  columns: [
    words('name', (row) => row.name + (row.is_brand ? ' (brand)' : ''), { room: 'flexible' }),
    score('visibility', (row) => row.visibility),
    percent('share of voice', (row) => row.share_of_voice_fraction),
    percent('citation share', (row) => row.citation_share),
    score('sentiment', (row) => row.sentiment_index),
    position('avg position', (row) => row.avg_position),
    words('domain', (row) => row.domain, { room: 'spare', link: (row) => `https://${row.domain}/` }),
  ],
};
