/**
 * Runs the suite, several files at a time; arguments go to mocha. The database is embedded unless TEST_DATABASE_URL
 * names a server.
 */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';

const mocha = join(dirname(createRequire(import.meta.url).resolve('mocha/package.json')), 'bin', 'mocha.js');
// One more than there are cores, because some tests wait; two more were slower. Each process holds embedded databases:
// about 1 GB.
const jobs = Math.min(5, availableParallelism() + 1);
// Once for all processes, which otherwise each run initdb for each database.
spawnSync(process.execPath, ['--import', './scripts/support/typescript.mjs', 'scripts/prepare-cluster.ts'], {
  stdio: 'inherit',
});
// Files start in the order of the configuration. First those that wait for timers: at the end nothing would use the processor.
const args = [mocha, '--parallel', '--jobs', String(jobs), ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
process.exit(status ?? 1);
