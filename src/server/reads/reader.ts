/** What a reader is given, and what one is. */
import type { Knex } from 'knex';
import type { ListName, PageOf, ParsedParamsOf, ResourceName, ResponseOf } from '../../contract/registry.js';
import type { Access } from '../accounts/access.js';
import type { Brand } from '../accounts/brand-scope.js';
import type { RobotsChecks } from '../robots/robots-checks.js';
import type { PageRequest } from './page.js';

export interface ReadScope {
  readonly db: Knex;
  readonly access: Access;
  readonly brand: Brand;
  /** The UTC day on which every window without arguments ends. */
  readonly today: string;
  /** The time of the request. An answer is cached for an hour: only reads that are computed each time may tell it. */
  readonly now: Date;
  /** What the site's robots.txt says, fetched at most once an hour. */
  readonly robots: RobotsChecks;
  /** The page asked for; null: the unpaged contract with its caps. Always null for reads that are no list. */
  readonly page: PageRequest | null;
}

type Answer<N extends ResourceName> = N extends ListName ? ResponseOf<N> | PageOf<N> : ResponseOf<N>;

/** Computes a read: the body as the contract has it, in the contract's own names. */
export type Reader<N extends ResourceName> = (
  scope: ReadScope,
  params: ParsedParamsOf<N>,
) => Promise<Answer<N>>;

export const brandRefOf = ({ id, name, domain }: Brand) => ({ id, name, domain });
