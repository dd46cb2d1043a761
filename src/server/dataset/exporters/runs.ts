/** The exporter of runs with their children, with dictionary keys resolved to texts. */
import { tones } from '../../../contract/reads/answers.js';
import type { Surface } from '../../../contract/surfaces.js';
import type { RecordOf } from '../records/index.js';
import { brandExporter, stated, unlessEmpty } from './exporter.js';

type Run = RecordOf<'run'>;
type Placement = NonNullable<Run['carousels']>[number]['placements'][number];
type Ad = NonNullable<Run['ad']>;

interface RunRow {
  id: string;
  prompt: string;
  engine: string;
  model: string;
  region: string;
  surface: Surface | '';
  collected_at: Date;
  answer: string | null;
  mentions: { name: string; order: number; tone: number | null; evidence: string | null }[];
  citations: { url: string; title: string | null }[];
  carousels: Placement[][];
  ad: Ad | null;
  fanouts: string[];
}

const MENTIONS = `(
  select coalesce(json_agg(json_build_object('name', n.name, 'order', m.position, 'tone', m.tone, 'evidence', m.evidence)
    order by m.place), '[]')
  from unnest(r.m_name, r.m_order, r.m_tone, r.m_evidence) with ordinality as m(name_key, position, tone, evidence, place)
  join mention_names n on n.brand_key = :brandKey and n.name_key = m.name_key)`;

const CITATIONS = `(
  select coalesce(json_agg(json_build_object('url', u.url, 'title', t.title) order by c.place), '[]')
  from unnest(r.c_url, r.c_title) with ordinality as c(url_key, title_key, place)
  join cited_urls u on u.brand_key = :brandKey and u.url_key = c.url_key
  left join page_titles t on t.brand_key = :brandKey and t.title_key = c.title_key)`;

const CAROUSELS = `(
  select coalesce(json_agg((
    select coalesce(json_agg(json_build_object('slot', p.slot, 'product', p.product, 'url', p.url,
      'merchant', p.merchant, 'price', p.price, 'price_amount', p.price_amount, 'currency', p.currency,
      'is_own', p.is_own) order by p.position), '[]')
    from placements p
    where p.brand_key = :brandKey and p.day = c.day and p.run_id = c.run_id and p.carousel = c.carousel
  ) order by c.carousel), '[]')
  from carousels c where c.brand_key = :brandKey and c.day = r.day and c.run_id = r.id)`;

const AD = `(
  select json_build_object('advertiser', advertiser, 'advertiser_url', advertiser_url, 'favicon_url', favicon_url,
    'cards', cards)
  from ads a where a.brand_key = :brandKey and a.day = r.day and a.run_id = r.id)`;

const FANOUTS = `(
  select coalesce(json_agg(q.query order by f.place), '[]')
  from unnest(r.f_query) with ordinality as f(query_key, place)
  join fanout_queries q on q.brand_key = :brandKey and q.query_key = f.query_key)`;

export const run = brandExporter(
  'run',
  `select r.id, r.engine, r.model, r.region, r.surface, r.collected_at,
     (select p.id from prompts p where p.brand_key = :brandKey and p.prompt_key = r.prompt_key) as prompt,
     (select a.answer from run_answers a where a.brand_key = :brandKey and a.run_id = r.id) as answer,
     ${MENTIONS} as mentions, ${CITATIONS} as citations, ${CAROUSELS} as carousels, ${AD} as ad, ${FANOUTS} as fanouts
   from runs r where r.brand_key = :brandKey`,
  ['id'],
  (row: RunRow, brand) =>
    stated({
      type: 'run',
      id: row.id,
      brand,
      prompt: row.prompt,
      engine: row.engine,
      model: row.model || null,
      region: row.region,
      surface: row.surface || null,
      collected_at: row.collected_at.toISOString(),
      answer: row.answer,
      mentions: row.mentions.map(({ name, order, tone, evidence }) =>
        stated({ name, order, sentiment: tone === null ? null : tones[tone + 1]!, evidence }),
      ),
      citations: row.citations.map(stated),
      carousels: unlessEmpty(row.carousels.map((placements) => ({ placements: placements.map(stated) }))),
      ad: row.ad && adOf(row.ad),
      fanouts: unlessEmpty(row.fanouts),
    }),
);

const adOf = ({ advertiser, advertiser_url, favicon_url, cards }: Ad): Ad =>
  stated({ advertiser, advertiser_url, favicon_url, cards: unlessEmpty((cards ?? []).map(cardOf)) });

/** Restores the order of the fields, which the stored JSON does not keep. */
const cardOf = ({ title, body, target_url, image_url }: NonNullable<Ad['cards']>[number]) =>
  stated({ title, body, target_url, image_url });
