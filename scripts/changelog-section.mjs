/**
 * Prints the section of a version from CHANGELOG.md, which is the text of its release: `node scripts/changelog-section.mjs
 * VERSION [FILE]`. Its heading is `## VERSION (DATE)`. Fails if there is none, or nothing under it.
 */
import { readFileSync } from 'node:fs';

/** The text under the heading of the version; undefined if there is no such heading. */
function sectionOf(text, version) {
  const parts = text.split(/^## /m).slice(1);
  const part = parts.find((each) => each.split(/[\s(]/, 1)[0] === version);
  return part?.slice(part.indexOf('\n')).trim();
}

const [version = '', file = 'CHANGELOG.md'] = process.argv.slice(2);
const section = sectionOf(readFileSync(file, 'utf8'), version);
if (section) console.log(section);
else {
  const fault =
    section === undefined ? `no section "## ${version}"` : `nothing in the section "## ${version}"`;
  console.error(`${file} has ${fault}.`);
  process.exitCode = 1;
}
