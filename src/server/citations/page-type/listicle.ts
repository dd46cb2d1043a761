import type { Page } from './page.js';

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

const PHRASES: readonly RegExp[] = [
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
const SECTION = /\/(?:best|best-of|roundups?|listicles?)\/[^/]/;

/** Shop pages list goods too, but are not articles. */
export function isListicle(page: Page): boolean {
  if (page.isCommerce) return false;
  return (
    SECTION.test(page.path) || page.phrases.some((phrase) => PHRASES.some((pattern) => pattern.test(phrase)))
  );
}
