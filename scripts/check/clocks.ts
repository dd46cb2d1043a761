import { describe, it } from 'node:test';
import { expect } from 'chai';
import { filesIn, read, withoutComments } from './texts.js';

/** Where the clock of the machine is the default of an argument, and where no argument reaches. */
const readers: readonly (readonly [pattern: RegExp, allowed: readonly string[]])[] = [
  [
    /\bnew Date\(\)|\bDate\.now\b/,
    [
      'src/server/base/clock.ts',
      'src/cli/main.ts',
      'src/cli/clock.ts',
      // It compares the clock of the machine with that of the server and with certificates.
      'src/cli/doctor/',
      // The date of a Retry-After.
      'src/sdk/response.ts',
      // Until when it waits for another process.
      'src/server/database/folder-guest.ts',
      // It compares the times of files with that of the machine.
      'src/server/database/folder-copies.ts',
    ],
  ],
  [
    /\bperformance\.now\b/,
    [
      'src/server/base/clock.ts',
      'src/sdk/pacing.ts',
      // Durations that are shown or measured.
      'src/cli/progress/',
      'src/cli/connection/fetch.ts',
      'src/cli/ingest/totals.ts',
      'src/server/run/monitoring/observed.ts',
      'src/server/run/nightly.ts',
      // Waits for logs that grow, and for processes.
      'src/cli/commands/ingest/index.ts',
      'src/cli/ingest/',
      'src/server/run/workers/start-workers.ts',
    ],
  ],
];

describe('rule: the clock is an argument', () => {
  for (const [pattern, allowed] of readers)
    it(`${pattern.source} stands only where the default is`, () => {
      const found = filesIn('src', '.ts').filter((file) => pattern.test(withoutComments(read(file))));
      expect(found.filter((file) => !allowed.some((place) => file.startsWith(place)))).to.deep.equal([]);
      const unused = allowed.filter((place) => !found.some((file) => file.startsWith(place)));
      expect(unused, 'places without it').to.deep.equal([]);
    });
});
