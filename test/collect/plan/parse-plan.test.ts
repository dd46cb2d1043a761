import { expect } from 'chai';
import fc from 'fast-check';
import { collectable, engineAccess } from '../../../src/collect/plan/engine-access.js';
import { PlanError, parsePlan } from '../../../src/collect/plan/parse-plan.js';
import { parsePrompts } from '../../../src/collect/plan/prompt-files.js';
import { protocolNames } from '../../../src/collect/protocols/index.js';
import { runsOf } from '../../../src/collect/schedule.js';
import type { Subject } from '../../../src/collect/subject.js';

const GOOD = `
samples = 2
[[target]]
engine = "chatgpt"
protocol = "openai-responses"
base_url = "https://api.openai.com/v1/"
model = "gpt-5.2"
search = true
region = "us"
key_env = "OPENAI_API_KEY"
input_usd_per_mtok = 1.25
[extraction]
protocol = "openai-chat"
base_url = "http://127.0.0.1:11434/v1"
model = "qwen3"
`;

function faultsOf(toml: string): string[] {
  try {
    parsePlan(toml, 'collect.toml');
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    return error.message.split('\n').slice(1);
  }
  return [];
}

const TARGET =
  '[[target]]\nengine = "llama"\nprotocol = "openai-responses"\nbase_url = "http://h/v1"\nmodel = "m"\n';

describe('a plan file', () => {
  it('takes no variable of svc or of Postgres as the key of an engine', () => {
    const own = ['API_ACCESS_KEY', 'DATABASE_URL', 'DATABASE_READ_URL', 'SMTP_URL', 'FACT_CHECK_API_KEY'];
    for (const name of [...own, 'SVC_API_KEY', 'PGPASSWORD']) {
      const [fault] = faultsOf(`${TARGET}key_env = "${name}"\n`);
      expect(fault, name).to.equal(
        'line 6: target[0].key_env: expected a variable with a key of a vendor, not one of svc itself',
      );
    }
    expect(faultsOf(`${TARGET}key_env = "OPENAI_API_KEY"\n`)).to.deep.equal([]);
  });

  it('for a provider names a country that there is', () => {
    for (const protocol of ['cloro', 'brightdata', 'serpapi']) {
      const engine = protocol === 'serpapi' ? 'aimode' : 'chatgpt';
      const of = (region: string) =>
        faultsOf(
          `[[target]]\nengine = "${engine}"\nprotocol = "${protocol}"\nregion = "${region}"\nkey_env = "K"\n`,
        );
      for (const region of ['zz', 'UK', 'eu', 'xa', 'dd'])
        expect(of(region), `${protocol} ${region}`).to.deep.equal([
          `line 4: target[0].region: expected the code of a country, such as gb, got ${region}`,
        ]);
      for (const region of ['gb', 'US', 'li', 'xk']) expect(of(region), region).to.deep.equal([]);
    }
  });

  it('that no person writes is refused before it is parsed', () => {
    const deep = `[${Array.from({ length: 20_000 }, (_, at) => `a${at}`).join('.')}]`;
    expect(faultsOf(deep)).to.deep.equal(['line 1: expected at most 10 names in a key']);
    expect(faultsOf(`a.${deep.slice(1, -1)} = 1`)).to.deep.equal([
      'line 1: expected at most 10 names in a key',
    ]);
    expect(faultsOf('\n'.repeat(60_000))).to.deep.equal([
      'line 50001: expected at most 50000 lines, got 60001',
    ]);
    expect(faultsOf(`a = ${'['.repeat(100_000)}`)[0]).to.include('invalid TOML');
  });

  it('has a bounded number of prompts, in it and in a file of them', () => {
    const prompts = Array.from({ length: 10_001 }, (_, at) => `Question ${at}?`);
    const toml = `[brand]\nname = "A"\ndomain = "a.example"\n${prompts
      .map((text) => `[[prompt]]\ntext = "${text}"`)
      .join('\n')}\n${TARGET}`;
    expect(faultsOf(toml)).to.deep.equal(['line 4: prompt: expected at most 10000 entries, got a list']);
    expect(() => parsePrompts(Buffer.from(prompts.join('\n')), 'prompts.txt')).to.throw(
      PlanError,
      'line 10001: expected at most 10000 prompts, got 10001',
    );
  });

  it('names at most fifty faults', () => {
    const faults = faultsOf(`${TARGET}${Array.from({ length: 60 }, (_, at) => `k${at} = 1`).join('\n')}`);
    expect([faults.length, faults.at(-1)]).to.deep.equal([51, 'and 10 more faults']);
  });

  it('states targets and the extraction model, with defaults for the rest', () => {
    const { samples, targets, extraction } = parsePlan(GOOD, 'collect.toml');
    expect(samples).to.equal(2);
    expect(targets[0]).to.deep.include({
      engine: 'chatgpt',
      baseUrl: 'https://api.openai.com/v1',
      search: true,
    });
    expect(targets[0]).to.deep.include({ concurrency: 4, inputUsdPerMtok: 1.25, outputUsdPerMtok: null });
    expect(extraction).to.deep.include({ protocol: 'openai-chat', model: 'qwen3', keyEnv: null });
  });

  it('gets every fault at once, by line', () => {
    const toml = [
      'samples = 0',
      '[[target]]',
      'engine = "bing"',
      'protocol = "soap"',
      'base_url = "ftp://h"',
      'search = "yes"',
      'regoin = "us"',
      'model = gpt-5',
      '[[target]]',
      'engine = "llama"',
      '[extraction]',
      'engine = "grok"',
    ].join('\n');
    expect(faultsOf(toml).map((fault) => fault.replace(/, got.*|expected.*/, ''))).to.deep.equal([
      'line 1: samples: ',
      'line 3: target[0].engine: ',
      'line 4: target[0].protocol: ',
      'line 5: target[0].base_url: ',
      'line 6: target[0].search: ',
      'line 7: target[0].regoin: no such field',
      'line 8: invalid TOML: invalid value',
      'line 9: target[1].protocol: ',
      'line 9: target[1].base_url: ',
      'line 9: target[1].model: ',
      'line 11: extraction.protocol: ',
      'line 11: extraction.base_url: ',
      'line 11: extraction.model: ',
      'line 12: extraction.engine: no such field',
    ]);
  });

  it('gets the faults of several broken lines, and of an empty file', () => {
    expect(faultsOf('a = \nb = \n').filter((fault) => fault.includes('invalid TOML'))).to.have.length(2);
    expect(faultsOf('')).to.deep.equal(['line 1: target: expected one or more [[target]], got nothing']);
  });

  it('a fault states what the file has, as well as what is allowed', () => {
    const shown: readonly (readonly [string, string])[] = [
      ['ftp://x', 'ftp://x'],
      ['api.openai.com/v1', 'api.openai.com/…'],
      ['localhost:8080', 'localhost:8080'],
      ['', 'an empty text'],
      ['https://me:pw@h/v1?key=k#f', 'https://…@…'],
    ];
    for (const [stated, got] of shown) {
      const [fault] = faultsOf(TARGET.replace('http://h/v1', stated));
      expect(fault, stated).to.match(/expected an http or https address.*, got /);
      expect(fault!.split(', got ')[1], stated).to.equal(got);
    }
    expect(faultsOf(TARGET.replace('"m"', '""'))).to.deep.equal([
      'line 5: target[0].model: expected 1 to 200 characters, got an empty text',
    ]);
    expect(faultsOf(`${TARGET}key_env = 5\n`)[0]).to.match(/got 5$/);
    expect(faultsOf(`${TARGET}call_usd = "1.25"\n`)[0]).to.match(/such as 1\.25, got the text "1\.25"$/);
    expect(faultsOf(`sample = 2\n${TARGET}`)[0]).to.match(
      /^line 1: sample: no such field; a file has samples, target, extraction, /,
    );
  });

  it('a fault has its line in a file with line ends of Windows too', () => {
    const toml = `${TARGET}regoin = "us"\nnotes = """\nengine = "x"\n"""\nsearch = 1\n`;
    const lines = (text: string) => faultsOf(text).map((fault) => fault.split(': ')[0]);
    expect(lines(toml)).to.deep.equal(['line 6', 'line 7', 'line 10']);
    expect(lines(toml.replaceAll('\n', '\r\n'))).to.deep.equal(lines(toml));
  });

  it('a table below a target is a fault on its own line', () => {
    const toml = `${TARGET}[target.extra]\nfoo = 1\n${TARGET}[target.extra]\n`;
    expect(faultsOf(toml)).to.deep.equal([
      'line 6: target[0].extra: no such field',
      'line 13: target[1].extra: no such field',
    ]);
  });

  it('gets two targets with the same runs as a fault', () => {
    expect(faultsOf(`${TARGET}region = "us"\n${TARGET}region = "US"\n`)).to.deep.equal([
      'line 7: target[1]: expected another engine, surface or region: target[0] on line 1 has llama (api) in US too',
    ]);
  });

  it('may ask an engine by its API and as people see it, and each surface by one provider', () => {
    const asSeen = (protocol: string) =>
      `[[target]]\nengine = "chatgpt"\nprotocol = "${protocol}"\nregion = "us"\nkey_env = "K"\n`;
    const { targets } = parsePlan(
      GOOD.replace('[extraction]', `${asSeen('cloro')}[extraction]`),
      'collect.toml',
    );
    const prompts = [{ id: 'p', text: 'best crm?' }];
    const ids = runsOf({
      plan: { samples: 1, targets, extraction: null },
      subject: { prompts } as unknown as Subject,
      date: '2026-11-20',
    });
    expect(ids.map(({ id }) => id)).to.deep.equal([
      '2026-11-20.chatgpt.p.us.1',
      '2026-11-20.chatgpt-ui.p.us.1',
    ]);
    expect(faultsOf(asSeen('cloro') + asSeen('brightdata'))).to.deep.equal([
      'line 6: target[1]: expected another engine, surface or region: target[0] on line 1 has chatgpt (ui) in us too',
    ]);
  });

  it('gets an engine that cannot be asked like this as a fault, among the others', () => {
    const faults = (engine: string, protocol: string, search: string) =>
      faultsOf(`[[target]]\nengine = "${engine}"\nprotocol = "${protocol}"\n${search}\nmodel = "m"\n`).filter(
        (fault) => !fault.includes('base_url'),
      );
    expect(faults('copilot', 'openai-chat', 'search = true')).to.deep.equal([
      'line 3: target[0].protocol: expected cloro or brightdata for copilot, whose vendor offers no API, got openai-chat',
    ]);
    expect(faults('chatgpt', 'gemini', 'search = false')).to.deep.equal([
      'line 3: target[0].protocol: expected openai-responses, openai-chat, cloro, dataforseo or brightdata for chatgpt, got gemini',
      'line 4: target[0].search: expected true for chatgpt, which searches the web: its score would count answers of another kind, got false',
    ]);
    expect(faults('gemini', 'gemini', '').join()).to.match(/^line 1: target\[0\]\.search: expected true/);
    expect(faults('deepseek', 'openai-chat', 'search = true').join()).to.match(
      /search: expected false for deepseek/,
    );
  });

  it('takes each engine by every protocol of the table, and by no other', () => {
    for (const { engine, protocols, search } of engineAccess) {
      for (const protocol of protocolNames) {
        const toml = TARGET.replace('llama', engine).replace('openai-responses', protocol);
        const isFine = faultsOf(`${toml}search = ${search}\n`).length === 0;
        expect(isFine, `${engine} ${protocol}`).to.equal(protocols.includes(protocol));
        expect(faultsOf(`${toml}search = ${!search}\n`), `${engine} ${protocol}`).not.to.deep.equal([]);
      }
    }
  });

  it('never shows what may be a key', () => {
    const secrets = [
      'key_env = "sk-verysecret"',
      'key_env = "AIzaVerysecret"',
      'key = "sk-verysecret"',
      'key_env = sk-verysecret',
      'base_url = "https://verysecret@h/v1"',
      'base_url = "https://h/v1?key=verysecret"',
      'base_url = "https://h/v1#verysecret"',
      'base_url = "ftp://user:verysecret@h/v1"',
      'base_url = "user:verysecret@h/v1"',
      'base_url = "user:very?secret@h/verysecret"',
      'base_url = "sk-verysecret"',
      'base_url = "sk-verysecret/a"',
      'base_url = "verysecret:x@h/v1"',
      'base_url = "https://x:very?secret@verysecret/v1"',
      'base_url = "ftp://h/verysecret"',
    ];
    for (const line of secrets) {
      const faults = faultsOf(
        `${TARGET.replace(/base_url.*\n/, line.startsWith('base') ? '' : '$&')}${line}\n`,
      );
      expect(faults, line).to.have.length(1);
      expect(faults[0]!.toLowerCase(), line).not.to.include('verysecret');
    }
  });

  it('a fault is on the line of its key, wherever the key is', () => {
    const filler = fc.constantFrom(
      '',
      '# engine = "x"',
      '   ',
      'notes = """\n[[target]]\nengine = "y"\n"""',
      "# '''",
    );
    const property = fc.property(
      fc.array(fc.array(filler, { maxLength: 3 }), { minLength: 1, maxLength: 4 }),
      fc.nat(),
      (tables, pick) => {
        const wrong = pick % tables.length;
        const lines: string[] = [];
        let expected = 0;
        for (const [at, fillers] of tables.entries()) {
          lines.push('[[target]]', 'protocol = "gemini"', 'base_url = "http://h"', 'model = "m"');
          // A long string is a value of an unknown field, which is another fault.
          lines.push(...fillers.filter((each, index) => !each.startsWith('notes') || index === 0));
          lines.push(at === wrong ? 'engine = "bing"' : `engine = "${collectable[at]!.engine}"`);
          if (at === wrong) expected = lines.join('\n').split('\n').length;
        }
        const found = faultsOf(lines.join('\n')).filter((fault) => fault.includes('.engine: '));
        expect(found.map((fault) => fault.split(':')[0])).to.deep.equal([`line ${expected}`]);
      },
    );
    fc.assert(property, { numRuns: 100 });
  });

  it('any text results in a plan or faults with lines, and nothing else', () => {
    const fragments = fc.constantFrom(
      ...GOOD.split('\n'),
      '"""',
      '[',
      '[[target]]',
      'x = {',
      '=',
      '\u0000',
      "'''",
    );
    const property = fc.property(fc.array(fc.oneof(fragments, fc.string()), { maxLength: 12 }), (lines) => {
      const toml = lines.join('\n');
      for (const fault of faultsOf(toml)) {
        const line = Number(/^line (\d+): /.exec(fault)?.[1]);
        expect(line).to.be.within(1, toml.split('\n').length + 1);
      }
    });
    fc.assert(property, { numRuns: 300 });
  });
});
