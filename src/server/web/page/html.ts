/** Markup: tagged templates that make preact elements, whose texts and attributes are escaped, and their HTML. */
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** What can stand between two tags. */
export type Markup = ComponentChildren;

/** Markup from a template. Characters are written as they are: entities are not decoded. */
export { html } from 'htm/preact';

export const documentOf = (root: VNode): string => `<!doctype html>\n${renderToString(root)}`;
