import { boolean, integer, option, string } from '@oclif/core/flags';

/** The largest batch. A batch may exceed it by a megabyte, and must still be within the limit of a body. */
export const MOST_BATCH_BYTES = 9.5 * 1024 * 1024;
const MIB = 1024 * 1024;

/** The flags of `svc ingest` besides those of every command that connects to a server. */
export const ingestFlags = {
  brand: string({ description: 'Brand id (default: the first brand of the key)', helpValue: 'ID' }),
  follow: boolean({
    char: 'F',
    description: 'Keep reading what is appended, across rotation by rename or truncation',
  }),
  from: option({
    options: ['beginning', 'end', 'last'] as const,
    description:
      'Where to begin (default: beginning; with --follow: last where a state is stored, else end). last: after what an earlier run delivered',
  })(),
  state: string({
    description: 'File that remembers what was delivered (default: one per log in the state folder)',
    helpValue: 'FILE',
  }),
  'batch-bytes': integer({
    description: 'Bytes of a batch before compression; grows by itself when the rate limit is met',
    default: MIB,
    min: 1,
    max: MOST_BATCH_BYTES,
    helpValue: 'N',
  }),
  'flush-every': integer({
    description: 'Seconds after which a batch is sent even if it is not full',
    default: 5,
    min: 0,
    max: 3600,
    helpValue: 'SECONDS',
  }),
  gzip: boolean({ description: 'Compress what is sent', default: true, allowNo: true }),
  'only-agents': boolean({
    description: 'Send only lines of known AI crawlers; the server then counts no other requests',
  }),
  'max-retries': integer({
    description: 'How often a batch is tried again',
    default: 8,
    min: 0,
    helpValue: 'N',
  }),
  timeout: integer({
    description: 'Seconds for one request',
    default: 30,
    min: 1,
    max: 3600,
    helpValue: 'SECONDS',
  }),
  force: boolean({ description: 'Send a log although none of its first lines can be parsed' }),
  'dry-run': boolean({ description: 'Only parse and count; send nothing' }),
  errors: string({ description: 'Write lines that cannot be parsed to this file', helpValue: 'FILE' }),
  'fail-on-unparsed': string({
    description: 'Exit 9 if a larger share of the lines cannot be parsed',
    helpValue: 'PERCENT',
  }),
  'strip-prefix': string({
    description:
      'Drop what this regular expression matches at the start of each line, as journald and docker add it',
    helpValue: 'REGEX',
  }),
  'no-progress': boolean({ description: 'Show no progress' }),
  verbose: boolean({ char: 'v', description: 'Print every retry, and list requests by crawler' }),
};
