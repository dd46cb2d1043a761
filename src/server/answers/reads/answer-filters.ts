/** What answers cite, name and say of the brand: from the parameters of a read to a condition of runs. */
import { errors } from '../../../contract/errors.js';
import type { ParsedParams } from '../../../contract/params.js';
import {
  type AnswerFilter,
  type answerFilters,
  type EntityFilter,
  tones,
} from '../../../contract/reads/answers.js';
import { refuse } from '../../base/errors.js';
import { isStorable, statement } from '../../base/statement.js';
import { canonicalUrl, parseWebUrl } from '../citations/canonical-url.js';
import { isSameOrSubdomain, normaliseDomain } from '../citations/domain.js';
import { BRAND_NAMES, FIRST_TONE } from '../sums/run-choice.js';
import { trackedEntities } from '../sums/tracked-entities.js';
import type { BrandSource } from './reader.js';

/** Keys of the brand's dictionaries; null: not filtered. */
export interface FilterBindings extends Record<string, unknown> {
  citedDomains: readonly number[] | null;
  citedPages: readonly number[] | null;
  namedKeys: readonly number[] | null;
  unnamedKeys: readonly number[] | null;
  tone: number | null;
}

/** The condition, of runs `r`. */
export const FILTERED = `
  (cast(:citedPages as integer[]) is null or r.c_url && cast(:citedPages as integer[]))
  and (cast(:citedDomains as integer[]) is null or exists (
    select 1 from unnest(r.c_url) as c(url_key)
    join cited_urls u on u.brand_key = :brandKey and u.url_key = c.url_key
    where u.domain_key = any(cast(:citedDomains as integer[]))))
  and (cast(:namedKeys as integer[]) is null or r.m_name && cast(:namedKeys as integer[]))
  and (cast(:unnamedKeys as integer[]) is null or not r.m_name && cast(:unnamedKeys as integer[]))
  and (cast(:tone as integer) is null or (
    select ${FIRST_TONE}
    from unnest(r.m_name, r.m_order, r.m_tone) with ordinality as m(name_key, position, tone, place)
    where m.name_key = any(${BRAND_NAMES})) = cast(:tone as integer))`;

/** The domains that end with a text. */
const domainsEndingWith = statement<{ key: number; domain: string }, { brandKey: number; ending: string }>(
  'domains_ending_with',
  `select domain_key as key, domain from cited_domains
   where brand_key = :brandKey and right(domain, length(cast(:ending as text))) = :ending`,
);

const pageNamed = statement<{ key: number }, { brandKey: number; url: string }>(
  'page_named',
  `select url_key as key from cited_urls
   where brand_key = :brandKey and hash = sha256(convert_to(cast(:url as text), 'UTF8'))`,
);

/** Every spelling of entities. */
const namesOfEntities = statement<{ key: number }, { brandKey: number; entities: readonly number[] }>(
  'names_of_entities',
  `select name_key as key from mention_names
   where brand_key = :brandKey and entity = any(cast(:entities as integer[]))`,
);

export interface ChosenAnswers {
  /** As the contract repeats it. */
  readonly filter: AnswerFilter;
  /** Null: no answer can fit, because nothing that is asked for was ever cited or named. */
  readonly bindings: FilterBindings | null;
}

/**
 * The answers that the parameters choose; null: none of them is given.
 * @throws 400 for an id that is not of the brand or of one of its competitors, and for what is neither a domain nor a page.
 */
export async function answersChosenBy(
  source: BrandSource,
  { cites, names, without, tone }: ParsedParams<typeof answerFilters>,
): Promise<ChosenAnswers | null> {
  if ([cites, names, without, tone].every((value) => value === undefined)) return null;
  const [cited, namedKeys, unnamedKeys] = await Promise.all([
    cites === undefined ? null : citedBy(source, cites),
    spellingsOf(source, 'names', names),
    spellingsOf(source, 'without', without),
  ]);
  const { cited: text = null, ...keys } = cited ?? { citedDomains: null, citedPages: null };
  const isImpossible = [keys.citedDomains, keys.citedPages, namedKeys].some((each) => each?.length === 0);
  return {
    filter: {
      cites: text,
      names: names ? [...names] : null,
      without: without ? [...without] : null,
      tone: tone ?? null,
    },
    bindings: isImpossible
      ? null
      : { ...keys, namedKeys, unnamedKeys, tone: tone === undefined ? null : tones.indexOf(tone) - 1 },
  };
}

/** Before a domain: without what is below it, as rows of domains count. */
const ALONE = '=';

async function citedBy({ db, brand }: BrandSource, text: string) {
  if (!isStorable(text)) throw refuse(errors.invalidCitation(text));
  if (parseWebUrl(text)) {
    const { url } = canonicalUrl(text);
    const pages = await pageNamed(db, { brandKey: brand.key, url });
    return { cited: url, citedPages: pages.map(({ key }) => key), citedDomains: null };
  }
  const isAlone = text.startsWith(ALONE);
  const domain = normaliseDomain(isAlone ? text.slice(ALONE.length) : text);
  if (text.includes('/') || domain === '' || canonicalUrl(`https://${domain}/`).domain !== domain)
    throw refuse(errors.invalidCitation(text));
  const domains = await domainsEndingWith(db, { brandKey: brand.key, ending: domain });
  const within = domains.filter((each) =>
    isAlone ? each.domain === domain : isSameOrSubdomain(each.domain, domain),
  );
  return {
    cited: isAlone ? ALONE + domain : domain,
    citedDomains: within.map(({ key }) => key),
    citedPages: null,
  };
}

async function spellingsOf(
  { db, brand }: BrandSource,
  filter: EntityFilter,
  ids: readonly string[] | undefined,
): Promise<number[] | null> {
  if (!ids) return null;
  const tracked = await trackedEntities(db, { brandKey: brand.key });
  const entities = ids.map((id) => {
    const found = tracked.find((each) => each.id === id);
    if (!found) {
      const known = tracked.map((each) => each.id);
      throw refuse(errors.unknownFilterValue(filter, id, known));
    }
    return found.entity;
  });
  return (await namesOfEntities(db, { brandKey: brand.key, entities })).map(({ key }) => key);
}
