/** The table of docs/collecting.md that says how the answers of each engine can be had. */
import { engineAccess } from '../../src/collect/plan/engine-access.js';
import { code, table, withBlocks } from './markdown.js';

/** The text of docs/collecting.md with the table made anew. */
export const engineDocs = (text: string): string =>
  withBlocks('docs/collecting.md', text, new Map([['engines', engineTable()]]));

const engineTable = (): string =>
  table(
    ['engine', 'id', '`svc collect`', 'by', '`search`'],
    engineAccess.map(({ label, engine, protocols, through, search }) =>
      protocols.length === 0
        ? [label, code(engine), 'no: its vendor offers no API; import its answers', '', '']
        : [label, code(engine), protocols.map(code).join(', '), through, code(String(search))],
    ),
  );
