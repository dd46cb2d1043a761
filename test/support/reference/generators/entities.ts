import type { BrandRecord, CompetitorRecord } from '../records.js';
import type { Draw } from './draw.js';
import { randomIds } from './ids.js';
import { randomCreation } from './times.js';

interface Identity {
  name: string;
  aliases: string[];
  domain: string;
}

/** No two have equal names or aliases after folding, so any of them may be in one brand. */
const IDENTITIES: readonly Identity[] = [
  { name: 'Acme Analytics', aliases: ['Acme', 'ACME-A', 'acme analytics'], domain: 'acme.com' },
  { name: 'Globex', aliases: ['Globex Corp', 'GBX'], domain: 'globex.io' },
  { name: 'Initech', aliases: [], domain: 'initech.co.uk' },
  { name: 'Crème Labs', aliases: ['Creme'], domain: 'creme-labs.fr' },
  { name: '🚀 Rocket', aliases: ['Rocket'], domain: 'rocket.dev' },
  { name: 'Ｗide Co', aliases: ['Wide'], domain: 'wide.example' },
  { name: 'umbrella', aliases: ['Umbrella Inc.'], domain: 'umbrella.net' },
  { name: 'Zeta', aliases: ['Z'], domain: 'zeta.com' },
];

/** Every name in use somewhere; in a brand that does not track its owner it is an untracked name. */
export const KNOWN_NAMES: readonly string[] = [
  ...IDENTITIES.flatMap(({ name, aliases }) => [name, ...aliases]),
  'Nobody Inc',
  'Acme Analytics Pro',
];

/** A brand, its competitors, and how each of their names may be written in an answer. */
export interface RandomEntities {
  brand: BrandRecord;
  competitors: CompetitorRecord[];
}

export function randomEntities(draw: Draw, id: string, workspace: string, today: string): RandomEntities {
  const [own, ...others] = draw.shuffled(IDENTITIES);
  const brand: BrandRecord = {
    type: 'brand',
    id,
    workspace,
    name: own!.name,
    domain: spellDomain(draw, own!.domain),
    ...randomAliases(draw, own!),
    ...randomCreation(draw, today),
  };
  const count = draw.int(0, 5);
  const ids = randomIds(draw, count);
  const competitors = others.slice(0, count).map(
    (identity, index): CompetitorRecord => ({
      type: 'competitor',
      id: ids[index]!,
      brand: id,
      name: identity.name,
      ...competitorDomain(draw, identity, own!.domain, others[0]!.domain),
      ...randomAliases(draw, identity),
      ...randomCreation(draw, today),
    }),
  );
  return { brand, competitors };
}

function randomAliases(draw: Draw, identity: Identity): { aliases?: string[] | null } {
  const kind = draw.int(0, 9);
  if (kind === 0) return {};
  if (kind === 1) return { aliases: null };
  return { aliases: draw.some(identity.aliases, 0.8) };
}

/** Its own domain, none, one below the brand's, or one that two competitors share. */
function competitorDomain(
  draw: Draw,
  identity: Identity,
  brandDomain: string,
  sharedDomain: string,
): { domain?: string | null } {
  const kind = draw.int(0, 11);
  if (kind === 0) return {};
  if (kind === 1) return { domain: null };
  if (kind === 2) return { domain: `shop.${brandDomain}` };
  if (kind === 3) return { domain: sharedDomain };
  return { domain: spellDomain(draw, identity.domain) };
}

/** A domain as an operator may write it: any case, with `www.`, with a port. */
export function spellDomain(draw: Draw, domain: string): string {
  const spellings = [domain, domain, `www.${domain}`, domain.toUpperCase(), `${domain}:8080`];
  return draw.pick(spellings);
}

/** A name as an answer may write it: any case and white space. */
export function spellName(draw: Draw, name: string): string {
  const spellings = [
    name,
    name,
    name.toUpperCase(),
    name.toLowerCase(),
    name.replaceAll(' ', '  '),
    name.replaceAll(' ', '\t'),
    ` ${name} `,
  ];
  return draw.pick(spellings);
}
