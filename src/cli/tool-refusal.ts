/** What a tool's refusal means: over MCP it comes without a status, in words that the contract knows. */
import { errors, type Refusal } from '../contract/errors.js';
import { rpcErrors } from '../contract/mcp.js';
import { plans } from '../contract/plans.js';
import { tools } from '../contract/tools/catalog.js';
import type { ToolError } from '../sdk/errors.js';
import { CommandError, type FailureKind } from './command-error.js';
import { hints } from './diagnosis.js';

const either = [true, false];

/** Every refusal of a tool that is not about its arguments; numbers stand for any. */
const refusals: { readonly [K in FailureKind]?: readonly Refusal[] } = {
  not_allowed: [errors.mayNotRunFactCheck(), ...plansTooLow()],
  not_found: [errors.noBrands(), errors.unknownBrandId(''), errors.noKnowledgeBase(), errors.noAnswers()],
  rate_limited: [errors.factCheckJustRan(0), errors.factCheckCap(0)],
  server_error: [
    errors.databaseUnavailable(),
    errors.internal(''),
    errors.noModel(),
    errors.modelMalformed(0),
    ...either.flatMap((counts) => [
      errors.modelTimeout(0, counts),
      errors.modelRefused(0, counts),
      errors.modelUnreachable(counts),
      errors.serverStopping(counts),
    ]),
  ],
};

function plansTooLow(): Refusal[] {
  return Object.values(tools).flatMap((tool) =>
    'planSubject' in tool
      ? plans.map((actual) => errors.planTooLow(tool.planSubject, tool.plan, actual))
      : [],
  );
}

/** The failure that is reported, as if REST had refused: what is not known here is about the arguments. */
export function commandErrorOf(error: ToolError): CommandError {
  const { code, message } = error;
  const [kind, status] = code === rpcErrors.internal().code ? INTERNAL : meaningOf(message);
  const retryable = kind === 'rate_limited' || kind === 'server_error';
  return new CommandError(kind, message, {
    status,
    retryable,
    hint: status === LACKING ? undefined : hints[kind],
  });
}

/** The brand is there, but not what the tool needs of it. */
const LACKING = errors.noAnswers().status;
const INTERNAL: readonly [FailureKind, number] = ['server_error', 500];

function meaningOf(message: string): readonly [FailureKind, number] {
  for (const [kind, known] of Object.entries(refusals)) {
    const same = known.find((refusal) => shapeOf(refusal.message) === shapeOf(message));
    if (same) return [kind as FailureKind, same.status];
  }
  return ['usage', 400];
}

const BRAND_REFUSAL = errors.unknownBrandId('').message;

/** The words without what differs from call to call. */
const shapeOf = (message: string): string =>
  message.startsWith(BRAND_REFUSAL) ? BRAND_REFUSAL : message.replace(/\d+(?:\.\d+)?/g, '0');
