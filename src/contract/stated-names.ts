/** Names and sites as people type them. */

export interface Rival {
  readonly name: string;
  readonly domain: string | null;
}

/** The host of a site that is stated as in an address bar, without `www.`, which its other hosts do not have. */
export const hostOf = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[/?#].*$/, '')
    .replace(/^www\.(?=.*\.)/, '');

/** `Stride`, `Stride=stride.example`, `Stride, stride.example` or `Stride stride.example` */
export function rivalOf(text: string): Rival {
  const [, name, site] = /^(.*?)\s*=([^=]*)$/.exec(text) ?? NAME_AND_SITE.exec(text.trim()) ?? [];
  if (name === undefined) return { name: text.trim(), domain: null };
  return { name: name.trim(), domain: hostOf(site!) };
}

const NAME_AND_SITE = /^(.*?[^\s,])[\s,]+((?:https?:\/\/)?[^\s,/]+\.\p{L}{2,}(?::\d+)?(?:\/\S*)?)$/iu;
