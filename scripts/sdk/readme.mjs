/**
 * The README of the package answer-visibility-sdk: the documentation of the SDK. Links to other documents become plain
 * text, because the package does not contain them.
 * @param {string} document The text of docs/sdk.md.
 */
export function readmeOf(document) {
  return document
    .replace(/^# .*$/m, '# answer-visibility-sdk')
    .replaceAll(/\[([^\]]+)\]\((?!https?:|#)[^)]*\)/g, '$1');
}
