import { integer, string } from '@oclif/core/flags';
import { MCP_PATH } from '../../contract/mcp.js';
import { API_ROOT, DOCS_PATH } from '../../contract/paths.js';

export const listenFlags = {
  port: integer({ description: 'Port to listen on (default 8080); 0: any free one', min: 0, max: 65_535 }),
  host: string({ description: 'Address to listen on (default 127.0.0.1)', helpValue: 'ADDRESS' }),
};

/** A label and what stands behind it; a line without a label continues the one above. */
export type WelcomeRow = readonly [label: string, text: string];

/** What a server prints when it listens. Scripts wait for the first line. */
export const welcome = (url: string, rows: readonly WelcomeRow[]): string =>
  [
    `svc listening on ${url}`,
    '',
    ...rows.map(([label, text]) => `  ${label.padEnd(10)} ${text}`),
    '',
    '',
  ].join('\n');

/** The endpoints for programs, and the page that describes them. */
export const endpointRows = (url: string): WelcomeRow[] => [
  ['REST API', url + API_ROOT],
  ['docs', url + DOCS_PATH],
  ['MCP', url + MCP_PATH],
];
