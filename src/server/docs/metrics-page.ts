/** The page with the definition of each number, as a page without scripts. */
import { type Described, describedGroups, labelled } from '../../contract/definitions/describe.js';
import { METRICS_VERSION } from '../../contract/versions.js';
import { documentOf, html, type Markup } from '../page/html.js';

/** Links are relative, so that the page works behind a proxy that adds a prefix. */
export function metricsPage(): string {
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
