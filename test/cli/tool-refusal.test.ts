import { expect } from 'chai';
import { commandErrorOf } from '../../src/cli/tool-refusal.js';
import { errors, type Refusal } from '../../src/contract/errors.js';
import { ToolError } from '../../src/sdk/errors.js';

const told = (message: string, code: number | null = null) =>
  commandErrorOf(new ToolError(message, { status: 200, tool: 'run_fact_check', code }));

const cases: readonly (readonly [Refusal, kind: string, exit: number, retryable: boolean])[] = [
  [errors.unknownBrandId('br_1 of 2'), 'not_found', 5, false],
  [errors.noBrands(), 'not_found', 5, false],
  [errors.noKnowledgeBase(), 'not_found', 5, false],
  [errors.noAnswers(), 'not_found', 5, false],
  [errors.planTooLow('Site health', 'growth', 'trial'), 'not_allowed', 4, false],
  [errors.planTooLow('Crawler analytics', 'growth', 'starter'), 'not_allowed', 4, false],
  [errors.mayNotRunFactCheck(), 'not_allowed', 4, false],
  [errors.factCheckJustRan(4), 'rate_limited', 6, true],
  [errors.factCheckCap(24), 'rate_limited', 6, true],
  [errors.modelTimeout(0.05, false), 'server_error', 8, true],
  [errors.modelRefused(429, true), 'server_error', 8, true],
  [errors.modelUnreachable(true), 'server_error', 8, true],
  [errors.modelMalformed(2), 'server_error', 8, true],
  [errors.noModel(), 'server_error', 8, true],
  [errors.serverStopping(false), 'server_error', 8, true],
  [errors.databaseUnavailable(), 'server_error', 8, true],
  [errors.internal('r-1'), 'server_error', 8, true],
  [errors.missingParam('metric', ['visibility']), 'usage', 2, false],
  [errors.unknownArguments(['day'], ['days']), 'usage', 2, false],
  [errors.invalidChoice('days', '9', [7, 14]), 'usage', 2, false],
];

describe('a refusal of a tool', () => {
  for (const [{ message, status }, kind, exitCode, retryable] of cases) {
    it(`is ${kind}, as over REST: ${message}`, () => {
      expect(told(message)).to.include({ kind, exitCode, retryable, message, status });
    });
  }

  it('is known wherever its status in the contract says that the arguments are not to blame', () => {
    const disabled: readonly Refusal[] = [errors.apiDisabled(), errors.mcpDisabled()];
    const all = Object.values(errors).flatMap((refusal: (...args: never[]) => Refusal) => {
      const given = Array.from({ length: refusal.length }, () => 1) as never[];
      // Some take lists; they are about arguments.
      try {
        return [refusal(...given)];
      } catch {
        return [];
      }
    });
    const others = all.filter(({ status, message }) => {
      return (status === 409 || status >= 500) && disabled.every((each) => each.message !== message);
    });
    expect(others.length).to.be.above(9);
    for (const { message } of others) expect(told(message).kind, message).to.not.equal('usage');
  });

  it('is a failure of the server where JSON-RPC says so', () => {
    expect(told('Internal error', -32603)).to.include({ kind: 'server_error', exitCode: 8 });
  });

  it('advises a list of brands for a brand that is unknown, not for one that lacks something', () => {
    expect(told(errors.unknownBrandId('b').message).hint).to.contain('svc brands');
    expect(told(errors.noKnowledgeBase().message).hint).to.equal(undefined);
  });
});
