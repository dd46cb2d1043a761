import { entitiesOf, fold } from '../entities.js';
import { spansIn } from '../names-in-texts.js';
import type { DatasetRecord, Tone } from '../records.js';
import { recordsOfBrand } from '../records.js';
import { type BrandReference, findCollectedBrand, referenceTo, type Scope } from '../scope.js';
import type { UrlRules } from '../url-rules/url-rules.js';
import { type ExpectedAnswer, row } from './answers.js';

interface ExpectedSpan {
  start: number;
  end: number;
  name: string;
  entity: string | null;
  is_brand: boolean;
  sentiment: Tone | null;
}

export interface ExpectedFullAnswer {
  brand: BrandReference;
  answer: Omit<ExpectedAnswer, 'citations'> & {
    citations: { domain: string; url: string; title: string | null; position: number }[];
    collected_at: string;
    prompt: string;
    surface: string | null;
    text: string | null;
    spans: ExpectedSpan[];
    searches: string[];
  };
}

/** One run with its text. Null = 404. */
export function expectedAnswer(
  records: DatasetRecord[],
  scope: Scope,
  rules: UrlRules,
  id: string,
): ExpectedFullAnswer | null {
  const brand = findCollectedBrand(records, scope);
  const run = brand && recordsOfBrand(records, 'run', brand.id).find((each) => each.id === id);
  if (!brand || !run) return null;
  const entities = entitiesOf(records, brand);
  const prompt = recordsOfBrand(records, 'prompt', brand.id).find((each) => each.id === run.prompt)!;
  const { citations, ...own } = row(run, entities, rules);
  return {
    brand: referenceTo(brand),
    answer: {
      ...own,
      citations: citations.map((page, at) => ({
        ...page,
        title: run.citations[at]!.title || null,
        position: at + 1,
      })),
      collected_at: new Date(run.collected_at).toISOString(),
      prompt: prompt.text,
      surface: run.surface ?? null,
      text: run.answer ?? null,
      spans: spansIn(run).map(({ start, end, at }) => {
        const { name, sentiment } = run.mentions[at]!;
        const entity = entities.find(({ names }) => names.includes(fold(name)));
        return {
          ...{ start, end, name, entity: entity?.id ?? null },
          is_brand: entity?.is_brand ?? false,
          sentiment: sentiment ?? null,
        };
      }),
      searches: run.fanouts ?? [],
    },
  };
}
