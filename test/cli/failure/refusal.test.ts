import { dirname } from 'node:path';
import { expect } from 'chai';
import { saveProfile } from '../../../src/cli/connection/profiles.js';
import { placesOf, typedParameters } from '../../../src/cli/failure/refusal.js';
import { allErrorCases, errorCasesOf } from '../../../src/contract/error-cases.js';
import { errors, type Refusal } from '../../../src/contract/errors.js';
import { operations } from '../../../src/contract/operations.js';
import type { BrandEntry } from '../../../src/contract/reads/brands.js';
import { KEYS } from '../support/fake-server.js';
import { piped, svc } from '../support/run.js';
import { session } from '../support/session.js';

const entry = (id: string, name: string): BrandEntry => ({
  id,
  name,
  domain: `${id}.example`,
  archived: false,
  collection_fault: null,
  summary: null,
  workspace_name: null,
});

describe('a brand', () => {
  const now = session();

  it('may be given by its name in any case, which takes two more requests', async () => {
    const { body } = now.server;
    const overview = await svc(['overview', '--brand', 'tide & pine', '--json'], now.env);
    expect(overview.code, overview.stdout).to.equal(0);
    expect(now.server.requests.splice(0)).to.deep.equal([
      '/api/v1/overview?brand=tide+%26+pine',
      '/api/v1/brands',
      '/api/v1/overview?brand=br_tide',
    ]);
    const list = await svc(['prompts', '--all', '--format', 'csv'], {
      ...now.env,
      SVC_BRAND: 'Fernweh Coffee',
    });
    expect(list.code, list.stderr).to.equal(0);
    expect(list.stdout).to.equal((await svc(['prompts', '--all', '--format', 'csv'], now.env)).stdout);
    expect(JSON.parse(overview.stdout)).to.deep.equal(JSON.parse(body('/api/v1/overview')));
  });

  it('is recognised as refused by the code, whatever the text', async () => {
    now.server.refuseOne('overview', { ...errors.unknownBrand(), message: 'There is no such brand.' });
    const { code, stderr } = await svc(['overview', '--brand', 'br_tied'], now.env);
    expect(code).to.equal(5);
    expect(stderr).to.contain('Did you mean br_tide?');
    now.server.refuseOne('overview', { ...errors.noBrands(), message: 'Unknown brand' });
    expect((await svc(['overview', '--brand', 'br_tied'], now.env)).stderr).to.contain('svc admin import');
  });

  it('of a tool is recognised as refused by the code too', async () => {
    now.server.tools.refuse('list_fanouts', {
      ...errors.unknownBrand('br_tied'),
      toolMessage: 'There is no such brand.',
    });
    const { code, stderr } = await svc(['fanouts', '--brand', 'br_tied'], now.env);
    expect(code).to.equal(5);
    expect(stderr).to.contain('Did you mean br_tide?');
  });

  it('takes no more requests if given by its id, even if that is the name of another brand', async () => {
    now.server.serve('brands', { brands: [entry('br_tide', 'T'), entry('other', 'br_tide')] });
    expect((await svc(['overview', '--brand', 'br_tide'], now.env)).code).to.equal(0);
    expect(now.server.requests).to.deep.equal(['/api/v1/overview?brand=br_tide']);
  });

  it('must be given by its id if several have its name', async () => {
    now.server.serve('brands', { brands: [entry('one', 'Acme'), entry('two', 'ACME'), entry('x', 'X')] });
    const { code, stdout, stderr } = await svc(['overview', '--brand', 'acme'], now.env);
    expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
    expect(stderr).to.contain('2 brands are named acme (--brand): give an id, one, two.');
  });

  it('is reported as unknown, with the nearest brand and the source of the setting', async () => {
    saveProfile(
      dirname(now.home.profilesFile),
      'work',
      { url: now.server.url, key: KEYS.full, brand: 'br_tied' },
      true,
    );
    const { code, stderr } = await svc(['overview'], now.home.env);
    expect(code).to.equal(5);
    expect(stderr).to.contain(
      'Unknown brand: br_tied (profile work, the current one). Did you mean br_tide?',
    );
    const named = await svc(['overview', '--brand', 'Fernwe Coffee', '--json'], now.env);
    expect(JSON.parse(named.stdout).error).to.deep.equal({
      code: 'not_found',
      message: 'Unknown brand: Fernwe Coffee (--brand). Did you mean br_fernweh?',
      status: 404,
      retryable: false,
    });
  });

  it('is reported as not collected, given or default, with advice on how to load data', async () => {
    now.server.refuseOne('overview', errors.unknownBrand());
    for (const args of [
      ['overview'],
      ['overview', '--brand', 'br_fernweh'],
      ['overview', '--brand', 'FERNWEH COFFEE'],
    ]) {
      const { code, stdout, stderr } = await svc(args, now.env);
      expect({ code, stdout }, args.join(' ')).to.deep.equal({ code: 5, stdout: '' });
      expect(stderr)
        .to.contain('Nothing was collected for the brand Fernweh Coffee (br_fernweh) yet')
        .and.contain('svc admin import')
        .and.not.contain('Unknown brand');
    }
  });

  it('is reported with the reason why nothing is collected for it, and what ends that', async () => {
    now.server.serve('brands', {
      brands: [
        {
          ...entry('br_fernweh', 'Fernweh Coffee'),
          collection_fault: { reason: 'OPENAI_API_KEY is not set.', remedy: 'restart' },
        },
      ],
    });
    for (const [command, read] of [
      ['overview', 'overview'],
      ['summary', 'briefing'],
    ] as const) {
      now.server.refuseOne(read, errors.unknownBrand());
      const { code, stderr } = await svc([command], now.env);
      expect(code).to.equal(5);
      expect(stderr.replaceAll(/\s+/g, ' '))
        .to.contain('(br_fernweh) yet: OPENAI_API_KEY is not set.')
        .and.contain('Correct the environment and start the server again.')
        .and.not.contain('svc admin import');
    }
  });

  it('is looked up in the same way for a tool, also as an argument', async () => {
    const tool = 'list_tag_groups';
    now.server.tools.refuse(tool, errors.unknownBrand('br_fernweh'));
    const { stderr } = await svc(['tools', 'call', tool], now.env);
    expect(stderr).to.contain('Nothing was collected for the brand Fernweh Coffee');
    now.server.tools.refuse(tool, errors.unknownBrand('Tide & Pine'));
    const named = await svc(['tools', 'call', tool, '--brand', 'Tide & Pine'], now.env);
    expect(now.server.tools.calls.map((call) => call.arguments)).to.deep.include({ brand_id: 'br_tide' });
    const argument = await svc(['tools', 'call', tool, '--arg', 'brand_id=Tide & Pine'], now.env);
    expect(argument.code).to.equal(5);
    expect(argument.stderr).to.contain('br_tide');
    expect(named.code).to.equal(5);
  });

  it('does not cause a second upload of a log, but the error contains its id', async () => {
    const line = '1.2.3.4 - - [20/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 1 "-" "GPTBot/1.0"\n';
    const { code, stderr } = await piped(['ingest', '--brand', 'Tide & Pine'], now.env, line);
    expect(code).to.equal(5);
    expect(stderr).to.contain('br_tide');
    const posts = now.server.requests.filter((request) => request.startsWith('/api/v1/crawler-events'));
    expect(posts).to.have.length(1);
  });

  it('is reported with the server’s message if the key may not list brands', async () => {
    now.server.refuse(errors.unknownBrand(), 'full');
    const { code, stderr } = await svc(['overview', '--brand', 'br_tide'], now.env);
    expect(code).to.equal(5);
    expect(stderr).to.contain('Unknown brand');
  });

  it('is printed without control characters in its name', async () => {
    now.server.refuseOne('overview', errors.unknownBrand());
    now.server.serve('brands', { brands: [entry('b', 'A\u001b[31mcme')] });
    const { stderr } = await svc(['overview'], now.env);
    expect(stderr).to.contain('A[31mcme').and.not.contain('\u001b');
  });
});

/** A command line, a refusal of it, and the beginning of the message. */
type Case = readonly [line: string, refusal: Refusal, places: string];

const { noSuchDate, unknownEngine, reversedRange, invalidCursor } = errors;
const cases: readonly Case[] = [
  ['history --from 2026-02-30', noSuchDate('from', '2026-02-30'), '--from: Invalid from: '],
  ['history --from=2026-02-30', noSuchDate('from', '2026-02-30'), '--from: Invalid from: '],
  ['history --engine bing --days 7', unknownEngine('bing'), '--engine: Unknown engine: bing'],
  ['sentiment --engine x --days 7', unknownEngine('days'), '--engine: Unknown engine: days'],
  [
    'history --from 2026-11-05 --to 2026-11-01',
    reversedRange('2026-11-05', '2026-11-01'),
    '--from, --to: Invalid range: ',
  ],
  [
    'history citations --from 2026-01-01',
    errors.metricNotDerivable('citation_share', '2026-01-01', '2026-09-28'),
    'METRIC, --from: citation_share over several engines ',
  ],
  ['history share of voice --engine bing', unknownEngine('bing'), '--engine: Unknown engine: bing'],
  ['answers --cursor zzz', invalidCursor('answers', 'zzz'), '--cursor: Invalid cursor: zzz'],
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
        places.slice(0, places.indexOf(': ') + 2) + refusal.message,
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
        expect(placesOf(refusal.parameters ?? [], typed), refusal.message).not.to.equal('');
    }
    const names = allErrorCases().map(({ name }) => name);
    expect(names).to.include.members(OF_NO_PARAMETER);
  });
});

/** Errors about the body or about HTTP, which no flag causes. */
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
    expect(typed.map(({ place }) => place)).to.deep.equal(['METRIC', '--engine', '--arg days']);
    expect(typed.map(({ value }) => value)).to.deep.equal(['x', 'bing', 'a=b']);
    expect(placesOf(['days', 'brand_id'], typed)).to.equal('--arg days: ');
  });
});

describe('an error of the command itself', () => {
  const now = session();

  for (const [line, place] of [
    ['history foo', 'METRIC: Unknown metric: foo.'],
    ['history --metric foo', '--metric: Unknown metric: foo.'],
    ['diff --fail-if-down foo', '--fail-if-down: Unknown metric: foo.'],
    ['history --days 400', '--days: Expected an integer less than or equal to 366'],
    ['history --from 1.1.2026', '--from: Invalid value 1.1.2026'],
    ['history --days 7 --from 2026-11-01', 'Give either --days, or --from and --to.'],
    ['history --to 2026-11-01', '--to was given without --from'],
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
