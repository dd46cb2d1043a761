/**
 * Runs a suite, several files at a time: `node scripts/test.mjs [e2e|postgres|citus] [ARGUMENTS OF MOCHA]`. The database is
 * embedded unless TEST_DATABASE_URL names a server.
 */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';

/** Whether formulas keep what they promise, on thousands of windows that are drawn: minutes of processor time. */
const SIMULATIONS = 'test/server/**/*simulation.test.ts';

/**
 * Files start in this order: first the long ones, so that no process works alone at the end, and those that wait for timers while
 * others use the processor.
 */
const suites = {
  all: {
    spec: [
      'test/server/{answers/reads,answers/sums,alerts/moves}/**/*.test.ts',
      'test/sdk/**/*.test.ts',
      // Not those above once more: a file that two patterns match runs twice.
      'test/server/!(answers|alerts)/**/*.test.ts',
      'test/server/answers/!(reads|sums)/**/*.test.ts',
      'test/server/@(answers|alerts)/*.test.ts',
      'test/server/alerts/!(moves)/**/*.test.ts',
      'test/!(sdk|server|support)/**/*.test.ts',
    ],
    ignore: ['test/**/*.e2e.test.ts', 'test/demo/data/**', SIMULATIONS],
  },
  /** Whole processes and browsers, what the other tests use, and simulations. */
  e2e: {
    spec: [
      SIMULATIONS,
      'test/server/**/*.e2e.test.ts',
      'test/!(server|cli)/**/*.e2e.test.ts',
      'test/cli/**/*.e2e.test.ts',
      'test/{support,demo/data}/**/*.test.ts',
    ],
  },
  /** What depends on the database: statements, transactions, locks and limits. */
  postgres: {
    spec: [
      'test/cli/commands/serve-workers.e2e.test.ts',
      'test/cli/commands/admin/*.test.ts',
      'test/cli/doctor/**/*.test.ts',
      'test/rules/@(brand-scope|cached-reads|crawler-cache|database-outage|distributed-*|existence-leak|fair-reads|full-disk).test.ts',
      'test/rules/@(ingest-bodies|ingest-counts|ingest-deduplication|ingest-durability|ingest-load|ingest-responsiveness|key-lifetime|logged-secrets).test.ts',
      'test/rules/@(migrations|pages|rate-limit|shared-buckets|slice-parameters|unexpected-failure).test.ts',
      'test/server/{accounts,database,intake}/**/*.test.ts',
      'test/server/answers/{reads,sums}/**/*.test.ts',
      'test/server/alerts/delivery/**/*.test.ts',
      'test/server/alerts/fact-check/slot.test.ts',
      'test/server/web/limits/**/*.test.ts',
      'test/server/web/oauth/**/*.test.ts',
      'test/server/web/page/@(session|sign-in).test.ts',
      'test/server/@(answers|run|base)/@(daily-stats|main|nightly|statement).test.ts',
    ],
    // They use the embedded database, another server or none: the same everywhere.
    ignore: [
      'test/server/database/@(embedded|folder-*|failures|read-session).*',
      'test/server/intake/dataset/@(catalog-ids|lines|record-buffer).*',
      'test/server/alerts/delivery/@(chats|mail|send|webhook).*',
      'test/server/web/limits/@(fair-queue|wrong-keys).*',
      'test/server/answers/reads/@(answer-spans|demo|page|read-cache|shared-cache).*',
    ],
  },
  citus: {
    spec: ['test/cli/commands/admin/distribute.test.ts', 'test/rules/distributed-answers.test.ts'],
  },
};

const [, , ...given] = process.argv;
const named = Object.hasOwn(suites, given[0] ?? '') ? given.shift() : 'all';
const { spec, ignore = [] } = suites[named];

const mocha = join(dirname(createRequire(import.meta.url).resolve('mocha/package.json')), 'bin', 'mocha.js');
// One more than there are cores, because some tests wait; two more were slower. Each process holds embedded databases:
// about 1 GB.
const jobs = Math.min(5, availableParallelism() + 1);
// Once for all processes, which otherwise each run initdb for each database.
spawnSync(process.execPath, ['--import', './scripts/support/typescript.mjs', 'scripts/prepare-cluster.ts'], {
  stdio: 'inherit',
});
const args = ['--parallel', '--jobs', String(jobs), ...ignore.flatMap((path) => ['--ignore', path])];
const { status } = spawnSync(process.execPath, [mocha, ...args, ...given, ...spec], { stdio: 'inherit' });
process.exit(status ?? 1);
