import { expect } from 'chai';
import { argumentsFrom } from '../../../src/cli/commands/tools/call.js';
import { CommandError } from '../../../src/cli/failure/command-error.js';

describe('--arg', () => {
  it('gets the type that the contract declares', () => {
    const given = [
      'metric=visibility',
      'days=28',
      'competitors=true',
      'engine=chatgpt,gemini',
      'from=2026-11-01',
    ];
    expect(argumentsFrom('get_metrics_history', given)).to.deep.equal({
      metric: 'visibility',
      days: 28,
      competitors: true,
      engine: 'chatgpt,gemini',
      from: '2026-11-01',
    });
  });

  it('stays text if the contract declares text, whatever it looks like', () => {
    for (const text of ['12', 'true', '2026', '']) {
      expect(argumentsFrom('get_overview', [`brand_id=${text}`])).to.deep.equal({ brand_id: text });
    }
  });

  it('is sent unchanged if it cannot have the declared type, so that the server reports it', () => {
    expect(argumentsFrom('get_sentiment', ['days=week'])).to.deep.equal({ days: 'week' });
    expect(argumentsFrom('run_fact_check', ['force=yes'])).to.deep.equal({ force: 'yes' });
  });

  it('is a number or a boolean by its form if tool or argument is unknown', () => {
    const looks: [string, unknown][] = [
      ['28', 28],
      ['-0.5', -0.5],
      ['true', true],
      ['false', false],
      ['007', '007'],
      ['1e3', '1e3'],
      ['12345678901234567890', '12345678901234567890'],
      ['null', 'null'],
      ['True', 'True'],
      ['a=b', 'a=b'],
      ['', ''],
    ];
    for (const tool of ['a_tool_of_next_year', 'get_overview', 'toString'])
      for (const [text, value] of looks)
        expect(argumentsFrom(tool, [`later=${text}`]), `${tool} ${text}`).to.deep.equal({ later: value });
  });

  it('may have any name', () => {
    const values = argumentsFrom('get_overview', ['__proto__=1', 'constructor=2']);
    expect(JSON.stringify(values)).to.equal('{"__proto__":1,"constructor":2}');
  });

  it('is refused without a name and with a repeated name', () => {
    const refused = (given: string[], message: RegExp) =>
      expect(() => argumentsFrom('get_sentiment', given), given.join())
        .to.throw(CommandError, message)
        .with.property('kind', 'usage');
    refused(['days'], /^Invalid --arg: days\. Give NAME=VALUE/);
    refused(['=28'], /^Invalid --arg: =28\./);
    refused([''], /^Invalid --arg: \(empty\)\./);
    refused(['days=7', 'days=28'], /^The argument days was given twice\./);
  });
});
