/** What a reader is given, and what one is. */
import type { Knex } from 'knex';
import type { ListName, PageOf, ParamsOf, ResourceName, ResponseOf } from '../../contract/registry.js';
import type { Access } from '../accounts/access.js';
import type { Brand } from '../accounts/brand-scope.js';
import type { PageRequest } from './page.js';

export interface ReadScope {
  readonly db: Knex;
  readonly access: Access;
  readonly brand: Brand;
  /** The UTC day on which every window without arguments ends. */
  readonly today: string;
  /** The page asked for; null: the unpaged contract with its caps. Always null for reads that are no list. */
  readonly page: PageRequest | null;
}

type Answer<N extends ResourceName> = N extends ListName ? ResponseOf<N> | PageOf<N> : ResponseOf<N>;

/** Computes a read: the body as the contract has it, in the contract's own names. */
export type Reader<N extends ResourceName> = (scope: ReadScope, params: ParamsOf<N>) => Promise<Answer<N>>;

export const brandRefOf = ({ id, name, domain }: Brand) => ({ id, name, domain });
