/**
 * Draws docs/terminal.svg from a real run of the command:
 *
 *   SVC_URL=… SVC_API_KEY=… node scripts/terminal-picture.mjs
 *
 * The server is a demo, so that the picture shows the data which `npm start` serves.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const COLUMNS = 100;
const COMMANDS = ['overview', 'competitors'];
const CHARACTER = 8.4;
const LINE = 19;
const PADDING = 20;

const ESC = '\u001b';
/** Codes of a style, and the text up to the next ones. */
const STYLED = new RegExp(`(?:${ESC}\\[([\\d;]*)m)?([^${ESC}]*)`, 'g');
/** The beginning or the end of a link (OSC 8). */
const LINK = new RegExp(`${ESC}\\]8;.*?(?:${ESC}\\\\|\u0007)`, 'g');

const svc = fileURLToPath(new URL('../bin/run.js', import.meta.url));
const picture = fileURLToPath(new URL('../docs/terminal.svg', import.meta.url));

/** Attributes of SVG text for the codes of ANSI styles (ECMA-48) that the command prints. */
const STYLES = {
  1: { 'font-weight': 'bold' },
  2: { fill: '#8b949e' },
  31: { fill: '#ff7b72' },
  32: { fill: '#7ee787' },
  33: { fill: '#e3b341' },
  36: { fill: '#79c0ff' },
  90: { fill: '#8b949e' },
};

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** The parts of a line that have one style each. */
function* styledParts(line) {
  let style = {};
  for (const [, codes, text] of line.matchAll(STYLED)) {
    for (const code of codes === undefined ? [] : codes.split(';').map(Number)) {
      if (code === 0 || code === 39 || code === 22) style = {};
      else style = { ...style, ...STYLES[code] };
    }
    if (text !== '') yield { style, text };
  }
}

function textOf(line, row) {
  let column = 0;
  const parts = [...styledParts(line)].map(({ style, text }) => {
    const attributes = Object.entries(style).map(([name, value]) => ` ${name}="${value}"`);
    // Every part has its own place, because fonts differ in the width of symbols.
    const x = (PADDING + column * CHARACTER).toFixed(1);
    column += [...text].length;
    return `<tspan x="${x}"${attributes.join('')}>${escaped(text)}</tspan>`;
  });
  return `<text y="${PADDING + 34 + row * LINE}" xml:space="preserve">${parts.join('')}</text>`;
}

function run(command) {
  const env = { ...process.env, FORCE_COLOR: '1', COLUMNS: String(COLUMNS) };
  const { status, stdout, stderr } = spawnSync(process.execPath, [svc, command, '--format', 'table'], {
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`svc ${command}: ${stderr}`);
  return stdout.replace(LINK, '').trimEnd();
}

const lines = COMMANDS.flatMap((command) => [
  `${ESC}[32m$${ESC}[39m ${ESC}[1msvc ${command}${ESC}[22m`,
  ...run(command).split('\n'),
  '',
]).slice(0, -1);
const width = PADDING * 2 + COLUMNS * CHARACTER;
const height = PADDING * 2 + 24 + lines.length * LINE;
writeFileSync(
  picture,
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" fill="#e6edf3" role="img"><title>${COMMANDS.map((command) => `svc ${command}`).join(' and ')} in a terminal</title>
<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>
<g fill="#30363d"><circle cx="22" cy="20" r="6"/><circle cx="42" cy="20" r="6"/><circle cx="62" cy="20" r="6"/></g>
${lines.map(textOf).join('\n')}
</svg>
`,
);
console.log(picture);
