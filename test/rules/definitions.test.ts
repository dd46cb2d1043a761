import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { definitionGroups } from '../../src/contract/definition.js';
import {
  askedNames,
  definitionOf,
  definitions,
  definitionsDocument,
  described,
  dotted,
  explanationsOf,
  type NamedDefinition,
  type ReadField,
  readFields,
} from '../../src/contract/explanations.js';
import { measureNames } from '../../src/contract/measures.js';
import type { Read } from '../../src/contract/read.js';
import { reads } from '../../src/contract/registry.js';
import { METRICS_VERSION } from '../../src/contract/versions.js';
import { builtModules } from '../cli/support/built.js';

const names = (of: readonly NamedDefinition[]) => of.map(({ name }) => name);
const isNumber = ({ schema }: ReadField) => ['integer', 'number'].includes(schema.kind);
const whole = (definition: NamedDefinition) => described({ definition, fields: definition.fields });

describe('rule: every number of the API is defined once', () => {
  it('each number field of each read has a definition', () => {
    const undefinedFields = readFields().filter((field) => isNumber(field) && !definitionOf(field));
    expect(undefinedFields.map(dotted)).to.deep.equal([]);
    expect(readFields().filter(isNumber).length).to.be.above(150);
  });

  it('each definition is in a group, and has a name of its own', () => {
    const defined = readFields().filter(({ schema }) => 'definition' in schema);
    expect(defined.filter((field) => !definitionOf(field)).map(dotted)).to.deep.equal([]);
    expect(new Set(names(definitions())).size).to.equal(definitions().length);
  });

  it('each group begins with the definitions that it names', () => {
    for (const group of definitionGroups) {
      const inGroup = names(definitions().filter((definition) => definition.group === group.id));
      const first: readonly string[] = 'first' in group ? group.first : [];
      expect(inGroup.slice(0, first.length), group.id).to.deep.equal(first);
      expect(inGroup, group.id).not.to.deep.equal([]);
    }
  });

  it('each has a scale, and an empty case that states null where the contract has null', () => {
    for (const definition of definitions()) {
      expect(whole(definition).scale, definition.name).to.match(/^(?!none).+/);
      if (definition.fields.some(({ isNullable }) => isNullable))
        expect(definition.empty, definition.name).to.match(/\bnull\b/);
    }
  });

  it('each number has a unit', () => {
    for (const definition of definitions().filter(({ fields }) => fields.every(isNumber)))
      expect(definition.unit, definition.name).to.be.a('string');
  });

  it('no text states a number of days where the caller may choose the window', () => {
    const ofWindows = readFields().filter(({ read }) => 'from' in reads[read].params);
    const fixedDays = /\b(?:last|the) \d+ days\b/;
    for (const field of ofWindows.filter(({ read }) => read !== 'history')) {
      const { what = '', formula = '', empty = '' } = definitionOf(field) ?? {};
      for (const words of [field.schema.description, what, formula, empty])
        expect(words, dotted(field)).not.to.match(fixedDays);
    }
    const lists = Object.values<Read>(reads).flatMap(({ params, response }) =>
      'from' in params ? Object.entries(response.fields).filter(([name]) => name !== 'window') : [],
    );
    for (const [name, { description }] of lists.filter(([name]) => name !== 'source'))
      expect(description ?? '', name).not.to.match(fixedDays);
  });

  it('the bounds of an interval are null on too few days, which they state', () => {
    const bounds = readFields().filter(({ schema }) => schema.description.includes('upper bound'));
    expect(bounds.length).to.be.above(8);
    for (const { schema } of bounds)
      expect(schema.description).to.include('fewer than 4 days (17 in a row in windows of 28');
  });

  it('the rounding agrees with the descriptions of the fields in the contract', () => {
    for (const definition of definitions()) {
      const { rounding } = whole(definition);
      for (const { schema } of definition.fields) {
        const said = /\brounded to (an integer|[\d.]*\d)/.exec(schema.description)?.[1];
        if (said !== undefined) expect(rounding, definition.name).to.include(said);
        if (/\bunrounded\b/.test(schema.description)) expect(rounding, definition.name).to.include('none');
      }
    }
  });

  it('the metrics with intervals state their estimator, and no other number has one', () => {
    const withInterval = definitions().filter(({ interval }) => interval !== undefined);
    expect(names(withInterval)).to.have.members([...measureNames, 'shown_rate', 'window_value']);
  });
});

describe('the explanation of a name', () => {
  const found = (name: string) =>
    explanationsOf(name).map(({ definition, fields }) => [definition?.name, fields.map(dotted)]);

  it('is the definition with all of its fields', () => {
    expect(found('presence_rate')).to.deep.equal([
      [
        'presence_rate',
        [
          'brands.brands.summary.presence_rate',
          ...['overview.presence_rate', 'prompts.prompts.presence_rate', 'briefing.overview.presence_rate'],
        ],
      ],
    ]);
    expect(found('sample_size')).to.deep.equal([['run_count', ['history.series.points.sample_size']]]);
  });

  it('is that of one read where its name or the names around it are given, in any spelling', () => {
    const field = ['visibility', ['competitors.competitors.visibility']];
    for (const name of [
      'competitors.visibility',
      'competitors.competitors[].visibility',
      ' Competitors.Visibility ',
    ])
      expect(found(name), name).to.deep.equal([field]);
    expect(found('overview.visibility')).to.deep.equal([['visibility', ['overview.visibility']]]);
    expect(found('intervals.visibility').flat(2)).to.include('overview.intervals.visibility');
    expect(found('trend.delta')).to.deep.equal([['delta', ['history.series.trend.delta']]]);
    expect(found('metrics/history.window_value')).to.deep.equal([
      ['window_value', ['history.series.window_value']],
    ]);
  });

  it('has every definition of a name that means several things', () => {
    expect(found('avg_position').map(([name]) => name)).to.have.members([
      'avg_position',
      'shopping.avg_position',
      'youtube-citations.avg_position',
    ]);
  });

  it('has the fields of a read or an object for its name', () => {
    expect(found('sources').flat(2)).to.include.members(['citations', 'sources.sources.domain']);
    expect(found('change.visibility').map(([name]) => name)).to.include.members([
      'previous',
      'delta',
      'verdict',
    ]);
  });

  it('is known for every name that completion proposes, and for no other', () => {
    expect(askedNames().filter((name) => explanationsOf(name).length === 0)).to.deep.equal([]);
    for (const name of ['', ' ', '.', 'visibilty', 'visibility.', '.visibility', 'constructor', '__proto__'])
      expect(explanationsOf(name), name).to.deep.equal([]);
  });
});

describe('the SDK', () => {
  it('has the types of the fields, and not their definitions', () => {
    const folder = join(builtModules(), 'sdk');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.[cm]?js$/.test(name),
    );
    expect(files).not.to.deep.equal([]);
    const { what } = definitions().find(({ name }) => name === 'win_rate')!;
    const holding = files.filter((name) => readFileSync(join(folder, name), 'utf8').includes(what));
    expect(holding).to.deep.equal([]);
  });
});

describe('the documents of the definitions', () => {
  it('have every definition with its version and its fields', () => {
    const document = definitionsDocument();
    expect(document.metrics_version).to.equal(METRICS_VERSION);
    expect(document.definitions.map(({ name }) => name)).to.have.members(names(definitions()));
    const [visibility] = document.definitions.filter(({ name }) => name === 'visibility');
    expect(visibility).to.include({ unit: 'score_0_100', scale: '0 to 100', denominator: 'runs' });
    expect(visibility!.fields.map(({ read, field }) => `${read}: ${field}`)).to.deep.equal([
      'brands: brands[].summary.visibility',
      ...['overview: visibility', 'prompts: prompts[].visibility', 'competitors: competitors[].visibility'],
      'briefing: overview.visibility',
      ...['history: series[].points[].value', 'history: series[].window_value'],
    ]);
    expect(visibility!.fields[1]).to.include({ path: '/api/v1/overview', field: 'visibility' });
  });
});
