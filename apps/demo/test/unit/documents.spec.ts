import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { describeCommands } from '../../src/report.js';
import { packages, ROOT } from '../support/workspace.js';

/** Folder of those source files that define reasons of the submission machine. */
const APPLICATION = 'packages/core/submission-core/src/application';
const REASONS = [
  'packages/interface/facts/src/keeper.ts',
  `${APPLICATION}/ledger/ledger-judge.ts`,
  `${APPLICATION}/engine/submission-engine.ts`,
];

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const folders = readdirSync(join(ROOT, 'docs'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `docs/${name}`);
const documents = ['', 'docs', ...folders, ...packages].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);

/** Returns the targets of links inside the repository. */
function linksOf(markdown: string): readonly string[] {
  const withoutCode = markdown.replaceAll(/```[^]*?```/g, '').replaceAll(/`[^`\n]*`/g, '');
  return [...withoutCode.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

/** Returns the anchor that GitHub generates for a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

describe('the documents', () => {
  it('the list of documents contains every required document', () => {
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

  it('no document runs or installs a package of Sotto by its name, because no registry has the name', () => {
    const command =
      /\b(?:npx|bunx|pnpx|npm (?:i|install|exec|init)|(?:pnpm|yarn|bun) (?:add|dlx|create))\b[^\n`]*/g;
    const named = documents.flatMap((path) =>
      // A filter selects a package of this workspace.
      [
        ...read(path)
          .replaceAll(/--filter[ =]\S+/g, '')
          .matchAll(command),
      ]
        .filter(([text]) => /\s(?:@sotto\/|sotto)[\w@.-]*(?:\s|$)/.test(text))
        .map(([text]) => `${path}: ${text}`),
    );
    expect(named).toEqual([]);
    const commands = documents.flatMap((path) => read(path).match(command) ?? []);
    expect(commands.length).toBeGreaterThan(10);
  });

  it.each(documents)('the document contains no broken link: %s', (path) => {
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
  ])('the document mentions only existing settings and codes: %s', (path) => {
    const references = ['configuration', 'errors', 'cli'].map(
      (name) => `docs/reference/${name}.md`,
    );
    const known = [...references, ...REASONS].map(read).join('\n');
    const names = [...read(path).matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g)].map(
      ([, name = '']) => name,
    );
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(known))).toEqual([]);
  });
});

describe('the README', () => {
  const readme = read('README.md');

  it('the README has at most 80 lines', () => {
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(80);
  });

  it('the README contains the commands that the demonstration prints', () => {
    const printed = describeCommands({
      baseUrl: 'http://127.0.0.1:3000',
      withdrawalFile: '.sotto/withdrawal.json',
      submissionPath: '/api/relayer/submissions/id',
      tokens: { curator: '$(cat .sotto/curator-token)', operator: '$(cat .sotto/operator-token)' },
    }).split('\n');
    const shown = readme.split('\n').filter((line) => line.startsWith('curl '));
    expect(shown.length).toBeGreaterThan(0);
    expect(printed).toEqual(expect.arrayContaining(shown));
  });
});

describe('docs/architecture.md', () => {
  const architecture = read('docs/architecture.md');

  it.each(packages)('the table of docs/architecture.md has a link to the package %s', (path) => {
    expect(architecture).toContain(`[${path}](../${path})`);
  });

  it('the diagram of docs/architecture.md contains all imports between directories', () => {
    const [picture = ''] = [...architecture.matchAll(/```mermaid\n([^]*?)```/g)]
      .map(([, text = '']) => text)
      .filter((text) => text.includes('development'));
    const drawn = [...picture.matchAll(/^ +(\w+)(?:\[.*\])? --> (\w+)/gm)].map(
      ([, from = '', to = '']) => `${from} → ${to}`,
    );
    expect(drawn.toSorted()).toEqual([...importsBetweenDirectories()].toSorted());
    // In this order every arrow points downwards, which proves that there is no cycle.
    const order = ['development', 'apps', 'relayer', 'adapters', 'core', 'platform', 'proof'];
    const heightOf = (name = ''): number =>
      [...order, 'wallet', 'interface', 'kernel', 'facts'].indexOf(name);
    const upwards = drawn.filter((arrow) => {
      const [from, to] = arrow.split(' → ');
      return heightOf(from) < 0 || heightOf(from) >= heightOf(to);
    });
    expect(upwards).toEqual([]);
  });
});

describe('docs/one-withdrawal.md', () => {
  const page = read('docs/one-withdrawal.md');
  const rows = [...page.matchAll(/^\| \d+ +\| `([\w.#]+)` +\| .* \| `([\w./-]+)` +\|$/gm)].map(
    ([, name = '', file = '']) => ({ name, file }),
  );

  it.each(rows)(
    'the function $name of docs/one-withdrawal.md is declared in $file',
    ({ name, file }) => {
      const stands = existsSync(join(ROOT, file)) && declares(file, name);
      // If the named file does not declare the function, the test searches all packages for the
      // function.
      const sources = stands ? [file] : packages.flatMap((path) => sourcesOf(path));
      expect(sources.filter((source) => declares(source, name))).toEqual([file]);
    },
  );

  it('docs/one-withdrawal.md states the right numbers of functions and files', () => {
    const count = (listed: readonly (typeof rows)[number][]): string =>
      [
        new Set(listed.map(({ name, file }) => `${file} ${name}`)).size,
        new Set(listed.map(({ file }) => file)).size,
      ].join(' in ');
    const wire = rows.findIndex(({ name }) => name === 'AxiosHttpClient.post');
    const said = [...page.matchAll(/(\d+) (?:functions )?in (\d+)(?: files)?/g)].map(
      ([, functions, files]) => `${functions} in ${files}`,
    );
    expect(page.match(/^\| \d+ /gm)).toHaveLength(rows.length);
    expect(said).toEqual([count(rows.slice(0, wire + 1)), count(rows)]);
  });

  it('the list of functions in docs/one-withdrawal.md includes all twelve functions of the page’s table of rules', () => {
    const rules = [...page.matchAll(/^\| [^|]+\? +\| `([\w.#]+)` +\|/gm)].map(([, name]) => name);
    expect(rules).toHaveLength(12);
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(rules));
  });
});

/**
 * Returns true if a file declares a function or class member of this name, with parameters or as a
 * value.
 */
function declares(file: string, name: string): boolean {
  const [member = '', holder] = name.split('.').toReversed();
  const source = read(file);
  return (
    new RegExp(`^(?: {2}|.*\\bfunction )?(?:\\w+ )*${member}(?:[(<:]| = )`, 'm').test(source) &&
    (holder === undefined || new RegExp(`\\bclass ${holder}\\b`).test(source))
  );
}

/** Returns the box of a package in the diagram. */
function boxOf(path: string): string {
  if (/^apps\/(?:demo|wallet-page)$/.test(path)) return 'development';
  if (path.startsWith('apps/')) return 'apps';
  if (path === 'packages/core/kernel') return 'kernel';
  if (path === 'packages/interface/facts') return 'facts';
  return /^packages\/(?!dev\/)(\w+)/.exec(path)?.[1] ?? 'development';
}

/** Returns the imports between two boxes, as found in the source files, as `from → to`. */
function importsBetweenDirectories(): ReadonlySet<string> {
  const pathOf = new Map(
    packages.map((path) => [String(JSON.parse(read(`${path}/package.json`)).name), path]),
  );
  const arrows = packages.flatMap((path) =>
    sourcesOf(path).flatMap((file) =>
      [...read(file).matchAll(/(?:from|import\() ?'(@sotto\/[\w-]+)/g)].map(([, name = '']) => {
        const target = pathOf.get(name);
        if (target === undefined) throw new Error(`${file} imports ${name}, which is no package`);
        return [boxOf(path), boxOf(target)] as const;
      }),
    ),
  );
  return new Set(arrows.filter(([from, to]) => from !== to).map((arrow) => arrow.join(' → ')));
}

/** Returns the source files of a package without its test doubles. */
function sourcesOf(path: string): readonly string[] {
  const folder = join(ROOT, path, 'src');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('testing/'))
    .map((file) => join(path, 'src', file));
}

/**
 * Returns the programs in fenced code blocks. JSON blocks are omitted, because they are responses.
 */
const programsOf = (markdown: string): readonly string[] =>
  [...markdown.matchAll(/^```(?!json)\w+[^\n]*\n([^]*?)^```$/gm)].map(([, code = '']) => code);

describe('the examples of proofs', () => {
  const sources = ['apps/wallet-page/src', 'apps/demo/src/wallet', 'packages/wallet/wallet/src']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        join(folder, name),
      ),
    )
    .filter((path) => /\.tsx?$/.test(path));
  const programs = [...documents.flatMap((path) => programsOf(read(path))), ...sources.map(read)];

  it('the examples of proofs use feeAmount instead of feeSats', () => {
    expect(programs.filter((code) => /feeAmount: (BigInt\(|\d)/.test(code)).length).toBeGreaterThan(
      2,
    );
    expect(programs.filter((code) => /\bfeeSats\b/.test(code))).toEqual([]);
  });
});
