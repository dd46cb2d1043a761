import { dayOf } from '../days.js';
import { comparableDomain, isUnder } from '../domains.js';
import type { Entity } from '../entities.js';
import { entitiesOf, fold, mentionsOf } from '../entities.js';
import { excerptIn } from '../names-in-texts.js';
import type { AnswersParams } from '../parameters.js';
import type { DatasetRecord, RunRecord, Tone } from '../records.js';
import type { BrandReference, Scope } from '../scope.js';
import { findCollectedBrand, referenceTo } from '../scope.js';
import type { Echo } from '../slices.js';
import { chosenRuns } from '../slices.js';
import { byCodePoint } from '../text-order.js';
import type { UrlRules } from '../url-rules/url-rules.js';

const ANSWERS_CAP = 200;

export interface ExpectedAnswer {
  id: string;
  date: string;
  region: string;
  engine: string;
  model: string;
  prompt_id: string;
  brand_present: boolean;
  mentions: {
    name: string;
    order: number;
    sentiment: Tone | null;
    evidence: string | null;
    entity: string | null;
  }[];
  citations: { domain: string; url: string }[];
  excerpt: string | null;
}

export interface ExpectedAnswers {
  body: Echo & {
    brand: BrandReference;
    answers: ExpectedAnswer[];
    filter: object | null;
    total: number;
  };
  listing: ExpectedAnswer[];
}

/** Runs of the window on all ten engines, newest first by (date, id). Body: the first 200. Null = 404. */
export function expectedAnswers(
  records: DatasetRecord[],
  scope: Scope,
  rules: UrlRules,
  params: AnswersParams = {},
): ExpectedAnswers | null {
  const brand = findCollectedBrand(records, scope);
  if (brand === null) return null;
  const entities = entitiesOf(records, brand);
  const { cites, names, without, tone, ...slice } = params;
  const { runs, echo } = chosenRuns(records, brand, scope.today, slice, () => true);
  const listing = runs
    .filter((run) => fits(run, entities, params, rules))
    .map((run) => row(run, entities, rules))
    .sort((a, b) => byCodePoint(b.date, a.date) || byCodePoint(b.id, a.id));
  const isFiltered = [cites, names, without, tone].some((value) => value !== undefined);
  const ids = (text?: string) => (text === undefined ? null : [...new Set(text.split(','))]);
  const filter = isFiltered && {
    cites: cites === undefined ? null : citedText(cites, rules),
    names: ids(names),
    without: ids(without),
    tone: tone ?? null,
  };
  const body = { brand: referenceTo(brand), answers: listing.slice(0, ANSWERS_CAP), ...echo };
  return { body: { ...body, filter: filter || null, total: listing.length }, listing };
}

/** A page by its canonical address, and a domain in the spelling in which domains are compared. */
const citedText = (cites: string, rules: UrlRules): string =>
  /^https?:/.test(cites) ? rules.canonicalUrl(cites).url : comparableDomain(cites);

/** Whether a run cites, names and says what the parameters ask for. */
function fits(
  run: RunRecord,
  entities: readonly Entity[],
  { cites, names, without, tone }: AnswersParams,
  rules: UrlRules,
): boolean {
  const isNamed = (id: string) =>
    mentionsOf(entities.find((each) => each.id === id)!, run.mentions).length > 0;
  if (names !== undefined && !names.split(',').some(isNamed)) return false;
  if (without?.split(',').some(isNamed)) return false;
  if (tone !== undefined) {
    const scored = mentionsOf(entities[0]!, run.mentions).filter(({ sentiment }) => sentiment);
    if (scored[0]?.sentiment !== tone) return false;
  }
  if (cites === undefined) return true;
  const cited = run.citations.map((citation) => rules.canonicalUrl(citation.url));
  return /^https?:/.test(cites)
    ? cited.some(({ url }) => url === rules.canonicalUrl(cites).url)
    : cited.some(({ domain }) => domain !== '' && isUnder(domain, cites));
}

export function row(run: RunRecord, entities: readonly Entity[], rules: UrlRules): ExpectedAnswer {
  return {
    id: run.id,
    date: dayOf(run.collected_at),
    region: run.region,
    engine: run.engine,
    model: run.model ?? '',
    prompt_id: run.prompt,
    brand_present: mentionsOf(entities[0]!, run.mentions).length > 0,
    mentions: [...run.mentions]
      .sort((a, b) => a.order - b.order)
      .map(({ name, order, sentiment, evidence }) => ({
        name,
        order,
        sentiment: sentiment ?? null,
        evidence: evidence ?? null,
        entity: entities.find(({ names }) => names.includes(fold(name)))?.id ?? null,
      })),
    citations: run.citations.map((citation) => {
      const { domain, url } = rules.canonicalUrl(citation.url);
      return { domain, url };
    }),
    excerpt: excerptIn(run, entities[0]!),
  };
}
