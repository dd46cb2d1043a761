import { expect } from 'chai';
import { runFactCheck } from '../../src/contract/reads/run-fact-check.js';
import { type ResourceName, resources } from '../../src/contract/registry.js';
import type { Schema } from '../../src/contract/schema.js';
import { tools } from '../../src/contract/tools.js';
import { svc } from '../cli/support/run.js';
import { session } from '../cli/support/session.js';
import { onTerminal } from '../cli/support/terminal.js';
import { toolCommands } from '../cli/support/tool-commands.js';
import { bodyOf, cellsOf, hostileTexts, linksOf, steering, withoutOwn } from './support/hostile.js';
import { commandOf } from './support/reads.js';

/** A command, the schema of its read, and how a body of that schema becomes the response. */
interface Read {
  readonly args: readonly string[];
  readonly schema: Schema;
  readonly serve: (body: unknown) => void;
}

describe('rule: untrusted texts stay texts, in every format of every read', () => {
  const now = session();
  const formats = ['table', 'json', 'ndjson', 'csv', 'md'] as const;

  const reads: Read[] = [
    ...Object.values(resources).map(({ path: name, response }): Read => {
      const given: Readonly<Record<string, string>> = { answer: 'r1', url: 'https://example.com/a' };
      const args = name in given ? [name, given[name]!] : [commandOf(name)];
      return {
        args,
        schema: response,
        serve: (body) => now.server.serve(name as ResourceName, body as never),
      };
    }),
    ...[...toolCommands, ['fact-check', runFactCheck.tool] as const].map(([command, tool]): Read => {
      const args = tool === runFactCheck.tool ? [command, '--run'] : [command];
      const schema = tools[tool].response as Schema;
      return { args, schema, serve: (body) => now.server.tools.serve(tool, body as never) };
    }),
  ];

  const links = (markdown: string) => [...markdown.matchAll(/(?<!\\)\]\(<?([^)>]*)/g)].map(([, to]) => to!);

  for (const { args, schema, serve } of reads) {
    it(`svc ${args.join(' ')}`, async () => {
      const body = bodyOf(schema, hostileTexts, true);
      serve(body);
      for (const format of formats) {
        const { stdout, stderr, code } = await svc([...args, '--format', format], now.env);
        expect(code, `${format}: ${stderr}`).to.equal(0);
        expect(stdout + stderr, format).to.not.match(steering);
        if (format === 'json') expect(JSON.parse(stdout)).to.deep.equal(body);
        if (format === 'md') for (const to of links(stdout)) expect(to).to.match(/^https?:/);
        if (format === 'csv') for (const cell of cellsOf(stdout)) expect(cell).to.not.match(/^[=+\-@\t\r]/);
      }
    });

    it(`svc ${args.join(' ')}, with unknown values in place of those of the contract`, async () => {
      serve(bodyOf(schema, hostileTexts, false));
      for (const format of formats) {
        const { stdout, stderr } = await svc([...args, '--format', format], now.env);
        expect(stdout + stderr, format).to.not.match(steering);
      }
    });

    it(`svc ${args.join(' ')}, on a terminal with colours and links`, async () => {
      serve(bodyOf(schema, hostileTexts, true));
      const { stdout, stderr } = await onTerminal(() => svc(args, { ...now.env, WT_SESSION: '1' }));
      for (const to of linksOf(stdout)) expect(to).to.match(/^https?:/);
      expect(withoutOwn(stdout + stderr)).to.not.match(steering);
    });

    it(`the message of a refusal: svc ${args.join(' ')}`, async () => {
      now.server.refuse({ status: 400, message: hostileTexts[1] });
      for (const format of ['table', 'json']) {
        const { stdout, stderr } = await svc([...args, '--format', format], now.env);
        const told = stdout + stderr;
        expect(told).to.contain('cmd|');
        expect(told).to.not.match(steering);
      }
    });
  }

  it('svc tools list', async () => {
    now.server.tools.listed = hostileTexts.map((text) => {
      const properties = { [text]: { type: 'string', description: text } };
      return { name: text, title: text, description: text, inputSchema: { type: 'object', properties } };
    });
    for (const format of formats) {
      const { stdout, stderr, code } = await svc(['tools', 'list', '--format', format], now.env);
      expect(code, stderr).to.equal(0);
      expect(stdout + stderr, format).to.not.match(steering);
      if (format === 'csv') for (const cell of cellsOf(stdout)) expect(cell).to.not.match(/^[=+\-@\t\r]/);
    }
  });

  it('csv has the bytes only with --raw', async () => {
    now.server.serve('sources', bodyOf(resources.sources.response, hostileTexts, true) as never);
    const { stdout } = await svc(['sources', '--format', 'csv', '--raw'], now.env);
    expect(cellsOf(stdout)).to.include.members([...hostileTexts]);
  });
});
