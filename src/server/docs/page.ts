/** The page that shows the OpenAPI document, as a page without inline scripts and styles. */
import { mcpServer } from '../../contract/mcp.js';
import { METRICS_DOCS_PATH, OPENAPI_PATH } from '../../contract/paths.js';

/** Paths are relative, so that the page works behind a proxy that adds a prefix. */
export const page = `<!doctype html>
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

export const pageStyle = `body { margin: 0; background: #fafafa; }
nav { max-width: 1460px; margin: 0 auto; padding: 16px 20px 0; font: 16px/1.5 sans-serif; }
`;

/** Keys are not kept in the browser, and the document is not sent to a validator. */
export const pageScript = `SwaggerUIBundle({
  url: '${OPENAPI_PATH.slice(1)}',
  dom_id: '#docs',
  deepLinking: true,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;
