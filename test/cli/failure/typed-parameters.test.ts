import { expect } from 'chai';
import { placesIn, typedParameters } from '../../../src/cli/connection/refusal.js';
import { allErrorCases, errorCasesOf } from '../../../src/contract/error-cases.js';
import { errors, type Refusal } from '../../../src/contract/errors.js';
import { operations } from '../../../src/contract/operations.js';
import { svc } from '../support/run.js';
import { session } from '../support/session.js';

/** A command line, a refusal of it, and the beginning of the message. */
type Case = readonly [line: string, refusal: Refusal, places: string];

const { invalidDate, unknownEngine, daysWithRange, reversedRange, halfRange, invalidCursor } = errors;
const cases: readonly Case[] = [
  ['history --from 1.1.2026', invalidDate('from', '1.1.2026'), '--from (from): Invalid from: '],
  ['history --from=1.1.2026', invalidDate('from', '1.1.2026'), '--from (from): Invalid from: '],
  ['history --engine bing --days 7', unknownEngine('bing'), '--engine (engine): Unknown engine: bing'],
  ['sentiment --engine x --days 7', unknownEngine('days'), '--engine (engine): Unknown engine: days'],
  ['history --days 7 --from 2026-11-01', daysWithRange(7), '--days (days), --from (from): days=7 '],
  [
    'history --from 2026-11-05 --to 2026-11-01',
    reversedRange('2026-11-05', '2026-11-01'),
    '--from (from), --to (to): Invalid range: ',
  ],
  ['history --to 2026-11-01', halfRange('to', '2026-11-01', 'from'), '--to (to): to=2026-11-01 '],
  [
    'history citations --from 2026-01-01',
    errors.metricNotDerivable('citation_share', '2026-01-01', '2026-09-28'),
    'METRIC (metric): citation_share over several engines ',
  ],
  ['history share of voice --engine bing', unknownEngine('bing'), '--engine (engine): Unknown engine: bing'],
  ['answers --cursor zzz', invalidCursor('answers', 'zzz'), '--cursor (cursor): Invalid cursor: zzz'],
];

describe('an error of the API about a parameter', () => {
  const now = session();

  for (const [line, refusal, places] of cases) {
    it(`names the flag: svc ${line}`, async () => {
      now.server.refuse(refusal, 'full');
      const { stderr, code } = await svc(line.split(' '), now.env);
      expect(code).to.equal(2);
      expect(stderr).to.match(/^Error: /);
      expect(stderr.slice('Error: '.length)).to.satisfy((text: string) => text.startsWith(places), stderr);
      const json = await svc([...line.split(' '), '--json'], now.env);
      expect(JSON.parse(json.stdout).error.message).to.equal(
        places.slice(0, places.indexOf('): ') + 3) + refusal.message,
      );
    });
  }

  it('names no flag if the message is not about a parameter, or the parameter was not typed', async () => {
    for (const refusal of [
      errors.unknownBrand(),
      errors.unknownEngine('bing'),
      errors.invalidCursor('answers', 'x'),
    ]) {
      now.server.refuse(refusal, 'full');
      const { stderr } = await svc(['history', '--days', '7'], now.env);
      expect(stderr).to.satisfy((text: string) => text.startsWith(`Error: ${refusal.message}`), stderr);
    }
  });

  it('names the flag of the parameter in every 400 that an operation has', () => {
    for (const operation of operations) {
      const typed = Object.keys(operation.params).map((parameter) => ({
        parameter,
        value: '',
        place: `--${parameter}`,
      }));
      const about = errorCasesOf(operation).filter(
        ({ name, refusal }) => refusal.status === 400 && !OF_NO_PARAMETER.includes(name),
      );
      for (const { refusal } of about)
        expect(placesIn(refusal.message, typed), refusal.message).not.to.equal('');
    }
    const names = allErrorCases().map(({ name }) => name);
    expect(names).to.include.members(OF_NO_PARAMETER);
  });
});

/** Errors about the body or about HTTP, which no flag gives. */
const OF_NO_PARAMETER = [
  'emptyBody',
  'corruptBody',
  'incompleteBody',
  'notHttp',
  'missingHost',
  'repeatedHost',
];

describe('the typed parameters', () => {
  it('are flags, arguments, and the arguments of tools', () => {
    const typed = typedParameters([
      { type: 'arg', arg: 'metric', input: 'x' },
      { type: 'arg', arg: undefined, input: 'y' },
      { type: 'flag', flag: 'engine', input: 'bing' },
      { type: 'flag', flag: 'arg', input: 'days=a=b' },
    ] as never);
    expect(typed.map(({ place }) => place)).to.deep.equal([
      'METRIC (metric)',
      '--engine (engine)',
      '--arg days',
    ]);
    expect(typed.map(({ value }) => value)).to.deep.equal(['x', 'bing', 'a=b']);
    expect(placesIn(errors.invalidInteger('days', 'a=b', 1, 7).message, typed)).to.equal('--arg days: ');
    expect(placesIn(errors.unknownArguments(['days'], ['brand_id']).message, typed)).to.equal('--arg days: ');
  });
});

describe('an error of the command itself', () => {
  const now = session();

  for (const [line, place] of [
    ['history foo', 'METRIC: Unknown metric: foo.'],
    ['history --metric foo', '--metric: Unknown metric: foo.'],
    ['diff --fail-if-down foo', '--fail-if-down: Unknown metric: foo.'],
    ['history --days 9', '--days: Invalid value 9'],
    ['sources --limit x', '--limit: Expected an integer'],
    ['sources --format xml', 'Expected --format=xml'],
    ['overview --key-file missing', '--key-file: missing cannot be read'],
    ['overview --profile other', 'No profile other is stored (--profile).'],
    ['overview --url ftp://other.example', 'The address from --url is not an http'],
  ] as const) {
    it(`names where the value was typed: svc ${line}`, async () => {
      const { stderr, code } = await svc(line.split(' '), now.env);
      expect(code).to.equal(2);
      expect(stderr).to.contain(place);
      expect(now.server.requests).to.deep.equal([]);
    });
  }

  it('is about a wrong address rather than about the key that is missing for it', async () => {
    const { stderr } = await svc(['overview'], { ...now.home.env, SVC_URL: 'ftp://other.example' });
    expect(stderr).to.contain('The address from SVC_URL is not an http');
  });
});
