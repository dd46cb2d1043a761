/** Terminals that show OSC 8 links, by the variables that they set. */
const programs = ['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'Hyper', 'Tabby'];
const terminals = ['xterm-kitty', 'xterm-ghostty', 'alacritty', 'foot'];
/** The first VTE (GNOME Terminal, Tilix and others) with links is 0.50. */
const VTE_WITH_LINKS = 5000;

function showsLinks(): boolean {
  const { env, stdout } = process;
  if (!stdout.isTTY || env.TERM === 'dumb') return false;
  return (
    programs.includes(env.TERM_PROGRAM ?? '') ||
    terminals.includes(env.TERM ?? '') ||
    Number(env.VTE_VERSION) >= VTE_WITH_LINKS ||
    env.WT_SESSION !== undefined ||
    env.KONSOLE_VERSION !== undefined
  );
}

/** The normalized address; undefined unless it is HTTP or HTTPS, because other schemes may run code. */
export function webAddress(address: string | null | undefined): string | undefined {
  if (!address || !URL.canParse(address)) return undefined;
  const { protocol, href } = new URL(address);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}

/** The address for a link; undefined if the terminal shows no links or the address is not HTTP or HTTPS. */
export const linkable = (address: string | null | undefined): string | undefined =>
  showsLinks() ? webAddress(address) : undefined;

/** The text as an OSC 8 link. @param address A result of `linkable`, so without control characters. */
export const hyperlink = (address: string, text: string): string =>
  `\u001b]8;;${address}\u0007${text}\u001b]8;;\u0007`;
