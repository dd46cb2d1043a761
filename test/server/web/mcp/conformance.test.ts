import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { OPERATOR_KEY } from '../../../support/server.js';
import { type Check, type ConformanceRun, runConformance } from './support/conformance.js';
import { type FixtureServer, fixtureServer } from './support/fixture-server.js';
import { fixtureTools } from './support/fixture-tools.js';
import { type KeyProxy, keyProxy } from './support/key-proxy.js';
import { PATH } from './support/rpc.js';

/** The scenarios of features that this endpoint has. All others are in the file of expected failures. */
const applicable = [
  'server-initialize',
  'ping',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-error',
  'json-schema-2020-12',
  'dns-rebinding-protection',
  'prompts-list',
];
const EXPECTED_FAILURES = join(
  import.meta.dirname,
  '../../../fixtures/mcp-conformance-expected-failures.yml',
);
const expectedFailures = [...readFileSync(EXPECTED_FAILURES, 'utf8').matchAll(/^ {2}- (\S+)$/gm)].map(
  ([, scenario]) => scenario!,
);

/** The suite counts a warning as a failure too. */
const failing = (checks: readonly Check[] | undefined): readonly Check[] =>
  checks!.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');

describe('POST /api/mcp: the official conformance suite', () => {
  let server: FixtureServer;
  let proxy: KeyProxy;
  let run: ConformanceRun;
  before(async () => {
    server = await fixtureServer(fixtureTools);
    // The suite has no option for a header.
    proxy = await keyProxy(server.url, OPERATOR_KEY);
    run = await runConformance(proxy.url + PATH, EXPECTED_FAILURES);
  });
  after(async () => {
    await proxy.close();
    await server.close();
  });

  for (const scenario of applicable)
    it(`passes ${scenario}`, () => {
      const checks = run.checks.get(scenario);
      expect(failing(checks)).to.deep.equal([]);
      expect(checks!.map(({ status }) => status)).to.include('SUCCESS');
    });

  for (const scenario of expectedFailures)
    it(`fails ${scenario} as expected`, () => {
      expect(failing(run.checks.get(scenario))).to.not.deep.equal([]);
    });

  it('has no further scenario and exits with 0', () => {
    expect([...run.checks.keys()]).to.have.members([...applicable, ...expectedFailures]);
    expect(run.exitCode, run.output).to.equal(0);
  });
});
