import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { describeCommands } from '../../src/report.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const areas = readdirSync(join(ROOT, 'packages')).map((area) => `packages/${area}`);
const packages = ['apps', ...areas].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .map((name) => `${folder}/${name}`)
    .filter((path) => existsSync(join(ROOT, path, 'package.json'))),
);
const folders = readdirSync(join(ROOT, 'docs'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `docs/${name}`);
const documents = ['', 'docs', ...folders, ...packages].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);

/** Targets of links, without those that lead out of the project. */
function linksOf(markdown: string): readonly string[] {
  const withoutCode = markdown.replaceAll(/```[^]*?```/g, '').replaceAll(/`[^`\n]*`/g, '');
  return [...withoutCode.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

/** GitHub's name of a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

describe('the documents', () => {
  it('are all there', () => {
    expect(documents).toEqual(
      expect.arrayContaining([
        'README.md',
        'CONTRIBUTING.md',
        'SECURITY.md',
        'docs/architecture.md',
        'docs/runbook.md',
      ]),
    );
    expect(documents.filter((path) => path.startsWith('docs/adr/')).length).toBeGreaterThanOrEqual(
      10,
    );
  });

  it.each(documents)('%s has no link that leads nowhere', (path) => {
    const broken = linksOf(read(path)).filter((link) => {
      const [target = '', anchor] = link.split('#');
      const file = target === '' ? join(ROOT, path) : resolve(ROOT, dirname(path), target);
      if (relative(ROOT, file).startsWith('..') || !existsSync(file)) return true;
      if (anchor === undefined) return false;
      const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(
        ([, heading = '']) => anchorOf(heading),
      );
      return !headings.includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  it.each([
    'README.md',
    'SECURITY.md',
    'docs/architecture.md',
    'docs/submission-machine.md',
    'docs/runbook.md',
  ])('%s names only settings and codes that exist', (path) => {
    const known = read('docs/reference/configuration.md') + read('docs/reference/errors.md');
    const names = [...read(path).matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g)].map(
      ([, name = '']) => name,
    );
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(known))).toEqual([]);
  });
});

describe('the README', () => {
  const readme = read('README.md');

  it.each(packages)('has %s in its map, under the right path', (path) => {
    expect(readme).toContain(`[${path}](${path})`);
  });

  it('shows the commands that the demonstration prints', () => {
    const printed = describeCommands(
      'http://127.0.0.1:3000',
      '.sotto/withdrawal.json',
      '/api/relayer/submissions/id',
    ).split('\n');
    const shown = readme.split('\n').filter((line) => line.startsWith('curl '));
    expect(shown.length).toBeGreaterThan(0);
    expect(printed).toEqual(expect.arrayContaining(shown));
  });
});
