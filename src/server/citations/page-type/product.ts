import type { Page } from './page.js';

const PATHS: readonly RegExp[] = [
  /\/dp\/[a-z0-9]{10}(?:\/|$)/,
  /\/gp\/(?:product|aw\/d)\/[a-z0-9]{10}(?:\/|$)/,
  /\/itm\/(?:[^/]+\/)?\d+$/,
  /\/(?:item|listing)\/\d+/,
  /^\/(?:[^/]+\/){0,2}(?:products?|produkte?|productos?|produits?|prodotti|prodotto)\/(?!(?:category|categories|page|tag|all|compare)(?:\/|$))[^/]/,
  /^\/(?:shop|store)\/(?!(?:category|categories|page|tag|cart|checkout|account)\/)[^/]+\/(?!page(?:\/|$))[^/]/,
];

/** Paths that mean a product only in a shop: on other sites `/p/` is a post. */
const RETAIL_PATHS: readonly RegExp[] = [
  /\/(?:p|ip|pdp|pd|prd)\/[^/]/,
  /\/\d+\.p$/,
  /\/(?:a-|prd-)\d+$/,
  /\/apps\/details$/,
  /\/app\/(?:[^/]+\/)?id\d+$/,
];

export function isProduct(page: Page): boolean {
  if (page.isArticle) return false;
  if (PATHS.some((path) => path.test(page.path))) return true;
  return page.isRetail && RETAIL_PATHS.some((path) => path.test(page.path));
}
