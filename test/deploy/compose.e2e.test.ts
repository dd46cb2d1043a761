import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { parse } from 'yaml';
import { readConfig } from '../../src/server/run/config.js';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

interface Service {
  readonly image: string;
  readonly build?: string;
  readonly command?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly restart: string;
}
const { services }: { services: Record<'postgres' | 'migrate' | 'server', Service> } = parse(
  read('compose.yaml'),
  { merge: true },
);
const { postgres, migrate, server } = services;

describe('compose.yaml', () => {
  it('starts the server after one migration, which starts after Postgres', () => {
    expect(Object.keys(services)).to.deep.equal(['postgres', 'migrate', 'server']);
    expect(migrate.depends_on).to.deep.equal({ postgres: { condition: 'service_healthy' } });
    expect(migrate.restart).to.equal('no');
    expect(server.depends_on).to.deep.include({ migrate: { condition: 'service_completed_successfully' } });
    expect(postgres.healthcheck.test?.[1]).to.equal('pg_isready');
    expect(postgres.image).to.match(/^postgres:1[5-8]$/);
  });

  it('runs commands that exist, in the image of the Dockerfile, whose health check it keeps', () => {
    const { commands } = JSON.parse(read('oclif.manifest.json'));
    for (const { command, build } of [migrate, server]) {
      expect(commands).to.have.property(command!.join(':'));
      expect(build).to.equal('.');
    }
    expect(server.healthcheck).not.to.have.any.keys('test', 'disable');
    expect(read('Dockerfile')).to.include('HEALTHCHECK');
  });

  it('has no secret, and does not start without those of the operator', () => {
    const secrets = Object.values(services).flatMap(({ environment }) =>
      Object.entries(environment).filter(([name]) => /KEY|PASSWORD/.test(name)),
    );
    expect(secrets).to.have.length(4);
    for (const [name, value] of secrets)
      expect(value, name).to.match(/^\$\{(API_ACCESS_KEY|POSTGRES_PASSWORD):\?[^}]+\}$/);
    for (const name of ['.gitignore', '.dockerignore']) expect(read(name), name).to.match(/^(?:\*|)\.env$/m);
  });

  it('has settings that the server accepts, and is reached from this machine only', () => {
    const values: Record<string, string> = { API_ACCESS_KEY: 'k'.repeat(44) };
    const env = Object.fromEntries(
      Object.entries(server.environment).map(([name, value]) => [
        name,
        value.replace(
          /^\$\{(\w+)(?::-([^}]*))?.*\}$/,
          (_, variable, preset) => values[variable] ?? preset ?? '',
        ),
      ]),
    );
    expect(readConfig(env)).to.include({ databaseUrl: 'postgres://svc@postgres/svc', trustProxyHops: 0 });
    for (const port of server.ports!) expect(port).to.match(/^127\.0\.0\.1:/);
    expect(postgres.ports).to.equal(undefined);
  });

  it('has a plan, its keys, mail and metrics as lines to uncomment, and a volume for the journals', () => {
    const text = read('compose.yaml').replaceAll(/^( +)# (?=[A-Z_]+: |- )/gm, '$1');
    const whole: { services: typeof services; volumes: object } = parse(text, { merge: true });
    const { environment, volumes, ports } = whole.services.server;
    const config = readConfig({
      ...Object.fromEntries(
        Object.entries(environment).map(([name, value]) => [name, String(value).replace(/^\$\{.*\}$/, '')]),
      ),
      ...{ API_ACCESS_KEY: 'k'.repeat(44), SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'svc@example.com' },
    });
    expect(config).to.deep.include({ plans: ['/etc/svc/svc.toml'], adminPort: 9464, adminHost: '0.0.0.0' });
    expect(config.mail).to.not.equal(null);
    expect(Object.keys(environment)).to.include('OPENAI_API_KEY');
    expect(volumes).to.deep.equal(['data:/data', './svc.toml:/etc/svc/svc.toml:ro']);
    expect(whole.volumes).to.have.property('data');
    for (const port of ports!) expect(port).to.match(/^127\.0\.0\.1:/);
    // Without a change nothing but the volume is there.
    expect(server.volumes).to.deep.equal(['data:/data']);
    expect(Object.keys(server.environment)).to.not.include('SVC_PLAN');
  });

  it('gives the driver the password next to the URL', () => {
    const before = process.env.PGPASSWORD;
    process.env.PGPASSWORD = 'a/b@c';
    try {
      const client = new pg.Client({ connectionString: server.environment.DATABASE_URL });
      expect([client.user, client.password, client.host]).to.deep.equal(['svc', 'a/b@c', 'postgres']);
    } finally {
      if (before === undefined) delete process.env.PGPASSWORD;
      else process.env.PGPASSWORD = before;
    }
  });

  // Where Docker runs and has its plugin. It builds the image, which fetches packages.
  it('serves, and stops with everything that it made', async function () {
    const env = {
      ...process.env,
      API_ACCESS_KEY: 'k'.repeat(44),
      POSTGRES_PASSWORD: 'p'.repeat(24),
      SVC_PORT: '0',
    };
    const docker = (...args: string[]) => spawnSync('docker', args, { cwd: root, env, encoding: 'utf8' });
    const project = `svc-test-${process.pid}`;
    const compose = (...args: string[]) => docker('compose', '--project-name', project, ...args);
    if (docker('compose', 'version').status !== 0) this.skip();
    expect(compose('config', '--quiet').stderr).to.equal('');
    if (docker('info', '--format', '{{.ServerVersion}}').status !== 0) this.skip();
    try {
      const up = compose('up', '--build', '--detach', '--quiet-pull');
      expect(up.status, up.stderr).to.equal(0);
      const address = compose('port', 'server', '8080').stdout.trim();
      let status = 0;
      while (status !== 200) {
        expect(compose('ps', '--status', 'running', '--services').stdout).to.include('server');
        status = await fetch(`http://${address}/readyz`).then(
          (response) => response.status,
          () => 0,
        );
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
      const brands = await fetch(`http://${address}/api/v1/brands`, {
        headers: { Authorization: `Bearer ${env.API_ACCESS_KEY}` },
      });
      expect([brands.status, await brands.json()]).to.deep.equal([404, { error: 'No brands exist' }]);
    } finally {
      compose('down', '--volumes', '--rmi', 'local');
    }
  });
});
