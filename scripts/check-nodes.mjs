/**
 * Runs the built packages, packed and installed, on every version of Node that they support: `npm run check-nodes`, after
 * `npm run build`. npm brings the versions, as binaries in its package `node`; one that it cannot install is skipped. With
 * --offline it uses only those that are in npm's cache, and downloads nothing.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createProject, installSdk, pack, unpack } from './sdk/consumer/project.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { engines, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** The oldest version that is supported, and the newest ones of later releases with long-term support. */
const versions = [engines.node.replace('>=', ''), '22', '24', '26'];

const flags = process.argv.includes('--offline') ? ['--offline'] : [];

/** What a program printed, and whether it succeeded. */
async function outputOf(program, args, cwd) {
  try {
    return { ok: true, ...(await promisify(execFile)(program, args, { cwd })) };
  } catch ({ stdout, stderr, message }) {
    return { ok: false, stdout: stdout ?? '', stderr: stderr ?? message };
  }
}

/** The path of the binary, or the reason why there is none. */
async function nodeOf(wanted) {
  const args = [
    'exec',
    '--yes',
    ...flags,
    `--package=node@${wanted}`,
    '--',
    'node',
    '-p',
    'process.execPath',
  ];
  const { ok, stdout, stderr } = await outputOf('npm', args, folder);
  const path = stdout.trim().split('\n').at(-1);
  if (ok && existsSync(path)) return { wanted, path };
  return { wanted, reason: /^npm error (.*)$/m.exec(stderr)?.[1] ?? stderr };
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
async function faultOf(node, { cwd, args, expected }) {
  const { ok, stdout, stderr } = await outputOf(node, args, cwd);
  return ok && stderr === '' && expected.test(stdout) ? [] : [`${args.join(' ')}: ${stdout}${stderr}`];
}

async function check({ wanted, path, reason }, programs) {
  if (!path) return `Node ${wanted}: skipped, npm could not install it (${reason})`;
  const faults = [];
  for (const program of programs) faults.push(...(await faultOf(path, program)));
  if (faults.length > 0) process.exitCode = 1;
  return `Node ${wanted}: ${faults.length === 0 ? 'ok' : faults.join('\n')}`;
}

const folder = mkdtempSync(join(tmpdir(), 'svc-nodes-'));
try {
  if (!existsSync(join(root, 'dist-sdk'))) throw new Error('Nothing is built: npm run build');
  const nodes = await Promise.all(versions.map(nodeOf));
  const programs = nodes.some(({ path }) => path) ? prepare(folder) : [];
  for (const line of await Promise.all(nodes.map((node) => check(node, programs)))) console.log(line);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
