/** The address of the page of a brand, relative to the server: what is told about a brand leads there. */
export { brandPath } from '../../contract/paths.js';

/** Parameters of a link; those that are undefined are left out. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/** The path with its query; unchanged without parameters. Commas stand as they are: links of many values stay short. */
export const withQuery = (path: string, query: Query): string => {
  const defined = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(defined.map(([name, value]) => [name, String(value)]))
    .toString()
    .replaceAll('%2C', ',');
  return text === '' ? path : `${path}?${text}`;
};
