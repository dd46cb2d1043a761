/**
 * One small row per imported line, in a temporary table. It shows which lines disagree about a record and which line
 * has a dangling reference, without keeping the file in memory.
 */
import { hash } from 'node:crypto';
import type { Knex } from 'knex';
import { copyInto, copyRow } from '../database/copy.js';
import type { RecordType } from './records/index.js';

export interface ImportLine {
  readonly line: number;
  readonly type: RecordType;
  /** The brand that the record names, if any. */
  readonly brand: string | null;
  /** Equal for two lines of the same record. */
  readonly key: string;
  /** The record's content in one normal form. */
  readonly content: string;
  /** The id that the record refers to besides its brand: a run's prompt, a prompt's topic, an entity, a workspace. */
  readonly ref: string | null;
  readonly id: string | null;
}

export class ImportLines {
  readonly #trx: Knex.Transaction;

  private constructor(trx: Knex.Transaction) {
    this.#trx = trx;
  }

  static async create(trx: Knex.Transaction): Promise<ImportLines> {
    await trx.raw(`
      create temporary table import_lines (
        line integer not null, type text not null, brand text collate "C", key uuid not null, content bigint not null,
        ref text collate "C", id text collate "C"
      ) on commit drop`);
    return new ImportLines(trx);
  }

  async add(lines: readonly ImportLine[]): Promise<void> {
    const rows = lines.map(({ line, type, brand, key, content, ref, id }) =>
      copyRow([
        line,
        type,
        brand,
        hash('md5', `${type}\n${brand}\n${key}`, 'hex'),
        digestOf(content),
        ref,
        id,
      ]),
    );
    await copyInto(this.#trx, 'import_lines', rows);
  }
}

/** 52 bits of a hash. */
const digestOf = (content: string): number => Number.parseInt(hash('md5', content, 'hex').slice(0, 13), 16);
