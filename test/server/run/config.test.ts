import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  ConfigError,
  maskedConfig,
  readConfig,
  validateServeConfig,
} from '../../../src/server/run/config.js';

const SECRET = 'a-secret-of-32-characters-length';

const faultsOf = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    expect(error).to.be.instanceOf(ConfigError);
    return (error as ConfigError).faults;
  }
};

describe('the configuration', () => {
  it('has OAuth only with the page and an https origin as public address', () => {
    const faults = (env: Record<string, string>) => {
      try {
        validateServeConfig(readConfig(env));
        return [];
      } catch (error) {
        return (error as ConfigError).faults.map((fault) => fault.split(':')[0]);
      }
    };
    const PUBLIC_URL = 'https://svc.example.com';
    expect(readConfig({})).to.include({ oauth: false, oauthRegistration: false });
    expect(faults({ OAUTH: 'on', OAUTH_DCR: 'on', PUBLIC_URL })).to.deep.equal([]);
    for (const address of ['', 'http://svc.example.com', `${PUBLIC_URL}/svc`, `${PUBLIC_URL}?x`])
      expect(faults({ OAUTH: 'on', PUBLIC_URL: address }), address).to.deep.equal(['OAUTH']);
    expect(faults({ OAUTH: 'on', PAGE: 'off', PUBLIC_URL })).to.deep.equal(['OAUTH']);
    expect(faults({ OAUTH_DCR: 'on', PUBLIC_URL })).to.deep.equal(['OAUTH_DCR']);
  });

  it('takes the settings of an OpenID provider all or not at all, and shows its secret to nobody', () => {
    const all = {
      OIDC_ISSUER: 'https://login.example.com/realms/a/',
      OIDC_CLIENT_ID: 'svc',
      OIDC_CLIENT_SECRET: SECRET,
      OIDC_ACCESS: 'group:cn=a/b%2Cdc=x=acme/full, domain:@BÜCHER.example=w%2Fx/read',
    };
    expect(readConfig({}).identityProvider).to.equal(null);
    const config = readConfig(all);
    expect(config.identityProvider).to.deep.equal({
      issuer: all.OIDC_ISSUER,
      clientId: 'svc',
      clientSecret: SECRET,
      scope: 'openid email profile',
      groupsClaim: 'groups',
      rules: [
        { by: 'group', value: 'cn=a/b,dc=x', workspaceId: 'acme', kind: 'full' },
        { by: 'domain', value: 'xn--bcher-kva.example', workspaceId: 'w/x', kind: 'read' },
      ],
    });
    expect(JSON.stringify(maskedConfig(config))).to.not.contain(SECRET);
    const names = (env: Record<string, string>) => faultsOf(env).map((fault) => fault.split(':')[0]);
    for (const name of Object.keys(all)) expect(names({ ...all, [name]: '' }), name).to.deep.equal([name]);
    const { OIDC_CLIENT_SECRET: _, ...unkept } = all;
    const folder = mkdtempSync(join(tmpdir(), 'secret-'));
    writeFileSync(join(folder, 'secret'), `${SECRET}\n`);
    const filed = { ...unkept, OIDC_CLIENT_SECRET_FILE: join(folder, 'secret') };
    expect(readConfig(filed).identityProvider?.clientSecret).to.equal(SECRET);
    expect(names({ ...filed, ...all })).to.deep.equal(['OIDC_CLIENT_SECRET_FILE']);
    rmSync(folder, { recursive: true });
    expect(names(filed)).to.include('OIDC_CLIENT_SECRET_FILE');
    for (const [name, value] of [
      ['OIDC_ISSUER', 'http://login.example.com'],
      ['OIDC_ISSUER', 'https://login.example.com?x=1'],
      ['OIDC_ISSUER', 'https://user@login.example.com'],
      ['OIDC_ISSUER', 'nonsense'],
      ['OIDC_SCOPE', 'email'],
      ['OIDC_SCOPE', 'openid "email"'],
      ...['x', 'domain:a.example=w', 'domain:=w/full', 'domain:a.example=w/operator', 'user:a=w/full'].map(
        (rule) => ['OIDC_ACCESS', rule],
      ),
      ...['domain:a b=w/full', 'domain:a.example/x=w/full', 'group:%=w/full', 'domain:a.example=w/full,'].map(
        (rule) => ['OIDC_ACCESS', rule],
      ),
    ] as [string, string][])
      expect(names({ ...all, [name]: value }), value).to.include(name);
    const faults = (env: Record<string, string>) => () => validateServeConfig(readConfig({ ...all, ...env }));
    for (const PUBLIC_URL of [
      'https://svc.example.com',
      'https://svc.example.com/svc',
      'http://127.0.0.1:8080',
    ])
      expect(faults({ PUBLIC_URL })).to.not.throw();
    for (const PUBLIC_URL of ['', 'http://svc.example.com'])
      expect(faults({ PUBLIC_URL })).to.throw(ConfigError, /OIDC_ISSUER/);
    expect(faults({ PUBLIC_URL: 'https://svc.example.com', PAGE: 'off' })).to.throw(
      ConfigError,
      /OIDC_ISSUER/,
    );
  });

  it('has defaults without variables: API off, embedded database, loopback', () => {
    expect(readConfig({})).to.deep.include({
      operatorKey: null,
      databaseUrl: null,
      databaseReadUrl: null,
      dataDir: null,
      workers: 1,
      adminPort: null,
      adminHost: '127.0.0.1',
      host: '127.0.0.1',
      port: 8080,
      publicUrl: null,
      rateLimitStore: null,
      trustProxyHops: 0,
      allowedOrigins: [],
      logLevel: 'info',
      plans: [],
      edit: false,
      factCheckModel: null,
    });
  });

  it('treats an empty variable as unset', () => {
    const names = [
      'API_ACCESS_KEY',
      'DATABASE_URL',
      'DATABASE_READ_URL',
      'WORKERS',
      'SVC_DATA_DIR',
      'HOST',
      'PORT',
      'PUBLIC_URL',
      'RATE_LIMIT_STORE',
      'TRUST_PROXY_HOPS',
      'ALLOWED_ORIGINS',
      'LOG_LEVEL',
      'CRAWLER_LOG_PROXIES',
      'SVC_PLAN',
    ];
    expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).to.deep.equal(readConfig({}));
  });

  it('reads every variable', () => {
    const config = readConfig({
      API_ACCESS_KEY: SECRET,
      DATABASE_URL: 'postgresql://u:p@db.example/svc',
      DATABASE_READ_URL: 'postgresql://u:p@replica.example/svc',
      WORKERS: '4',
      SVC_DATA_DIR: 'data',
      HOST: '::1',
      PORT: '0',
      PUBLIC_URL: 'https://api.example.com/',
      RATE_LIMIT_STORE: 'database',
      TRUST_PROXY_HOPS: '2',
      ALLOWED_ORIGINS: 'https://a.example, http://localhost:3000',
      LOG_LEVEL: 'debug',
      CRAWLER_LOG_PROXIES: '203.0.113.7, 198.51.100.0/24,2001:db8::/32',
      SVC_PLAN: 'shoes.toml, /etc/svc/boots.toml',
    });
    expect(config).to.deep.include({
      operatorKey: SECRET,
      databaseUrl: 'postgresql://u:p@db.example/svc',
      databaseReadUrl: 'postgresql://u:p@replica.example/svc',
      workers: 4,
      dataDir: 'data',
      plans: ['shoes.toml', '/etc/svc/boots.toml'],
      host: '::1',
      port: 0,
      publicUrl: 'https://api.example.com',
      rateLimitStore: 'database',
      trustProxyHops: 2,
      allowedOrigins: ['https://a.example', 'http://localhost:3000'],
      logLevel: 'debug',
      crawlerLogProxies: ['203.0.113.7', '198.51.100.0/24', '2001:db8::/32'],
    });
  });

  const wrong: [name: string, values: string[]][] = [
    ['API_ACCESS_KEY', ['x'.repeat(23), `${SECRET} ${SECRET}`, `${SECRET}\n`]],
    ['DATABASE_URL', ['mysql://u@h/d', 'not a url', 'postgres']],
    ['DATABASE_READ_URL', ['mysql://u@h/d', 'replica.example']],
    ['WORKERS', ['0', '65', '-1', '1.5', 'auto']],
    ['PORT', ['-1', '65536', '80.5', 'http', '0x50', ' 80']],
    ['PUBLIC_URL', ['ftp://a.example', 'a.example']],
    ['RATE_LIMIT_STORE', ['redis', 'Memory']],
    ['TRUST_PROXY_HOPS', ['-1', '21', 'true', '1.5']],
    [
      'ALLOWED_ORIGINS',
      ['*', 'https://a.example/', 'https://a.example,', 'a.example', 'https://a.example/path', 'null'],
    ],
    ['LOG_LEVEL', ['loud', 'INFO']],
    [
      'CRAWLER_LOG_PROXIES',
      [
        '64.0.0.0/4',
        '203.0.113.0/11',
        '2001:db8::/27',
        '203.0.113.0/33',
        'proxy.example',
        '203.0.113.7,',
        '198.51.100',
      ],
    ],
    ['SVC_PLAN', ['a.toml,', ',', 'a.toml, a.toml']],
  ];
  for (const [name, values] of wrong) {
    it(`reports an invalid ${name} with the expected values and without the received one`, () => {
      for (const value of values) {
        const [fault, ...more] = faultsOf({ [name]: value });
        expect(more, value).to.deep.equal([]);
        expect(fault, value).to.match(new RegExp(`^${name}: expected .`));
        if (value.length > 8) expect(fault).to.not.include(value);
      }
    });
  }

  it('accepts an operator key of 24 characters', () => {
    expect(readConfig({ API_ACCESS_KEY: 'x'.repeat(24) }).operatorKey).to.equal('x'.repeat(24));
  });

  it('reports all faults at once', () => {
    expect(faultsOf({ API_ACCESS_KEY: 'short', PORT: 'x', LOG_LEVEL: 'x' })).to.have.lengthOf(3);
  });

  it('never prints a secret', () => {
    const shown = JSON.stringify(
      maskedConfig(
        readConfig({
          API_ACCESS_KEY: SECRET,
          DATABASE_URL:
            'postgres://user:pass-word@db.example:5432/svc?password=hidden-too&sslpassword=and-this',
          DATABASE_READ_URL: 'postgres://user:pass-word@replica.example/svc?password=hidden-too',
          SMTP_URL: 'smtp://user:pass-word@mail.example:587?auth.pass=hidden-too',
          MAIL_FROM: 'Alerts <alerts@example.com>',
        }),
      ),
    );
    for (const secret of [SECRET, 'pass-word', 'hidden-too', 'and-this'])
      expect(shown).to.not.include(secret);
    expect(shown).to.include('db.example:5432/svc').and.to.include('replica.example/svc');
    expect(shown).to.include('mail.example:587').and.to.include('alerts@example.com');
  });

  const modelVariables = {
    FACT_CHECK_BASE_URL: 'http://127.0.0.1:11434/v1/',
    FACT_CHECK_API_KEY: 'sk-secret',
    FACT_CHECK_MODEL: 'small-checker',
    FACT_CHECK_INPUT_USD_PER_MTOK: '0.15',
    FACT_CHECK_OUTPUT_USD_PER_MTOK: '0',
    FACT_CHECK_TIMEOUT_MS: '90000',
  };

  it('reads the model of fact checks, with defaults for key, prices and time limit', () => {
    expect(readConfig(modelVariables).factCheckModel).to.deep.equal({
      baseUrl: 'http://127.0.0.1:11434/v1',
      apiKey: 'sk-secret',
      model: 'small-checker',
      inputUsdPerMtok: 0.15,
      outputUsdPerMtok: 0,
      timeoutMs: 90_000,
    });
    const { FACT_CHECK_BASE_URL, FACT_CHECK_MODEL } = modelVariables;
    expect(readConfig({ FACT_CHECK_BASE_URL, FACT_CHECK_MODEL }).factCheckModel).to.include({
      apiKey: null,
      inputUsdPerMtok: null,
      outputUsdPerMtok: null,
      timeoutMs: 60_000,
    });
  });

  it('masks the key of the model', () => {
    expect(JSON.stringify(maskedConfig(readConfig(modelVariables)))).to.not.include('sk-secret');
    expect(maskedConfig(readConfig({}))).to.include({ factCheckModel: null });
  });

  it('reports a model address without a model name, and the other way round', () => {
    const { FACT_CHECK_BASE_URL, FACT_CHECK_MODEL } = modelVariables;
    expect(faultsOf({ FACT_CHECK_BASE_URL })).to.deep.equal([
      'FACT_CHECK_MODEL: expected the name of a model, as FACT_CHECK_BASE_URL is set',
    ]);
    expect(faultsOf({ FACT_CHECK_MODEL })).to.deep.equal([
      "FACT_CHECK_BASE_URL: expected the model's address, as FACT_CHECK_MODEL is set",
    ]);
  });

  it('names each invalid variable of the model, without secrets', () => {
    const wrong = {
      FACT_CHECK_BASE_URL: 'https://user:word@models.example/v1',
      FACT_CHECK_API_KEY: 'two words',
      FACT_CHECK_MODEL: 'm',
      FACT_CHECK_INPUT_USD_PER_MTOK: '-1',
      FACT_CHECK_OUTPUT_USD_PER_MTOK: '1e3',
      FACT_CHECK_TIMEOUT_MS: '0',
    };
    const faults = faultsOf(wrong);
    for (const name of Object.keys(wrong).filter((name) => name !== 'FACT_CHECK_MODEL'))
      expect(
        faults.some((fault) => fault.startsWith(`${name}: expected`)),
        name,
      ).to.equal(true);
    expect(faults.join()).to.not.match(/two words|user:word/);
  });
});
