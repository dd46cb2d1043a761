/**
 * Runs the suite, two files at a time and more where there are more cores; arguments go to mocha. The database is
 * embedded unless TEST_DATABASE_URL names a server.
 */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';

const mocha = join(dirname(createRequire(import.meta.url).resolve('mocha/package.json')), 'bin', 'mocha.js');
// Each process holds embedded databases: about 1 GB.
const jobs = Math.min(4, Math.max(2, availableParallelism()));
const args = [mocha, '--parallel', '--jobs', String(jobs), ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
process.exit(status ?? 1);
