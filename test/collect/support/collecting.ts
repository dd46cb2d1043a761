/** Runs collections in a folder of their own. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CollectRequest, collect } from '../../../src/collect/collect.js';
import type { CollectionResult } from '../../../src/collect/collection.js';
import { type RecordOf, records } from '../../../src/server/intake/dataset/records/index.js';
import { subject } from './plans.js';
import { timeWithoutWaits } from './time.js';

export const DATE = '2026-11-20';

type Changes = Partial<CollectRequest> & {
  readonly maxUsd?: number;
  readonly maxCalls?: number;
  readonly stop?: AbortSignal;
  readonly key?: string;
  readonly rawFolder?: string;
  readonly allowPrivate?: boolean;
};

export class CollectFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'svc-collect-'));
  readonly out = join(this.path, 'runs.ndjson');
  /** Milliseconds of each wait for a rate limit. */
  readonly waits: number[] = [];

  collect(changes: Changes & Pick<CollectRequest, 'plan'>): Promise<CollectionResult> {
    const {
      maxUsd = null,
      maxCalls = null,
      stop,
      key,
      rawFolder = null,
      allowPrivate = false,
      ...request
    } = changes;
    return collect(
      { subject: subject(3), date: DATE, out: this.out, resume: false, retry: [], ...request },
      {
        limits: { maxUsd, maxCalls },
        keyOf: () => key ?? null,
        stop: stop ?? new AbortController().signal,
        abort: new AbortController().signal,
        rawFolder,
        allowPrivate,
        time: timeWithoutWaits(),
        polls: { firstMs: 1, mostMs: 5, listedMs: 0 },
        onWait: (milliseconds) => this.waits.push(milliseconds),
        onProgress: () => {},
      },
    );
  }

  /** The runs of the output file; each is a valid record. */
  runs(): RecordOf<'run'>[] {
    return this.lines(this.out).map((line) => records.run.schema.parse(JSON.parse(line)));
  }

  lines(path: string): string[] {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
