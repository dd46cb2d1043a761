/**
 * The help of `svc` itself. `bin/run.js` loads it instead of oclif, which is +100 % processor time per `svc --help`;
 * `help.ts` shows the same text where oclif is loaded already.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastDays } from '../contract/wording.js';
import { filled, OutputClosed, print, styled, takesColour } from './render/terminal.js';

// `bin/run.js` asks it first, and this file is bundled as one.
export { mayHaveKey } from './connection/folders.js';

/** What the help says about the program, as in package.json. */
export interface Program {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly oclif: { readonly bin?: string; readonly topics?: Topics };
}

/** The commands of the manifest by their ids. */
export interface Commands {
  readonly [id: string]: {
    readonly summary?: string | undefined;
    readonly hidden?: boolean | undefined;
    readonly inHelp?: HelpPlace | undefined;
  };
}

const examples: readonly Row[] = [
  ['login', 'store the address of a server and your key'],
  ['overview', `how visible your brand was in the ${lastDays}`],
  ['sources --limit 100 --format csv', 'the domains that answers cite, for a spreadsheet'],
];

/** The topics of package.json by their ids. */
export interface Topics {
  readonly [id: string]: {
    readonly description?: string | undefined;
    readonly inHelp?: HelpPlace | undefined;
  };
}

/** Where the help names a command or a topic. */
export interface HelpPlace {
  /** The title of the list. */
  readonly group: string;
  /** The number in the list; the same number in the order of names. */
  readonly place: number;
}

/** The titles of the lists, in their order. */
const groups = [
  ...['SETUP', 'VISIBILITY', 'CITATIONS', 'SHOPPING AND ADS', 'YOUR SITE', 'AGENTS AND SCRIPTS', 'SERVER'],
  'OTHER',
];

/** `answer-visibility/0.1.0 linux-x64 node-v20.20.2` */
const versionOf = ({ name, version }: Program): string =>
  `${name}/${version} ${process.platform}-${process.arch} node-${process.version}`;

/**
 * Prints the help of `svc`.
 * @param root The folder of the manifest of oclif.
 * @returns False: there is no manifest of this version, so that oclif must find the commands, or the help cannot be written,
 * which `main` reports when it tries again.
 */
export async function showRootHelp(root: string, program: Program): Promise<boolean> {
  const commands = commandsOf(root, program);
  if (commands === undefined) return false;
  // `print` rejects with the error of the write.
  process.stdout.on('error', () => {});
  try {
    await print(`${rootHelp(program, commands, versionOf(program))}\n`);
    return true;
  } catch (error) {
    return error instanceof OutputClosed;
  }
}

function commandsOf(root: string, { version }: Program): Commands | undefined {
  try {
    const manifest = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8'));
    return manifest.version === version ? manifest.commands : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The help of the program, drawn as oclif draws the help of commands.
 * @param version The line below VERSION.
 * @param width Columns of the terminal.
 */
export function rootHelp(
  { description = '', oclif: { bin = '', topics = {} } }: Program,
  commands: Commands,
  version: string,
  width = columns(),
): string {
  const named = entries(commands, topics);
  const lists = groups.flatMap((title) => {
    const rows = named.filter(({ group }) => group === title).sort((a, b) => a.place - b.place);
    return rows.length === 0
      ? []
      : [
          section(
            title,
            list(
              rows.map(({ row }) => row),
              width,
            ),
          ),
        ];
  });
  const samples = examples.map(([args, does]): Row => [`$ ${bin} ${args}`, does]);
  const last = `\`${bin} COMMAND --help\` shows flags and examples.${below(commands, bin)}`;
  return [
    filled(description, width).join('\n'),
    section('EXAMPLES', list(samples, width)),
    section('VERSION', filled(version, width - INDENT)),
    section('USAGE', [`$ ${bin} [COMMAND]`]),
    ...lists,
    filled(last, width).join('\n'),
  ].join('\n\n');
}

/** A command or topic as the help names it. */
interface Entry extends HelpPlace {
  /** The first word, and the first line about it. */
  readonly row: Row;
}

/** The commands and topics by their first word, sorted. A word that is both is described as a command. */
function entries(commands: Commands, topics: Topics): Entry[] {
  const visible = Object.entries(commands).filter(([, { hidden }]) => !hidden);
  const hasCommands = (topic: string) => visible.some(([id]) => id.startsWith(`${topic}:`));
  const named = new Map(
    [
      ...Object.entries(topics).filter(([topic]) => hasCommands(topic)),
      ...visible.map(([id, { summary, inHelp }]) => [id, { description: summary, inHelp }] as const),
    ].filter(([name]) => !name.includes(':')),
  );
  return [...named]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { description = '', inHelp = { group: 'OTHER', place: 0 } }]) => ({
      row: [name, description.split('\n')[0]!],
      ...inHelp,
    }));
}

/** The commands below those first words that are commands themselves. */
function below(commands: Commands, bin: string): string {
  const ids = Object.keys(commands)
    .filter((id) => !commands[id]!.hidden)
    .sort();
  const names = ids.filter((id) => id.includes(':') && ids.includes(id.slice(0, id.indexOf(':'))));
  const shown = names.map((id) => `\`${bin} ${id.replaceAll(':', ' ')}\``);
  return shown.length === 0 ? '' : ` Commands below: ${shown.join(', ')}.`;
}

/** The width of the terminal, as oclif takes it. */
function columns(): number {
  const stated = Number.parseInt(process.env.OCLIF_COLUMNS ?? '', 10);
  const { isTTY, columns } = process.stdout;
  return stated || (isTTY && columns > 0 ? Math.max(columns, 40) : 80);
}

// Sections and lists of a help, drawn as oclif draws those of commands.

type Row = readonly [name: string, description: string];

/** Columns before each line of a section. */
const INDENT = 2;
/** A row with more lines is too narrow to read. */
const MAX_LINES = 5;

/** A heading with indented lines. */
const section = (title: string, lines: readonly string[]): string =>
  [heading(title), ...lines.map((line) => (line === '' ? '' : ' '.repeat(INDENT) + line))].join('\n');

/** oclif draws bold headings only if both streams take colours. */
const heading = (title: string): string =>
  takesColour(process.stderr) ? styled(['bold'], title, process.stdout) : title;

/** Two columns, or names above their descriptions where the second column would be too narrow. */
export function list(rows: readonly Row[], width: number): string[] {
  const first = Math.max(...rows.map(([name]) => name.length)) + 2;
  const drawn = rows.map(([name, does]) => [name, filled(does, width - INDENT - first)] as const);
  if (drawn.some(([, lines]) => lines.length > MAX_LINES))
    return rows.flatMap(([name, does], at) => [
      ...(at === 0 ? [] : ['']),
      ...filled(name, width - INDENT),
      ...(does === '' ? [] : filled(does, width - 2 * INDENT)).map((line) => ' '.repeat(2 * INDENT) + line),
    ]);
  return drawn.flatMap(([name, [line = '', ...more]]) => [
    (name.padEnd(first) + line).trimEnd(),
    ...more.map((each) => ' '.repeat(first) + each),
  ]);
}
