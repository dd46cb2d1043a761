/**
 * Runs the built packages, packed and installed, on every version of Node that they support: `npm run check-nodes`, after
 * `npm run build`. npm brings the versions, as binaries in its package `node`; one that it cannot install is skipped.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createProject, installSdk, pack, unpack } from './sdk/consumer/project.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { engines, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** The oldest version that is supported, and the newest ones of later releases with long-term support. */
const versions = [engines.node.replace('>=', ''), '22', '24', '26'];

/** The path of the binary, or the reason why there is none. */
function nodeOf(wanted, cwd) {
  const args = ['exec', '--yes', `--package=node@${wanted}`, '--', 'node', '-p', 'process.execPath'];
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, encoding: 'utf8' });
  const path = stdout.trim().split('\n').at(-1);
  if (status === 0 && existsSync(path)) return { path };
  return { reason: /^npm error (.*)$/m.exec(stderr)?.[1] ?? `status ${status}` };
}

/** The programs to run, each with the output that they must have. */
function prepare(folder) {
  const [sdk, server] = ['sdk', 'server'].map((name) => join(folder, name));
  createProject(sdk, 'answer-visibility-sdk');
  installSdk(sdk, pack(join(root, 'dist-sdk'), folder));
  createProject(server, 'answer-visibility');
  unpack(server, 'answer-visibility', pack(root, folder));
  const programs = [sdk, server].flatMap((cwd) => [
    { cwd, args: ['use.mjs'], expected: /^ok\n$/ },
    { cwd, args: ['use.cjs'], expected: /^ok\n$/ },
  ]);
  const command = { cwd: server, args: ['node_modules/answer-visibility/bin/run.js', '--version'] };
  return [...programs, { ...command, expected: new RegExp(`\\b${version.replaceAll('.', '\\.')}\\b`) }];
}

/** What is wrong with the output of a program. */
function faultOf(node, { cwd, args, expected }) {
  const { stdout, stderr } = spawnSync(node, args, { cwd, encoding: 'utf8' });
  return stderr === '' && expected.test(stdout) ? [] : [`${args.join(' ')}: ${stdout}${stderr}`];
}

const folder = mkdtempSync(join(tmpdir(), 'svc-nodes-'));
try {
  if (!existsSync(join(root, 'dist-sdk'))) throw new Error('Nothing is built: npm run build');
  const programs = prepare(folder);
  for (const wanted of versions) {
    const { path, reason } = nodeOf(wanted, folder);
    if (!path) {
      console.log(`Node ${wanted}: skipped, npm could not install it (${reason})`);
      continue;
    }
    const faults = programs.flatMap((program) => faultOf(path, program));
    console.log(`Node ${wanted}: ${faults.length === 0 ? 'ok' : faults.join('\n')}`);
    if (faults.length > 0) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
