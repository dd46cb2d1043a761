/** Checks the OpenAPI document with Redocly, by the rules of redocly.yaml. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '../src/server/web/openapi/document.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const redocly = join(
  dirname(fileURLToPath(import.meta.resolve('@redocly/cli/package.json'))),
  'bin',
  'cli.js',
);
const folder = mkdtempSync(join(tmpdir(), 'svc-openapi-'));
const file = join(folder, 'openapi.json');
writeFileSync(file, JSON.stringify(openApiDocument(), null, 2));
const { status } = spawnSync(
  process.execPath,
  [redocly, 'lint', file, '--config', join(root, 'redocly.yaml')],
  {
    stdio: 'inherit',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  },
);
rmSync(folder, { recursive: true });
process.exit(status ?? 1);
