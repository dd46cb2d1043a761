/**
 * Writes `repository`, `homepage` and `bugs` to package.json: `node scripts/set-repository.mjs [FILE]`. They are of the
 * repository that a release is made in, which the workflow states, so that no copy of the sources claims another place.
 * Trusted publishing compares `repository` with the workflow. The package of the SDK takes them over when it is built.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const { GITHUB_SERVER_URL: server = '', GITHUB_REPOSITORY: repository = '' } = process.env;
const [file = 'package.json'] = process.argv.slice(2);
if (/^https:\/\/[^/\s]+$/.test(server) && /^[\w.-]+\/[\w.-]+$/.test(repository)) {
  const url = `${server}/${repository}`;
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  const place = {
    repository: { type: 'git', url: `git+${url}.git` },
    homepage: `${url}#readme`,
    bugs: { url: `${url}/issues` },
  };
  writeFileSync(file, `${JSON.stringify({ ...manifest, ...place }, null, 2)}\n`);
} else {
  console.error(
    'GITHUB_SERVER_URL and GITHUB_REPOSITORY must name a repository: https://HOST and OWNER/NAME.',
  );
  process.exitCode = 1;
}
