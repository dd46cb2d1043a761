/** Which paths are pages, as people and answers mean them. */

/** Paths of files that are no pages: a regular expression of JavaScript and of Postgres alike, case-insensitive. */
export const NO_PAGE =
  '\\.(?:css|js|mjs|map|json|xml|rss|atom|txt|png|jpe?g|gif|webp|avif|svg|ico|bmp|woff2?|ttf|otf|eot|mp4|webm|mp3|wasm|gz|zip)$|^/robots\\.txt|sitemap';

const noPage = new RegExp(NO_PAGE, 'i');

export const isPage = (path: string): boolean => !noPage.test(path);
