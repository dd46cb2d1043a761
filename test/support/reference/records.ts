/** The dataset records that the reads depend on; a `?` field may be absent or null. */

export type Tone = 'positive' | 'neutral' | 'negative';
export type Plan = 'trial' | 'starter' | 'growth' | 'enterprise';

export interface WorkspaceRecord {
  type: 'workspace';
  id: string;
  name: string;
  plan: Plan;
}

export interface BrandRecord {
  type: 'brand';
  id: string;
  workspace: string;
  name: string;
  domain: string;
  aliases?: string[] | null;
  created_at?: string | null;
  archived_at?: string | null;
}

export interface CompetitorRecord {
  type: 'competitor';
  id: string;
  brand: string;
  name: string;
  domain?: string | null;
  aliases?: string[] | null;
  created_at?: string | null;
}

export interface TopicRecord {
  type: 'topic';
  id: string;
  brand: string;
  name: string;
}

export interface PromptRecord {
  type: 'prompt';
  id: string;
  brand: string;
  text: string;
  stage?: string | null;
  topic?: string | null;
  tags?: string[] | null;
  active?: boolean | null;
  created_at?: string | null;
  est_volume?: number | null;
  est_volume_band?: [number, number] | null;
  volume_confidence?: string | null;
  matched_gsc_query?: string | null;
  gsc_impressions_28d?: number | null;
}

export interface TagGroupRecord {
  type: 'tag_group';
  id: string;
  brand: string;
  name: string;
  color: string;
  tags: string[];
  created_at?: string | null;
}

export interface ReclassificationRecord {
  type: 'reclassification';
  workspace: string;
  domain: string;
  classification: string;
}

export interface CapturedMention {
  name: string;
  order: number;
  sentiment?: Tone | null;
  evidence?: string | null;
}

export interface CapturedCitation {
  url: string;
  title?: string | null;
}

export interface CapturedPlacement {
  slot: number;
  product: string;
  url?: string | null;
  merchant?: string | null;
  price?: string | null;
  price_amount?: number | null;
  currency?: string | null;
  is_own?: boolean | null;
}

export interface CapturedCarousel {
  placements: CapturedPlacement[];
}

export interface CapturedCard {
  title?: string | null;
  body?: string | null;
  target_url?: string | null;
  image_url?: string | null;
}

export interface CapturedAd {
  advertiser?: string | null;
  advertiser_url?: string | null;
  favicon_url?: string | null;
  cards?: CapturedCard[] | null;
}

export interface RunRecord {
  type: 'run';
  id: string;
  brand: string;
  prompt: string;
  engine: string;
  model?: string | null;
  region: string;
  surface?: 'api' | 'ui' | 'serp' | null;
  collected_at: string;
  outcome?: 'answered' | 'not_shown' | null;
  observes?: ('ads' | 'carousels')[] | null;
  answer?: string | null;
  mentions: CapturedMention[];
  citations: CapturedCitation[];
  carousels?: CapturedCarousel[] | null;
  ad?: CapturedAd | null;
  fanouts?: string[] | null;
}

/** One finished day older than the live horizon, for one entity on one engine; values unrounded. */
export interface DailyStatRecord {
  type: 'daily_stat';
  brand: string;
  entity: string;
  engine: string;
  date: string;
  run_count: number;
  visibility: number;
  presence_rate?: number | null;
  share_of_voice_fraction?: number | null;
  citation_share?: number | null;
  sentiment_index?: number | null;
}

export interface Discrepancy {
  engine: string;
  claim: string;
  truth: string;
  severity: 'high' | 'medium' | 'low';
  run_id?: string | null;
}

export interface FactCheckRecord {
  type: 'fact_check';
  brand: string;
  checked_at: string;
  answers_checked: number;
  cost_usd?: number | null;
  discrepancies: Discrepancy[];
}

/** Record types by the name in their `type` field. */
interface RecordTypes {
  workspace: WorkspaceRecord;
  brand: BrandRecord;
  competitor: CompetitorRecord;
  topic: TopicRecord;
  prompt: PromptRecord;
  tag_group: TagGroupRecord;
  reclassification: ReclassificationRecord;
  run: RunRecord;
  daily_stat: DailyStatRecord;
  fact_check: FactCheckRecord;
}

export type DatasetRecord = RecordTypes[keyof RecordTypes];

/** Every record of one type, in file order. */
export function recordsOf<T extends keyof RecordTypes>(records: DatasetRecord[], type: T): RecordTypes[T][] {
  return records.filter((record): record is DatasetRecord & RecordTypes[T] => record.type === type);
}

/** A run without an answer is none of the runs that the reads are about. */
const isAnswer = (record: object) => !('outcome' in record && record.outcome === 'not_shown');

/** Records of one type that belong to a brand, one per id: a file may repeat an equal record. Runs are those with an answer. */
export function recordsOfBrand<T extends 'competitor' | 'topic' | 'prompt' | 'tag_group' | 'run'>(
  records: DatasetRecord[],
  type: T,
  brand: string,
): RecordTypes[T][] {
  const byId = new Map<string, RecordTypes[T]>();
  for (const record of recordsOf(records, type)) {
    if (record.brand === brand && isAnswer(record)) byId.set(record.id, record);
  }
  return [...byId.values()];
}

/** The runs of a brand that have no answer. */
export function unshownRuns(records: DatasetRecord[], brand: string): RunRecord[] {
  const unshown = recordsOf(records, 'run').filter((run) => run.brand === brand && !isAnswer(run));
  return [...new Map(unshown.map((run) => [run.id, run])).values()];
}
