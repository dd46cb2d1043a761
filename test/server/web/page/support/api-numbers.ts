/** Compares the numbers of a page with those of the API. */
import { expect } from 'chai';
import type { Read } from '../../../../../src/contract/read.js';
import { type ReadName, reads } from '../../../../../src/contract/registry.js';
import type { TestServer } from '../../../../support/server.js';
import { call, STRUCTURED } from '../../mcp/support/rpc.js';
import { type DataElement, valueAt } from './data-elements.js';

/** The fields whose rows a page names without the name of the list. */
const ROWS: Partial<Record<ReadName, string>> = {
  history: 'series',
  'content-coverage': 'prompts',
  crawlers: 'agents',
  fanouts: 'fanouts',
  gaps: 'gaps',
  referrals: 'referrals',
};

/** The read that the name of a field begins with. */
export const readOf = (field: string): ReadName =>
  (Object.keys(reads) as ReadName[]).find((name) => field.startsWith(`${name}.`))!;

export interface ApiNumbers {
  /** Fails unless the number is that of its field in the response of its source. */
  expectTrue(element: DataElement): Promise<void>;
}

export function apiNumbers(server: TestServer): ApiNumbers {
  const bodies = new Map<string, Promise<unknown>>();
  const bodyOf = (source: string): Promise<unknown> => {
    const known = bodies.get(source);
    const body = known ?? (source.startsWith('tool:') ? toolBody(source) : server.read(source));
    bodies.set(source, body);
    return body;
  };

  async function toolBody(source: string): Promise<unknown> {
    const [tool = '', query] = source.slice('tool:'.length).split('?');
    const { brand: brand_id, ...rest } = Object.fromEntries(new URLSearchParams(query));
    const result = await call(server, tool, { brand_id, ...rest }, { headers: STRUCTURED });
    return result.structuredContent ?? JSON.parse((result.content as { text: string }[])[0]!.text);
  }

  async function expectTrue({ field, value, source, text }: DataElement): Promise<void> {
    const name = readOf(field);
    const { rows = ROWS[name] }: Read = reads[name];
    expect(source, field).to.be.a('string');
    const found = valueAt(await bodyOf(source!), field.slice(name.length + 1), rows ?? ROWS[name]);
    expect(found, `${field} of ${source}`).to.be.a('number');
    expect(value, `${field} of ${source}`).to.equal(String(found));
    expect(text, field).to.match(/\d/);
  }

  return { expectTrue };
}
