/** Markup: tagged templates that make preact elements, whose texts and attributes are escaped, and their HTML. */
import htm from 'htm';
import { type ComponentChildren, h, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** What can stand between two tags. */
export type Markup = ComponentChildren;

type Template = (strings: TemplateStringsArray, ...values: unknown[]) => VNode;

/** Markup from a template. Characters are written as they are: entities are not decoded. */
export const html: Template = (htm as unknown as { bind(make: typeof h): Template }).bind(h);

/** A document as HTML. */
export const documentOf = (root: VNode): string => `<!doctype html>\n${renderToString(root)}`;
