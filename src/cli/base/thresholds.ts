/** The rules of `--fail-below`, `--fail-above` and `--fail-if-missing`. */
import { MINUS, scales, withMinus } from '../../contract/measures.js';
import { type Field, valueAt, withoutNull } from '../../contract/rows.js';
import type { Schema } from '../../contract/schema.js';
import { CommandError } from '../command-error.js';
import { fieldNamed } from '../render/picked.js';
import { changeFieldText } from '../render/uncertainty.js';
import { thresholdFields } from './flags.js';

export interface ThresholdFlags {
  readonly 'fail-below'?: readonly string[];
  readonly 'fail-above'?: readonly string[];
  readonly 'fail-if-missing'?: readonly string[];
}

/** The verdict on a response: it breaks the rule, or the rule cannot be checked because the value is null. */
export interface Verdict {
  readonly outcome: 'broken' | 'unchecked';
  readonly message: string;
}

/** Checks one rule. @returns Undefined: the response keeps the rule. */
export type Rule = (data: object) => Verdict | undefined;

/** @throws CommandError `usage` for an unknown field, or a limit that is not a number. */
export function rulesOf(flags: ThresholdFlags, response: Schema): Rule[] {
  const fields = thresholdFields(response);
  return [
    ...(flags['fail-below'] ?? []).map((threshold) => limitRule('--fail-below', threshold, fields)),
    ...(flags['fail-above'] ?? []).map((threshold) => limitRule('--fail-above', threshold, fields)),
    ...(flags['fail-if-missing'] ?? []).map((name) => missingRule(name, fields)),
  ];
}

/** Whether a field is an example that makes sense: a metric, and not a count. */
const isMetric = ({ schema }: Field): boolean => withoutNull(schema).kind === 'number';

function limitRule(flag: '--fail-below' | '--fail-above', threshold: string, fields: readonly Field[]): Rule {
  const [, name, number] = /^([^=]*)=(.*)$/.exec(threshold) ?? [];
  const limit =
    number === undefined || number.trim() === '' ? Number.NaN : Number(number.replace(MINUS, '-'));
  if (name === undefined || !Number.isFinite(limit)) {
    throw new CommandError('usage', `${flag} ${threshold}: it takes FIELD=NUMBER.`, {
      hint: `As in: ${flag} ${(fields.find(isMetric) ?? fields[0]!).name}=30. Known fields: ${fields.map((field) => field.name).join(', ')}.`,
    });
  }
  const field = fieldNamed(flag, name.trim(), fields);
  const word = flag === '--fail-below' ? 'below' : 'above';
  const isBroken = (value: number) => (word === 'below' ? value < limit : value > limit);
  return (data) => {
    const value = numberAt(data, field);
    if (value === null) {
      const message = `${field.name} is not measured, so ${flag} ${threshold} is not checked; --fail-if-missing ${field.name} fails then.`;
      return { outcome: 'unchecked', message };
    }
    if (!isBroken(value)) return undefined;
    const is = inWords(field, value);
    return { outcome: 'broken', message: `${field.name} is ${is}, ${word} ${withMinus(limit)} (${flag}).` };
  };
}

/** The number of the API, and as a change is written where that differs by more than its unit. */
function inWords(field: Field, value: number): string {
  const change = changeFieldText(field, value);
  if (change === null) return withMinus(value);
  return change.endsWith(scales.fraction.differenceUnit) ? `${withMinus(value)} (${change})` : change;
}

function missingRule(name: string, fields: readonly Field[]): Rule {
  const field = fieldNamed('--fail-if-missing', name.trim(), fields);
  return (data) =>
    numberAt(data, field) === null
      ? { outcome: 'broken', message: `${field.name} is not measured (--fail-if-missing).` }
      : undefined;
}

const numberAt = (data: object, field: Field): number | null =>
  (valueAt(data, field) as number | null) ?? null;
