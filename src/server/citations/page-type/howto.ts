import type { Page } from './page.js';

const SECTION = /^\/(?:[^/]+\/){0,2}(?:how-?to|tutorials?)\/[^/]/;

const PHRASES: readonly RegExp[] = [
  /\bhow to \S/,
  /\btutorials?\b/,
  /\bgetting started\b/,
  /\bstep by step\b/,
  /\bwalkthrough\b/,
  /\bbest practices?\b/,
  /\b(?:beginners?|beginner friendly|complete|ultimate|definitive|essential|practical|comprehensive|quick|quickstart|setup|installation) guide\b/,
  /^(?:(?:a|an|the|your) )?guide to \S/,
  /\b(?:anleitung|schritt für schritt|schritt fuer schritt|tutoriel|paso a paso|pas à pas)\b/,
];

export function isHowto(page: Page): boolean {
  return (
    SECTION.test(page.path) || page.phrases.some((phrase) => PHRASES.some((pattern) => pattern.test(phrase)))
  );
}
