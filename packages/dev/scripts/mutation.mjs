// Removes guards from the source, one at a time, and checks that a test fails each time.
//
// Usage: npm run mutation [-- --only NAME,NAME | --last] [--write]
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import isolated from './jest.isolated.mjs';
import { page } from './mutation/page.mjs';
import { LEFT_ALONE, subjects } from './mutation/subjects.mjs';
import { outdated, unexplained } from './mutation/survivors.mjs';
import { root, say } from './run.mjs';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    /**
     * Option `--last`: runs no tests, and prints the page from the stored results of the last run.
     */
    last: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const ALL_TESTS = 'test/all.spec.ts';
/**
 * Names of files that are not copied. Jest's settings are passed directly, because the settings
 * file of the package could not resolve its imports in the copy.
 */
const STAYS_BEHIND = /^(dist|node_modules|jest\.config\.mjs|test-results.*|\..*)$/;
const names = values.last ? [] : (values.only?.split(',') ?? subjects.map(({ name }) => name));
for (const name of names) {
  if (!subjects.some((subject) => subject.name === name)) {
    throw new Error(
      `no subject ${name}; there are ${subjects.map((subject) => subject.name).join(', ')}`,
    );
  }
}

/**
 * Expands the alternatives of a pattern. Each alternative must match a file, so that a renamed file
 * is not omitted without an error.
 */
const alternatives = (pattern) => {
  const [, before, chosen, after] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? [];
  return chosen === undefined
    ? [pattern]
    : chosen.split(',').flatMap((name) => alternatives(`${before}${name}${after}`));
};
for (const { name, package: folder, files } of subjects)
  for (const pattern of files.flatMap(alternatives))
    if (globSync(pattern, { cwd: join(root, 'packages', 'core', folder) }).length === 0)
      throw new Error(`${name}: no file of ${folder} matches ${pattern}`);

const kept = join(root, '.sotto', 'mutation');
mkdirSync(kept, { recursive: true });
// The run needs many minutes, so it has the lowest priority.
setPriority(19);
for (const subject of subjects.filter(({ name }) => names.includes(name))) {
  const result = await mutate(subject);
  writeFileSync(join(kept, `${subject.name}.json`), `${JSON.stringify(result)}\n`);
}

const results = subjects
  .filter(({ name }) => values.write || values.last || names.includes(name))
  .map(({ name }) => lastResult(name));
const made = await page(results);
if (values.write) writeFileSync(join(root, 'docs', 'measured', 'mutation.md'), made);
else console.log(made);

const open = results.flatMap(unexplained);
for (const { file, line, code, becomes } of open)
  say(`no test notices ${file}:${line} · ${code} → ${becomes}`);
// A reason is outdated only if no subject has the survivor that it explains. So this check is
// possible only if all subjects have run.
const over = results.length === subjects.length ? outdated(results) : [];
for (const { file, code, becomes } of over)
  say(`a reason for nothing: ${file} · ${code} → ${becomes}`);
process.exitCode = open.length + over.length > 0 ? 1 : 0;

/** Runs the tests of one package against each mutant of a subject, in a copy of the package. */
async function mutate({ name, package: folder, files, leaveOut }) {
  say(`${name}: mutants of ${folder}`);
  const copy = copyOf(join(root, 'packages', 'core', folder), leaveOut);
  process.chdir(copy);
  try {
    const mutants = await new Stryker({
      mutate: files,
      mutator: { excludedMutations: LEFT_ALONE },
      plugins: [fileURLToPath(import.meta.resolve('@stryker-mutator/jest-runner'))],
      testRunner: 'jest',
      testRunnerNodeArgs: ['--experimental-vm-modules', '--no-warnings'],
      coverageAnalysis: 'perTest',
      jest: {
        projectType: 'custom',
        config: {
          ...isolated,
          testEnvironment: fileURLToPath(import.meta.resolve('./mutation/ending-environment.mjs')),
          testMatch: [`<rootDir>/${ALL_TESTS}`],
          // The tests run on instrumented code at the lowest priority, so they need more time.
          testTimeout: 60_000,
        },
        enableFindRelatedTests: false,
      },
      concurrency: 1,
      // Node does not free the native modules of a run. After some hundred runs, the process would
      // reach its memory limit.
      maxTestRunnerReuse: 50,
      inPlace: true,
      reporters: ['progress-append-only'],
      allowConsoleColors: false,
    }).runMutationTest();
    return {
      name,
      on: new Date().toISOString().slice(0, 10),
      mutants: mutants.map((mutant) =>
        stored(mutant, join('packages', 'core', folder, relative(copy, mutant.fileName))),
      ),
    };
  } finally {
    process.chdir(root);
    rmSync(copy, { recursive: true, force: true });
  }
}

/**
 * Copies a package and imports all its tests in one file. So each mutant loads the modules once and
 * not once per file.
 */
function copyOf(folder, leaveOut) {
  const copy = mkdtempSync(join(tmpdir(), 'sotto-mutation-'));
  const parts = readdirSync(folder).filter((part) => !STAYS_BEHIND.test(part));
  for (const part of parts) cpSync(join(folder, part), join(copy, part), { recursive: true });
  symlinkSync(join(folder, 'node_modules'), join(copy, 'node_modules'));
  const tests = readdirSync(join(folder, 'test'), { recursive: true })
    .filter((file) => file.endsWith('.spec.ts') && !leaveOut.some((part) => file.startsWith(part)))
    .toSorted((one, other) => one.localeCompare(other));
  writeFileSync(
    join(copy, ALL_TESTS),
    tests.map((file) => `import './${file.replace(/ts$/, 'js')}';\n`).join(''),
  );
  return copy;
}

/**
 * Returns the data of a mutant that is stored: position, change and verdict. Lines and columns are
 * counted from 1.
 */
function stored({ fileName, location, mutatorName, replacement, status }, file) {
  const source = readFileSync(fileName, 'utf8').split('\n');
  const { start, end } = location;
  const lines = source.slice(start.line - 1, end.line);
  const last = lines.length - 1;
  lines[last] = lines[last].slice(0, end.column - 1);
  lines[0] = lines[0].slice(start.column - 1);
  return {
    file,
    line: start.line,
    /**
     * The whole first line of the mutated code, which distinguishes mutants whose code is equal.
     */
    within: oneLine(source[start.line - 1]),
    code: oneLine(lines.join(' ')),
    becomes: oneLine(replacement),
    mutator: mutatorName,
    status,
  };
}

function oneLine(text) {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function lastResult(name) {
  try {
    return JSON.parse(readFileSync(join(kept, `${name}.json`), 'utf8'));
  } catch (cause) {
    throw new Error(`${name} has not been run here yet: npm run mutation -- --only ${name}`, {
      cause,
    });
  }
}
