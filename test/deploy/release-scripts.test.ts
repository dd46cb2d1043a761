import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';

const root = join(import.meta.dirname, '../..');
const CHANGELOG = `# Changelog

Fields never change.

## 1.10.0 (2026-12-24)

Logs
- Added.

## 1.1.0 (2026-12-01)

- First line.
  ## not a heading

### Fixed
- Last line.

## 1.0.1
## 1.0.0 (2026-11-23)

- Begin.
`;

describe('the scripts of a release', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-release-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function ran(script: string, args: string[], env: Readonly<Record<string, string>> = {}) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts', script), ...args], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, ...env },
    });
    return { status, stdout, stderr };
  }
  function file(name: string, content: string): string {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  }

  it('print the section of a version from the changelog', () => {
    const changelog = file('CHANGELOG.md', CHANGELOG);
    expect(ran('changelog-section.mjs', ['1.10.0', changelog]).stdout).to.equal('Logs\n- Added.\n');
    expect(ran('changelog-section.mjs', ['1.1.0', changelog]).stdout).to.equal(
      '- First line.\n  ## not a heading\n\n### Fixed\n- Last line.\n',
    );
    expect(ran('changelog-section.mjs', ['1.0.0', changelog]).stdout).to.equal('- Begin.\n');
  });

  it('fail for a version that the changelog does not have, or that has nothing in it', () => {
    const changelog = file('CHANGELOG.md', CHANGELOG);
    for (const [version, fault] of [
      ['1.1', 'no section "## 1.1"'],
      ['', 'no section "## "'],
      ['1.0.1', 'nothing in the section "## 1.0.1"'],
    ] as const)
      expect(ran('changelog-section.mjs', [version, changelog])).to.deep.equal({
        status: 1,
        stdout: '',
        stderr: `${changelog} has ${fault}.\n`,
      });
  });

  it('write the place of the repository that the release is made in, and change nothing else', () => {
    const before = readFileSync(join(root, 'package.json'), 'utf8');
    const manifest = file('package.json', before);
    const env = { GITHUB_SERVER_URL: 'https://host.example', GITHUB_REPOSITORY: 'owner/name.x' };
    expect(ran('set-repository.mjs', [manifest], env)).to.include({ status: 0, stderr: '' });
    const { repository, homepage, bugs, ...rest } = JSON.parse(readFileSync(manifest, 'utf8'));
    expect({ repository, homepage, bugs }).to.deep.equal({
      repository: { type: 'git', url: 'git+https://host.example/owner/name.x.git' },
      homepage: 'https://host.example/owner/name.x#readme',
      bugs: { url: 'https://host.example/owner/name.x/issues' },
    });
    const { repository: _, homepage: __, bugs: ___, ...was } = JSON.parse(before);
    expect(rest).to.deep.equal(was);
  });

  it('refuse to write a place that is none', () => {
    const manifest = file('package.json', '{}');
    for (const env of [
      {},
      { GITHUB_REPOSITORY: 'owner/name' },
      { GITHUB_SERVER_URL: 'https://host.example', GITHUB_REPOSITORY: 'name' },
      { GITHUB_SERVER_URL: 'http://host.example/x', GITHUB_REPOSITORY: 'owner/name' },
    ]) {
      const { status, stderr } = ran('set-repository.mjs', [manifest], env);
      expect([status, stderr.includes('must name a repository')]).to.deep.equal([1, true]);
    }
    expect(readFileSync(manifest, 'utf8')).to.equal('{}');
  });
});
