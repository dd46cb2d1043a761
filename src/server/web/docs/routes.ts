/** GET /docs: the page that shows the OpenAPI document, and its files; /docs/metrics: definitions. They need no key. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Described,
  definitionsDocument,
  describedGroups,
  labelled,
} from '../../../contract/explanations.js';
import { mcpServer } from '../../../contract/mcp.js';
import { DOCS_PATH, METRICS_DOCS_PATH, OPENAPI_PATH } from '../../../contract/paths.js';
import { METRICS_VERSION } from '../../../contract/versions.js';
import { serveStatic } from '../http/response.js';
import { requireRead } from '../http/routing.js';
import { documentOf, html, type Markup } from '../page/html.js';
import type { Context, Handler } from '../state.js';

// The files of swagger-ui that the page loads. The build copies them, so that the package does not depend on it.

const built = join(import.meta.dirname, 'assets');

/**
 * The content of a file of swagger-ui: the copy of the build, or the installed one when the server runs from its sources.
 * @throws If it is at neither place.
 */
function asset(name: string): Buffer {
  const copy = join(built, name);
  if (existsSync(copy)) return readFileSync(copy);
  const installed = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
  return readFileSync(join(installed, name));
}

// The page that shows the OpenAPI document, as a page without inline scripts and styles.

/** Paths are relative, so that the page works behind a proxy that adds a prefix. */
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${mcpServer.name} REST API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/page.css">
</head>
<body>
<nav><a href="${METRICS_DOCS_PATH.slice(1)}">What each number means</a></nav>
<div id="docs"></div>
<noscript>This page needs JavaScript. The document that it shows is <a href="${OPENAPI_PATH.slice(1)}">${OPENAPI_PATH.slice(1)}</a>.</noscript>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/page.js"></script>
</body>
</html>
`;

const pageStyle = `body { margin: 0; background: #fafafa; }
nav { max-width: 1460px; margin: 0 auto; padding: 16px 20px 0; font: 16px/1.5 sans-serif; }
`;

/** Keys are not kept in the browser, and the document is not sent to a validator. */
const pageScript = `SwaggerUIBundle({
  url: '${OPENAPI_PATH.slice(1)}',
  dom_id: '#docs',
  deepLinking: true,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

const metricsStyle = `:root { color-scheme: light dark; }
body { max-width: 60rem; margin: 0 auto; padding: 1rem; font: 16px/1.5 system-ui, sans-serif; }
nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; }
h2 { margin: 2.5rem 0 0; }
article { padding: 1rem 0; border-bottom: 1px solid #8884; }
h3, article p { margin: 0 0 0.5rem; }
h3 a { color: inherit; text-decoration: none; }
article:target { background: #8882; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.15rem 1rem; margin: 0; }
dt { opacity: 0.75; }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
ul { margin: 0; padding: 0; list-style: none; }
li span { opacity: 0.75; }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr; } dt { margin-top: 0.5rem; } }
`;

// The page with the definition of each number, as a page without scripts.

/** Links are relative, so that the page works behind a proxy that adds a prefix. */
function metricsPage(): string {
  const groups = describedGroups();
  return documentOf(html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>Metrics</title>
      <link rel="icon" href="data:," />
      <link rel="stylesheet" href="metrics.css" />
    </head>
    <body>
      <header>
        <h1>Metrics</h1>
        <p>
          What each number of the API means and how it is computed, in version ${METRICS_VERSION} of the formulas.${' '}
          <a href="metrics.json">These definitions as JSON</a>. <a href="../docs">The API</a>.
        </p>
        <nav>${groups.map(({ id, title }) => html`<a href=${`#${id}`}>${title}</a> `)}</nav>
      </header>
      <main>
        ${groups.map(
          ({ id, title, definitions }) =>
            html`<section id=${id}><h2>${title}</h2>${definitions.map(definitionOf)}</section>`,
        )}
      </main>
    </body>
  </html>`);
}

const definitionOf = (definition: Described): Markup => html`<article id=${anchorOf(definition)}>
  <h3><a href=${`#${anchorOf(definition)}`}><code>${definition.name}</code></a></h3>
  <p>${definition.what}</p>
  <dl>
    ${labelled(definition).map(([label, text]) => html`<dt>${label}</dt><dd>${text}</dd>`)}
    <dt>in</dt>
    <dd>
      <ul>${definition.fields.map(
        ({ read, field, description }) =>
          html`<li><b>${read}</b> <code>${field}</code> <span>${description}</span></li>`,
      )}</ul>
    </dd>
  </dl>
</article>`;

/** Groups and definitions share the anchors of the page. */
const anchorOf = ({ group, name }: Described): string => `${group}.${name}`;

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
