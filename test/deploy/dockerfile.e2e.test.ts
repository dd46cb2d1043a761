import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';

const project = join(import.meta.dirname, '../..');
const lines = readFileSync(join(project, 'Dockerfile'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

interface Step {
  readonly instruction: string;
  readonly rest: string;
}

/** The steps of each stage. */
const stages = lines.reduce<Step[][]>((all, line) => {
  const [, instruction = '', rest = ''] = /^(\S+) (.*)$/.exec(line) ?? [];
  if (instruction === 'FROM') all.push([]);
  all.at(-1)!.push({ instruction, rest });
  return all;
}, []);
const [build = [], image = []] = stages;
const of = (stage: readonly Step[], instruction: string) =>
  stage.filter((step) => step.instruction === instruction).map(({ rest }) => rest);

/** Patterns of .dockerignore: names at the top, and `*.ending` there. */
const ignored = readFileSync(join(project, '.dockerignore'), 'utf8').trim().split('\n');
const isIgnored = (name: string) =>
  ignored.some((pattern) => (pattern.startsWith('*') ? name.endsWith(pattern.slice(1)) : name === pattern));

/** A folder in place of the file system of a stage: its paths are below it. */
const below = (root: string, command: string) => command.replaceAll(/(?<=\s|^)\/(?=\w)/g, `${root}/`);

describe('the Dockerfile', () => {
  it('is of a slim Node 24 in both stages, and does not run as root', () => {
    for (const stage of stages) expect(of(stage, 'FROM')[0]).to.match(/^node:24-slim(?: AS \w+)?$/);
    expect(of(image, 'USER')).to.deep.equal(['node']);
  });

  it('leaves no secret, no history and no packages of this machine in the image', () => {
    for (const name of ['.git', '.svc-data', 'node_modules', 'dist', 'server.env', 'svc.dump'])
      expect(isIgnored(name), name).to.equal(true);
    expect(of(image, 'COPY').filter((copied) => !copied.startsWith('--from=build '))).to.deep.equal([]);
  });

  // The steps run as they are, in folders of this machine. npm is left out: it would fetch all packages.
  it('builds a server that its health check finds, and that ends with 0', async function () {
    this.timeout(600_000);
    const folder = mkdtempSync(join(tmpdir(), 'svc-image-'));
    try {
      const [sources, root] = [join(folder, 'build'), join(folder, 'image')];
      cpSync(project, sources, {
        recursive: true,
        filter: (path) => !(path.startsWith(join(project, basename(path))) && isIgnored(basename(path))),
      });
      symlinkSync(join(project, 'node_modules'), join(sources, 'node_modules'));
      // A build that is there already is as good.
      const isBuilt = existsSync(join(project, 'dist/.built'));
      if (isBuilt) cpSync(join(project, 'dist'), join(sources, 'dist'), { recursive: true });
      const isBuild = (command: string) => command.includes('scripts/build.mjs');
      for (const command of of(build, 'RUN'))
        if (!command.startsWith('npm ') && !(isBuilt && isBuild(command))) shell(command, sources);
      for (const path of ['app', 'usr/local/bin']) mkdirSync(join(root, path), { recursive: true });
      for (const copied of of(image, 'COPY'))
        copy(copied.replace('--from=build ', ''), sources, join(root, 'app'));
      for (const command of of(image, 'RUN')) shell(below(root, command).replace(/ && chown .*/, ''), root);
      expect(existsSync(join(root, 'usr/local/bin/svc'))).to.equal(true);
      await serves(root);
      await serves(root, String(await freePort()));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

function shell(command: string, cwd: string): void {
  const { status, stderr } = spawnSync('sh', ['-c', command], { cwd, encoding: 'utf8' });
  expect(status, `${command}\n${stderr}`).to.equal(0);
}

/** Copies `/build/a /build/b target` into the application. */
function copy(words: string, sources: string, app: string): void {
  const paths = words.split(' ');
  const target = paths.pop()!;
  for (const path of paths) {
    const from = join(sources, path.replace(/^\/build\//, ''));
    const to = target.endsWith('/') ? join(app, target, basename(path)) : join(app, target);
    if (path.endsWith('node_modules')) symlinkSync(join(project, 'node_modules'), to);
    else cpSync(from, to, { recursive: true });
  }
}

/** Starts the server as the image does, on the port of PORT or of its command, and runs its health check. */
async function serves(root: string, given?: string): Promise<void> {
  const variables = of(image, 'ENV').flatMap((text) => text.split(' ').map((pair) => pair.split('=')));
  const port = String(await freePort());
  const env = {
    PATH: process.env.PATH,
    ...Object.fromEntries(variables),
    SVC_DATA_DIR: join(root, 'data'),
    HOST: '127.0.0.1',
    PORT: port,
  };
  const words: string[] = [...JSON.parse(of(image, 'ENTRYPOINT')[0]!), ...JSON.parse(of(image, 'CMD')[0]!)];
  if (given !== undefined) words.push('--port', given);
  const [command, ...args] = words.map((word) => below(root, word));
  const child = spawn(command!, args, { cwd: join(root, 'app'), env, stdio: ['ignore', 'pipe', 'inherit'] });
  const check = () => {
    const [, health] = /CMD (.*)$/.exec(of(image, 'HEALTHCHECK')[0]!)!;
    const [program, ...rest] = JSON.parse(health!) as string[];
    // The server is the first process of its container.
    const ofChild = rest.map((word) => word.replace('/proc/1/', `/proc/${child.pid}/`));
    return spawnSync(program!, ofChild, { env }).status;
  };
  try {
    expect(check()).to.equal(1);
    for await (const line of createInterface({ input: child.stdout })) {
      expect(line).to.equal(`svc listening on http://127.0.0.1:${given ?? port}`);
      break;
    }
    expect(check()).to.equal(0);
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect((await ended)[0]).to.equal(0);
  } finally {
    child.kill('SIGKILL');
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}
