import { expect } from 'chai';
import { allErrorCases } from '../../../../src/contract/error-cases.js';
import { errors } from '../../../../src/contract/errors.js';
import { operations } from '../../../../src/contract/operations.js';
import { resourceNames, resources } from '../../../../src/contract/registry.js';
import { list, object, text } from '../../../../src/contract/schema.js';
import { headers } from '../../../../src/contract/versions.js';
import { openApiDocument } from '../../../../src/server/web/openapi/document.js';
import { bodySchemas } from '../../../../src/server/web/openapi/responses.js';
import { document, documentedOperations, faultOf } from './support/document.js';

/** Errors of other surfaces: the page, the MCP endpoint, the authorization server and the tool that runs a fact check. */
const OF_OTHERS = [
  'assistantChanged',
  'connectionExpired',
  'factCheckCap',
  'factCheckJustRan',
  'factCheckNotGranted',
  'filterNotOnPage',
  'formTooLarge',
  'grantAddresses',
  'invalidArgument',
  'mayNotChangePlan',
  'mayNotRunFactCheck',
  'mayNotSetAside',
  'mcpDisabled',
  'messageTooLarge',
  'modelMalformed',
  'modelRefused',
  'modelTimeout',
  'modelUnreachable',
  'noAnswers',
  'noKnowledgeBase',
  'noModel',
  'notForAddresses',
  'originNotAllowed',
  'parametersInBody',
  'providerInvalid',
  'providerRefused',
  'providerUnreachable',
  'serverStopping',
  'signInExpired',
  'tooManyShares',
  'tooManyValues',
  'unknownArguments',
  'unknownNeed',
  'unknownShare',
  'valueTooLong',
];

describe('the OpenAPI document', () => {
  it('has an operation per read with a path, and POST crawler-events', () => {
    const listed = documentedOperations.map(({ method, path }) => `${method} ${path}`);
    expect(listed).to.deep.equal([
      ...resourceNames.map((name) => `get /api/v1/${name}`),
      'post /api/v1/crawler-events',
    ]);
    const ids = documentedOperations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).to.equal(ids.length);
    expect(ids).to.include.members(['getOverview', 'listPrompts', 'sendCrawlerEvents']);
  });

  it('has every parameter of the contract with its type, values and limits', () => {
    for (const { path, parameters } of documentedOperations) {
      const { params } = operations.find(({ name }) => path === `/api/v1/${name}`)!;
      const query = parameters.filter((each) => each.in === 'query');
      expect(
        query.map(({ name }) => name),
        path,
      ).to.deep.equal(Object.keys(params));
      for (const { name, required = false, description, schema, explode } of query) {
        const param = params[name]!;
        expect(required, name).to.equal(param.required ?? false);
        // Parameters of one name may be two components.
        expect(description, `${path} ${name}`).to.equal(param.description);
        if (param.kind === 'choice')
          expect(schema.enum ?? [schema.const], name).to.deep.equal([...param.values]);
        if (param.kind === 'choice') expect(schema.default, name).to.equal(param.default);
        if (param.kind === 'integer')
          expect(schema).to.include({ type: 'integer', minimum: param.minimum, maximum: param.maximum });
        if (['engines', 'values'].includes(param.kind))
          expect([schema.type, explode], name).to.deep.equal(['array', false]);
      }
    }
  });

  it('describes every field of the answers', () => {
    const { schemas } = document.components as { schemas: Record<string, Record<string, object>> };
    for (const [name, { response }] of Object.entries(resources)) {
      const id = { prompts: 'Prompts', overview: 'Overview', 'metrics/history': 'History' }[name];
      if (id) expect(Object.keys(schemas[id]!.properties!)).to.include.members(Object.keys(response.fields));
    }
    const overview = schemas.Overview as { properties: Record<string, object> };
    expect(overview.properties.citation_share).to.include({ minimum: 0, maximum: 1 });
    expect(overview.properties.citation_share).to.deep.include({ type: ['number', 'null'] });
    expect(overview.properties.share_of_voice).to.include({ deprecated: true });
    expect(overview.properties.brand).to.include({ $ref: '#/components/schemas/BrandRef' });
  });

  it('has the cursor of the next page in the lists only', () => {
    const { schemas } = document.components as { schemas: Record<string, { properties: object }> };
    const paged = Object.keys(schemas).filter((name) => 'next_cursor' in schemas[name]!.properties);
    expect(paged).to.have.members([
      'Brands',
      'Prompts',
      'Competitors',
      'Sources',
      'Urls',
      'Answers',
      'Names',
      'Moves',
    ]);
  });

  it('states which headers each response has', () => {
    for (const { path, method, responses } of documentedOperations) {
      const of = (status: number) => Object.keys(responses[status]!.headers);
      expect(of(200), path).to.include.members([headers.requestId, headers.version, headers.rateRemaining]);
      if (method === 'get') expect(of(304), path).to.include.members(['ETag', headers.rateRemaining]);
      expect(of(401), path).to.include('WWW-Authenticate');
      expect(of(429), path).to.include.members(['Retry-After', headers.rateReset]);
      expect(of(503), path).to.include('Retry-After');
      expect(of(404), path).to.not.include('ETag');
    }
  });

  it('has a sample of every error of the REST API', () => {
    const documented = allErrorCases().map(({ name }) => name);
    expect([...documented, ...OF_OTHERS].toSorted()).to.deep.equal(Object.keys(errors).toSorted());
  });

  it('has examples that are valid by its own schemas', () => {
    for (const { path, responses } of documentedOperations) {
      for (const [status, { content = {} }] of Object.entries(responses)) {
        for (const { schema, example, examples } of Object.values(content)) {
          const values = examples ? Object.values(examples).map(({ value }) => value) : [example];
          expect(values, path).to.not.include(undefined);
          for (const value of values) expect(faultOf(schema, value), `${path} ${status}`).to.equal(null);
        }
      }
    }
  });

  it('has a read that is newer than the generated names', () => {
    const response = object({ rows: list(object({ id: text('Id') }), 'Rows') });
    const newer = { ...operations[0]!, id: 'listNews', response };
    const { ListNews } = bodySchemas([newer]);
    expect(ListNews!.properties).to.have.all.keys('rows', 'next_cursor');
    expect(ListNews!.required).to.deep.equal(['rows']);
  });

  it('names the address of the server, where it was set', () => {
    expect(document.servers).to.deep.equal([{ url: '/' }]);
    expect(openApiDocument('https://metrics.example').servers).to.deep.equal([
      { url: 'https://metrics.example' },
    ]);
  });
});
