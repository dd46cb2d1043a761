import { expect } from 'chai';
import { ConfigError, maskedConfig, readConfig } from '../../src/server/config.js';

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

describe('config', () => {
  it('without variables it is the defaults: API off, embedded, loopback', () => {
    expect(readConfig({})).to.deep.include({
      operatorKey: null,
      databaseUrl: null,
      dataDir: null,
      host: '127.0.0.1',
      port: 8080,
      publicUrl: null,
      rateLimitStore: null,
      trustProxyHops: 0,
      allowedOrigins: [],
      logLevel: 'info',
    });
  });

  it('an empty variable counts as unset', () => {
    const names = [
      'API_ACCESS_KEY',
      'DATABASE_URL',
      'SVC_DATA_DIR',
      'HOST',
      'PORT',
      'PUBLIC_URL',
      'RATE_LIMIT_STORE',
      'TRUST_PROXY_HOPS',
      'ALLOWED_ORIGINS',
      'LOG_LEVEL',
    ];
    expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).to.deep.equal(readConfig({}));
  });

  it('reads every variable', () => {
    const config = readConfig({
      API_ACCESS_KEY: SECRET,
      DATABASE_URL: 'postgresql://u:p@db.example/svc',
      SVC_DATA_DIR: 'data',
      HOST: '::1',
      PORT: '0',
      PUBLIC_URL: 'https://api.example.com/',
      RATE_LIMIT_STORE: 'database',
      TRUST_PROXY_HOPS: '2',
      ALLOWED_ORIGINS: 'https://a.example, http://localhost:3000',
      LOG_LEVEL: 'debug',
    });
    expect(config).to.deep.include({
      operatorKey: SECRET,
      databaseUrl: 'postgresql://u:p@db.example/svc',
      dataDir: 'data',
      host: '::1',
      port: 0,
      publicUrl: 'https://api.example.com',
      rateLimitStore: 'database',
      trustProxyHops: 2,
      allowedOrigins: ['https://a.example', 'http://localhost:3000'],
      logLevel: 'debug',
    });
  });

  const wrong: [name: string, values: string[]][] = [
    ['API_ACCESS_KEY', ['x'.repeat(23), `${SECRET} ${SECRET}`, `${SECRET}\n`]],
    ['DATABASE_URL', ['mysql://u@h/d', 'not a url', 'postgres']],
    ['PORT', ['-1', '65536', '80.5', 'http', '0x50', ' 80']],
    ['PUBLIC_URL', ['ftp://a.example', 'a.example']],
    ['RATE_LIMIT_STORE', ['redis', 'Memory']],
    ['TRUST_PROXY_HOPS', ['-1', '21', 'true', '1.5']],
    [
      'ALLOWED_ORIGINS',
      ['*', 'https://a.example/', 'https://a.example,', 'a.example', 'https://a.example/path', 'null'],
    ],
    ['LOG_LEVEL', ['loud', 'INFO']],
  ];
  for (const [name, values] of wrong) {
    it(`${name}: a wrong value is a fault that says what is expected and not what came`, () => {
      for (const value of values) {
        const [fault, ...more] = faultsOf({ [name]: value });
        expect(more, value).to.deep.equal([]);
        expect(fault, value).to.match(new RegExp(`^${name}: expected .`));
        if (value.length > 8) expect(fault).to.not.include(value);
      }
    });
  }

  it('an operator key of 24 characters is long enough', () => {
    expect(readConfig({ API_ACCESS_KEY: 'x'.repeat(24) }).operatorKey).to.equal('x'.repeat(24));
  });

  it('every fault is reported at once', () => {
    expect(faultsOf({ API_ACCESS_KEY: 'short', PORT: 'x', LOG_LEVEL: 'x' })).to.have.lengthOf(3);
  });

  it('shows no secret', () => {
    const shown = JSON.stringify(
      maskedConfig(
        readConfig({
          API_ACCESS_KEY: SECRET,
          DATABASE_URL:
            'postgres://user:pass-word@db.example:5432/svc?password=hidden-too&sslpassword=and-this',
        }),
      ),
    );
    for (const secret of [SECRET, 'pass-word', 'hidden-too', 'and-this'])
      expect(shown).to.not.include(secret);
    expect(shown).to.include('db.example:5432/svc');
  });
});
