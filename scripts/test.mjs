/** Runs the suite; arguments go to mocha. The database is embedded unless TEST_DATABASE_URL names a server. */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const mocha = join(dirname(createRequire(import.meta.url).resolve('mocha/package.json')), 'bin', 'mocha.js');
const { status } = spawnSync(process.execPath, [mocha, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exit(status ?? 1);
