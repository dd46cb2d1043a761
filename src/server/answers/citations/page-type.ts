import type { PageType } from '../../../contract/reads/urls.js';
import { parseWebUrl } from './canonical-url.js';
import { isInDomainSet, normaliseDomain } from './domain.js';
import { isDirectoryHost, isRetailHost } from './domain-labels.js';
import domains from './domains.json' with { type: 'json' };

/** The properties of a page's URL that the rules read. All text is lower case. */
interface Address {
  host: string;
  /** The host's labels before the last two: `docs` of docs.example.com. */
  hostLabels: readonly string[];
  /** The decoded segments of the path, without leading language and country and without an index file. */
  segments: readonly string[];
  /** The segments joined as `/a/b/c`, for rules on neighbouring segments. */
  path: string;
  /** The words of the last segment that is not a number or a word like `page`. */
  slug: string;
  /** Whether the page is in a blog, magazine, guide or news section. */
  isArticle: boolean;
  /** Whether the host is a shop or marketplace. */
  isRetail: boolean;
  /** Whether the page is in a shop, where slugs and titles are the names of products and categories. */
  isCommerce: boolean;
}

/** What is known of a page from its address and its title. */
interface Page extends Address {
  /** The slug and each clause of the title, as words separated by single spaces. */
  phrases: readonly string[];
  /** The clauses of the title, including the site's name. */
  titleClauses: readonly string[];
}

const TITLE_LIMIT = 500;
/** Longer than the path of any real page; limits the work of the rules. */
const PATH_LIMIT = 2048;
/** A list of codes, because `/dp/`, `/hc/` and `/tv/` have two letters too. */
const LANGUAGE =
  /^(?:en|de|fr|es|it|pt|nl|sv|no|nb|da|fi|pl|cs|sk|hu|ro|bg|hr|el|tr|ru|uk|ja|ko|zh|ar|he|hi|th|vi|id|us|gb|au|ca|ie|at|ch|br|mx|jp|[a-z]{2}[-_][a-z]{2,4})$/;
const INDEX_FILE = /^(?:index|default|home)\.[a-z]{3,5}$/;
const NOT_A_SLUG = /^(?:[\d_.-]+|p\d+|page|amp|index)$/;
const ARTICLE_SECTION =
  /^(?:blogs?|news|newsroom|magazine|articles?|press|stories|insights|guides?|advice|expert-advice|learn|discover-learn|inspiration|resources)$/;
const SHOP_SECTION =
  /^(?:shop|store|products?|product-category|category|categories|collections?|cart|dp|gp|itm|ip|pdp|s|b|zgbs)$/;

/** Parses the URL of a page; null if the text is not an http(s) URL. */
export function readAddress(text: string): Address | null {
  const url = parseWebUrl(text);
  if (url === null) return null;
  const host = normaliseDomain(url.hostname);
  const segments = segmentsOf(url.pathname);
  const isArticle = segments.slice(0, -1).some((segment) => ARTICLE_SECTION.test(segment));
  const isRetail = isRetailHost(host);
  const isShop = isRetail || SHOP_SECTION.test(segments[0] ?? '');
  return {
    host,
    hostLabels: host.split('.').slice(0, -2),
    segments,
    path: `/${segments.join('/')}`,
    slug: slugOf(segments),
    isArticle,
    isRetail,
    isCommerce: isShop && !isArticle,
  };
}

/** Adds what the title says. */
function readPage(address: Address, title: string | null): Page {
  const { host, hostLabels, segments, path, slug, isArticle, isRetail, isCommerce } = address;
  const chunks = (title ?? '').slice(0, TITLE_LIMIT).split('|');
  // The text after a bar is the name of the site, not of the page.
  const ownChunks = chunks.length > 1 ? chunks.slice(0, -1) : chunks;
  // The title of a retailer's page is the name of a product: "How to …" is a book.
  const readable = isCommerce && isRetail ? [] : [slug, ...ownChunks.flatMap(clausesOf)];
  const phrases = readable.filter((phrase) => phrase !== '');
  const titleClauses = chunks.flatMap(clausesOf);
  // A spread of the address would cost more than all rules together.
  return { host, hostLabels, segments, path, slug, isArticle, isRetail, isCommerce, phrases, titleClauses };
}

function segmentsOf(pathname: string): string[] {
  const segments = pathname
    .slice(0, PATH_LIMIT)
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => decoded(segment).toLowerCase());
  // A path may begin with country and language: `/us/en/`.
  for (let i = 0; i < 2 && LANGUAGE.test(segments[0] ?? ''); i++) segments.shift();
  if (INDEX_FILE.test(segments.at(-1) ?? '')) segments.pop();
  return segments;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function slugOf(segments: readonly string[]): string {
  const named = segments.findLast((segment) => !NOT_A_SLUG.test(segment)) ?? '';
  return words(named.slice(0, TITLE_LIMIT).replace(/\.(?:html?|php|aspx?|jsp)$/, ''));
}

/** Splits a text at colons, dashes, commas and brackets into clauses, each without punctuation. */
function clausesOf(text: string): string[] {
  return text
    .toLowerCase()
    .replace(/\bvs\./g, 'vs')
    .split(/[:|,;()[\]!?–—·•"“”«»]| - /)
    .map(words)
    .filter((clause) => clause !== '');
}

function words(text: string): string {
  return text
    .toLowerCase()
    .replace(/['’‘]/g, '')
    .replaceAll('%', ' percent ')
    .split(/[^\p{L}\p{M}\p{N}+#]+/u)
    .filter((word) => word !== '')
    .join(' ');
}

const { ugc, editorial } = domains.labels;
const FORUMS: ReadonlySet<string> = new Set([...ugc.stackExchange, ...ugc.forums]);

const FORUM_HOST_LABELS: ReadonlySet<string> = new Set(domains.hostLabels.forum);

/** Paths of forum software: phpBB, vBulletin, XenForo, Khoros, Vanilla, Discourse, bbPress and similar. */
const FORUM_PATHS: readonly RegExp[] = [
  /^\/(?:(?:community|support|help)\/)?(?:forums?|foros?|foren)(?:\/|$)/,
  /\/(?:viewtopic|viewforum|showthread|forumdisplay)\.php$/,
  /^\/community\/(?:t|threads?|topics?|posts?|questions?|discussions?)\/./,
  /\/threads?\/(?:[^/]*[.-])?\d+(?:\/|$)/,
  /^\/(?:[^/]+\/){0,2}t5\/(?:[^/]+\/){1,3}(?:td|m)-p\/\d/,
  /\/(?:discussions?|questions)\/\d+(?:\/|$)/,
  /\/topic\/\d+-/,
  /^\/support\/topic\/./,
  /^\/t\/(?!\d+\/)[^/]+\/\d+(?:\/\d+)?$/,
];

function isForum(page: Page): boolean {
  if (isInDomainSet(page.host, FORUMS)) return true;
  return (
    page.hostLabels.some((label) => FORUM_HOST_LABELS.has(label)) ||
    FORUM_PATHS.some((path) => path.test(page.path))
  );
}

const DOCS_HOST_LABELS: ReadonlySet<string> = new Set(domains.hostLabels.docs);

/** Hosts that serve only documentation. */
const DOCUMENTATION_DOMAINS: ReadonlySet<string> = new Set(domains.documentation);

/** Google Docs serves the documents of its users, not documentation. */
const DOCUMENT_EDITORS: ReadonlySet<string> = new Set(['docs.google.com']);

const DOCS_PATHS: readonly RegExp[] = [
  /^\/(?:[^/]+\/)?(?:docs|documentation|api-docs|apidocs|api-reference|knowledge-?base|help-?cent(?:er|re))(?:\/|$)/,
  /^\/(?:help|support|hc|kb|faqs?|manuals?|user-guide|hilfe|dokumentation)\/./,
  /^\/api\/(?:reference|docs?)(?:\/|$)/,
  /^\/developers?\/(?:api|docs|reference|guides?)(?:\/|$)/,
];

const SITE_NAME = /\b(?:documentation|help cent(?:er|re)|api reference|knowledge base)$/;

function isDocs(page: Page): boolean {
  if (isInDomainSet(page.host, DOCUMENT_EDITORS)) return false;
  if (/^\/(?:blogs?|news|press|articles?)(?:\/|$)/.test(page.path)) return false;
  if (isInDomainSet(page.host, DOCUMENTATION_DOMAINS)) return true;
  if (page.hostLabels.some((label) => DOCS_HOST_LABELS.has(label))) return true;
  return DOCS_PATHS.some((path) => path.test(page.path)) || isTitledDocs(page);
}

/** "Install | Example Documentation". Only a short last clause counts: the site's name, not a sentence about docs. */
function isTitledDocs(page: Page): boolean {
  const site = page.titleClauses.length > 1 ? page.titleClauses.at(-1)! : '';
  return !page.isArticle && site.split(' ').length <= 4 && SITE_NAME.test(site);
}

const COMPARISON_SECTION = /^\/(?:[^/]+\/)?(?:compare|comparisons?|vs|versus|alternatives)(?:\/|$)/;

const COMPARISON_PHRASES: readonly RegExp[] = [
  // "VS Code" is an editor, not a comparison.
  /\S (?:vs|versus) (?!code\b|studio\b)\S/,
  /\balternatives\b/,
  /\balternative (?:to|for)\b/,
  /\b(?:best|free|cheaper|source) (?:\S+ )?alternative$/,
  /\bcomparisons?\b(?! (?:tools?|sites?|websites?|engines?|shopping)\b)/,
  // "Compared to last year" compares figures, not products.
  /\bcompared\b(?! (?:to|with) (?:last|previous|prior|the|a|an|\d))/,
  /^compare (?!plans|pricing|prices|editions|rates|quotes)\S+ (?:.* )?(?:and|vs|to|with) \S/,
  /\b(?:alternativen|alternativas|vergleich|comparatif|comparativa|vergelijking)\b/,
];

function isComparison(page: Page): boolean {
  if (
    COMPARISON_SECTION.test(page.path) ||
    page.segments.some((segment) => /[^-]-vs-(?!code\b|studio\b)[^-]/.test(segment))
  ) {
    return !page.isCommerce || !/^\/(?:dp|gp)\//.test(page.path);
  }
  return page.phrases.some((phrase) => COMPARISON_PHRASES.some((pattern) => pattern.test(phrase)));
}

const COUNT =
  '(?:[2-9]|[1-9]\\d|1\\d\\d|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty)';
const LEAD = `(?:(?:here are|these are) )?(?:the )?(?:top )?(?:${COUNT} )?(?:of the )?(?:(?:very|absolute|overall) )?`;

/** Words after "best" that show that the text does not pick from a list. */
const NOT_A_PICK =
  '(?:practices?|sellers?|selling|buys?|friends?|man|men|way|known|interests?|efforts?|prices?|in class|fit|case|kept|time|times|western|before|day|days|wishes|regards|of luck|of both|of all|version|part|thing|yet|ever|foot|guess|bet|i|we|you)\\b';

/** Nouns that follow the number of a numbered list: "10 tools". */
const ITEMS =
  '(?:ways|tips|tricks|tools|apps|reasons|ideas|examples|things|platforms|companies|startups|brands|products|books|websites|sites|services|agencies|providers|strategies|hacks|mistakes|facts|trends|templates|resources|courses|podcasts|plugins|extensions|frameworks|libraries|solutions|crms|gadgets|gifts|recipes|places|hotels|restaurants|movies|films|shows|games|songs|benefits|lessons|types|features|software|options|picks|programs|systems|vendors|techniques|tactics|methods|signs|principles|statistics|stats|newsletters|blogs|channels|influencers|quotes|exercises|foods|laptops|phones|smartphones|tablets|headphones|earbuds|speakers|monitors|cameras|tvs|shoes|sneakers|boots|cars|suvs|vacuums|mattresses|chatbots|models|agents|generators|builders|editors|trackers|managers|languages|skills|jobs|careers|cities|countries|destinations|schools|universities|stocks|etfs|banks|cards|vpns|assistants)\\b';

/** Plurals that follow a measurement, not the number of a list: "5 years to build", "48 hours in Rome". */
const MEASURES =
  '(?:years|months|weeks|days|hours|minutes|seconds|times|people|miles|dollars|euros|pounds|points|percent|stars|ways)\\b';

const LISTICLE_PHRASES: readonly RegExp[] = [
  new RegExp(`^${LEAD}best (?!${NOT_A_PICK})\\S`),
  new RegExp(`\\b${COUNT} (?:of the )?(?:\\S+ )?best (?!${NOT_A_PICK})\\S`),
  /^(?:the |our |my )?top (?:[2-9]|[1-9]\d|1\d\d|five|ten|twenty) (?!percent\b)\S/,
  new RegExp(`^(?:the |our )?top (?:\\S+ ){0,3}${ITEMS}`),
  new RegExp(`^(?:the |our |my |these )?(?:top )?${COUNT} (?:\\S+ ){0,4}${ITEMS}`),
  new RegExp(
    `^${COUNT} (?:(?!${MEASURES})\\S+ ){0,3}(?!${MEASURES})\\S{3,}s (?:for|to|that|you|every|we|worth) `,
  ),
  /^(?:(?:die|das|der) )?(?:top )?(?:\d{1,3} )?besten? (?!zeit|gr[uü](?:e)?[sß]|freund|wünsche|practices?\b)\S/,
  /^(?:les |los |las |i |le |gli |os |as |de )?(?:\d{1,3} )?(?:meilleure?s|mejores|migliori|melhores) \S/,
];

/** A section of recommendations: `/best/laptops`. */
const LISTICLE_SECTION = /\/(?:best|best-of|roundups?|listicles?)\/[^/]/;

/** Shop pages list goods too, but are not articles. */
function isListicle(page: Page): boolean {
  if (page.isCommerce) return false;
  return (
    LISTICLE_SECTION.test(page.path) ||
    page.phrases.some((phrase) => LISTICLE_PHRASES.some((pattern) => pattern.test(phrase)))
  );
}

const HOWTO_SECTION = /^\/(?:[^/]+\/){0,2}(?:how-?to|tutorials?)\/[^/]/;

const HOWTO_PHRASES: readonly RegExp[] = [
  /\bhow to \S/,
  /\btutorials?\b/,
  /\bgetting started\b/,
  /\bstep by step\b/,
  /\bwalkthrough\b/,
  /\bbest practices?\b/,
  /\b(?:beginners?|beginner friendly|complete|ultimate|definitive|essential|practical|comprehensive|quick|quickstart|setup|installation) guide\b/,
  /^(?:(?:a|an|the|your) )?guide to \S/,
  /\b(?:anleitung|schritt für schritt|schritt fuer schritt|tutoriel|paso a paso|pas à pas)\b/,
];

function isHowto(page: Page): boolean {
  return (
    HOWTO_SECTION.test(page.path) ||
    page.phrases.some((phrase) => HOWTO_PHRASES.some((pattern) => pattern.test(phrase)))
  );
}

const REVIEW_SECTION =
  /\/(?:reviews?|product-reviews|customer-reviews)\/(?!(?:page|category|categories|tag|tags|all|latest)(?:\/|$))[^/]/;
const OF_A_PRODUCT = /\/products?\/[^/]+\/(?:[^/]+\/)?reviews?$/;

/** Phrases with "review" that do not review a product: of work, law or a year, and names of periodicals. */
const NOT_A_VERDICT =
  /\b(?:code|peer|performance|annual|literature|systematic|scoping|business|technology|law|legal|judicial|design|security|policy|compliance|content|weekly|monthly|quarterly|daily|yearly|national|pull request|app|access|under|for|in|to|and|your|a|the) reviews?$/;

/** "Review of …" and the slug `review-…`, but not a text about reviewing. */
const OPENING =
  /^review (?:of )?(?!of\b|the\b|literature|guidelines?\b|process|polic|sites?\b|management|software|platforms?\b|tools?\b|us\b|our\b|your\b|and\b|board|request|period|cycle)\S+ \S/;

function isReview(page: Page): boolean {
  if (REVIEW_SECTION.test(page.path) || OF_A_PRODUCT.test(page.path)) return true;
  if (isDirectoryHost(page.host) && page.segments.length > 1 && page.segments.at(-1) === 'reviews')
    return true;
  return page.phrases.some(isReviewPhrase);
}

function isReviewPhrase(phrase: string): boolean {
  if (OPENING.test(phrase)) return true;
  if (/(?:^hands on with \S)|(?:\S hands on$)|(?:^hands on$)/.test(phrase)) return true;
  if (/\b(?:im test|testbericht|erfahrungsbericht|reseña)$/.test(phrase)) return true;
  const verdict = phrase
    .replace(/ (?:20\d\d|\d{3,})$/, '')
    .replace(/ (?:in|for)$/, '')
    .replace(/ and ratings?$/, '');
  return /\S reviews?$/.test(verdict) ? !NOT_A_VERDICT.test(verdict) : verdict === 'review';
}

const PRODUCT_PATHS: readonly RegExp[] = [
  /\/dp\/[a-z0-9]{10}(?:\/|$)/,
  /\/gp\/(?:product|aw\/d)\/[a-z0-9]{10}(?:\/|$)/,
  /\/itm\/(?:[^/]+\/)?\d+$/,
  /\/(?:item|listing)\/\d+/,
  /^\/(?:[^/]+\/){0,2}(?:products?|produkte?|productos?|produits?|prodotti|prodotto)\/(?!(?:category|categories|page|tag|all|compare)(?:\/|$))[^/]/,
  /^\/(?:shop|store)\/(?!(?:category|categories|page|tag|cart|checkout|account)\/)[^/]+\/(?!page(?:\/|$))[^/]/,
];

/** Paths that mean a product only in a shop: on other sites `/p/` is a post. */
const RETAIL_PATHS: readonly RegExp[] = [
  /\/(?:p|ip|pdp|pd|prd)\/[^/]/,
  /\/\d+\.p$/,
  /\/(?:a-|prd-)\d+$/,
  /\/apps\/details$/,
  /\/app\/(?:[^/]+\/)?id\d+$/,
];

function isProduct(page: Page): boolean {
  if (page.isArticle) return false;
  if (PRODUCT_PATHS.some((path) => path.test(page.path))) return true;
  return page.isRetail && RETAIL_PATHS.some((path) => path.test(page.path));
}

const AGENCIES: ReadonlySet<string> = new Set(editorial.newsAgencies);
const EDITORIAL: ReadonlySet<string> = new Set(Object.values(editorial).flat());

const NEWS_HOST_LABELS: ReadonlySet<string> = new Set(domains.hostLabels.news);
const MONTH = '(?:0?[1-9]|1[0-2]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)';
const DAY = '(?:0?[1-9]|[12]\\d|3[01])';

const NEWS_SECTION =
  /^\/(?:[^/]+\/)?(?:news|newsroom|breaking-news|press|press-releases?|news-releases?|pressemitteilung(?:en)?|presse|nachrichten|noticias|actualites|notizie)\/(?!(?:page|category|tag|archive|kit|contact)(?:\/|$))[^/]/;
const DATED_PATH = new RegExp(`/20\\d\\d/${MONTH}/${DAY}/[^/]`);
const DATED_SLUG = /[a-z]-20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const MONTHLY_PATH = new RegExp(`/20\\d\\d/${MONTH}/[^/]`);
/** Pages that have a date but are not news: blog posts, changelogs, calendars. */
const DATED_OTHERWISE =
  /^\/(?:.*\/)?(?:blogs?|changelog|releases?|release-notes|events?|calendar|archives?|wp-content|uploads|files)\//;

function isNews(page: Page): boolean {
  if (DATED_OTHERWISE.test(page.path)) return false;
  if (NEWS_SECTION.test(page.path) || page.hostLabels.some((label) => NEWS_HOST_LABELS.has(label)))
    return true;
  if (DATED_PATH.test(page.path) || DATED_SLUG.test(page.path)) return !page.hostLabels.includes('blog');
  if (isInDomainSet(page.host, AGENCIES) && /^\/article\/./.test(page.path)) return true;
  return isInDomainSet(page.host, EDITORIAL) && MONTHLY_PATH.test(page.path);
}

/** The first rule that matches decides the type. */
const RULES: readonly (readonly [PageType, (page: Page) => boolean])[] = [
  ['forum', isForum],
  ['docs', isDocs],
  ['comparison', isComparison],
  ['listicle', isListicle],
  ['howto', isHowto],
  ['review', isReview],
  ['product', isProduct],
  ['news', isNews],
];

/** Pages of a site about itself. They have no type, whatever their title says. */
const SITE_PAGE =
  /^\/(?:about|about-us|company|pricing|plans|contact|contact-us|careers|jobs|team|login|signin|sign-in|signup|sign-up|register|privacy|privacy-policy|terms|terms-of-service|legal|imprint|impressum|cookies|search|sitemap|demo|customers|partners)$/;
const WIKI = /^\/(?:.*\/)?wiki(?:\/|$)/;

/**
 * Returns the type of a cited page, from its URL and title only; null if they do not show one. A home page gets a type
 * only from its host (a forum, a documentation site); site pages and wikis get none. Linear in the input, never throws.
 */
export function pageType(url: string, title: string | null): PageType | null {
  return pageTypeAt(readAddress(url), title);
}

/** The type of a page whose address `readAddress` has parsed, because all titles of a page share it. Null for an invalid address. */
export function pageTypeAt(address: Address | null, title: string | null): PageType | null {
  if (address === null || SITE_PAGE.test(address.path) || isWiki(address)) return null;
  const page = readPage(address, title);
  const isHome = page.segments.length === 0;
  for (const [type, holds] of isHome ? RULES.slice(0, 2) : RULES) {
    if (holds(page)) return type;
  }
  return null;
}

function isWiki({ path, hostLabels }: Address): boolean {
  return WIKI.test(path) || hostLabels.includes('wiki');
}
