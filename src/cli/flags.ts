import type { Interfaces } from '@oclif/core';
import { boolean, integer, option, string } from '@oclif/core/flags';
import type { Param, Params, paging } from '../contract/params.js';
import { formats } from './format.js';

type Flag = Interfaces.Flag<unknown>;
type FlagSet = { [name: string]: Flag };

/** Flags of every command that talks to a server. The key is not among them: arguments are seen by others. */
export const serverFlags = {
  url: string({ description: 'Address of the server', helpValue: 'URL', helpGroup: 'GLOBAL' }),
  profile: string({ description: 'Stored profile to use', helpValue: 'NAME', helpGroup: 'GLOBAL' }),
  'key-file': string({ description: 'File that holds the API key', helpValue: 'PATH', helpGroup: 'GLOBAL' }),
  json: boolean({ description: 'Print JSON, errors too', helpGroup: 'GLOBAL' }),
  quiet: boolean({ char: 'q', description: 'Print no notes and no progress', helpGroup: 'GLOBAL' }),
};

/** How a read is printed; `--json` is short for one of them. */
export const formatFlag = {
  format: option({
    options: formats,
    description: 'How to print the result: table (default), json, ndjson, csv or md',
    helpValue: formats.join('|'),
    exclusive: ['json'],
  })(),
};

/** One flag per parameter that the contract declares. */
export function paramFlags(params: Params): FlagSet {
  const flags = Object.entries(params).map(([name, param]) => [name, paramFlag(param)]);
  return Object.fromEntries(flags) as FlagSet;
}

function paramFlag(param: Param): Flag {
  const { description, required = false } = param;
  switch (param.kind) {
    case 'text':
      return string({ description, required }) as Flag;
    case 'integer':
      return integer({ description, required, min: param.minimum, max: param.maximum }) as Flag;
    case 'choice':
      return { ...option({ options: param.values.map(String), description })(), required } as Flag;
    case 'date':
      return string({ description, required, helpValue: 'YYYY-MM-DD' }) as Flag;
    case 'engines':
      return string({ description, required, helpValue: 'ID[,ID…]' }) as Flag;
    case 'boolean':
      return boolean({ description, required }) as Flag;
  }
}

/**
 * The flags of a list. `--limit` counts rows over as many pages as it takes, where the API's parameter counts those of
 * one page.
 */
export function listFlags(params: Params & typeof paging): FlagSet {
  const { limit: _, ...rest } = params;
  return {
    ...paramFlags(rest),
    limit: integer({
      description: 'Rows in all, over as many pages as it takes',
      helpValue: 'N',
      min: 1,
    }) as Flag,
    all: boolean({ description: 'Every row', exclusive: ['limit'] }) as Flag,
  };
}
