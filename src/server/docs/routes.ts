/** GET /docs: the page that shows the OpenAPI document, and its files; /docs/metrics: definitions. They need no key. */
import { definitionsDocument } from '../../contract/definitions/describe.js';
import { DOCS_PATH, METRICS_DOCS_PATH } from '../../contract/paths.js';
import { requireRead } from '../http/methods.js';
import { serveStatic } from '../http/static-file.js';
import type { Context, Handler } from '../state.js';
import { asset } from './assets.js';
import { metricsPage } from './metrics-page.js';
import { metricsStyle } from './metrics-style.js';
import { page, pageScript, pageStyle } from './page.js';

const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const PAGE_HEADERS = { 'Content-Security-Policy': CSP, 'Referrer-Policy': 'no-referrer' };
const PAGE = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

export function docsRoutes(): [path: string, Handler][] {
  const servePage = serveStatic(PAGE, () => page, PAGE_HEADERS);
  const serveMetrics = serveStatic(PAGE, metricsPage, PAGE_HEADERS);
  return [
    [DOCS_PATH, (ctx) => (ctx.path === DOCS_PATH ? servePage(ctx) : toPage(ctx))],
    [METRICS_DOCS_PATH, (ctx) => (ctx.path === METRICS_DOCS_PATH ? serveMetrics(ctx) : toPage(ctx))],
    [
      `${METRICS_DOCS_PATH}.json`,
      serveStatic('application/json', () => JSON.stringify(definitionsDocument())),
    ],
    [`${METRICS_DOCS_PATH}.css`, serveStatic(STYLE, () => metricsStyle)],
    [`${DOCS_PATH}/page.js`, serveStatic(SCRIPT, () => pageScript)],
    [`${DOCS_PATH}/page.css`, serveStatic(STYLE, () => pageStyle)],
    ...['swagger-ui-bundle.js', 'swagger-ui.css'].map((name): [string, Handler] => [
      `${DOCS_PATH}/${name}`,
      serveStatic(name.endsWith('.js') ? SCRIPT : STYLE, () => asset(name)),
    ]),
  ];
}

/** The relative links of a page are wrong below a path that ends with a slash. */
function toPage(ctx: Context): void {
  requireRead(ctx);
  ctx.status = 308;
  ctx.set('Location', `../${ctx.path.split('/').at(-2)}`);
  ctx.body = '';
}
