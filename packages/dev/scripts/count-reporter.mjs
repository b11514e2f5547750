import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** Number of slowest tests per file whose durations are stored. */
const SLOWEST_TESTS = 3;

const SKIPPED = new Set(['pending', 'todo', 'skipped', 'disabled']);
/**
 * Patterns that find the reason for skipped tests: texts in titles, and the code with which test
 * files check whether a program is installed.
 */
const STATED = /not installed|SOTTO_\w+/;
const LOOKED_FOR = [
  [/findDevnet|describeOnDevnet|onDevnet|describeOnChain/, 'starknet-devnet is not installed'],
  [/withBrowser|inBrowser|support\/browser/, 'no browser is installed'],
  [/findPostgres|test-postgres/, 'PostgreSQL is not installed'],
  [/openssl|canCertify/i, 'openssl is not installed'],
  [/hasHelm/, 'not installed: helm'],
  [/hasPromtool/, 'not installed: promtool'],
  [/[cC]ompilers?\b/, 'a compiler is not installed'],
];

/**
 * Returns the reason why tests of a file were skipped: their title, the check in the file, or the
 * name of their suite.
 */
export function reasonOf(ancestorTitles, source) {
  const stated = ancestorTitles.find((title) => STATED.test(title));
  if (stated !== undefined) return stated;
  const [, reason] = LOOKED_FOR.find(([pattern]) => pattern.test(source)) ?? [];
  return reason ?? `“${ancestorTitles[0] ?? 'a test'}”, by its own condition`;
}

/**
 * Jest reporter that writes the counts of a run to the package's folder, where they are summed over
 * all suites. The file also contains the titles and duration of each test file, the slowest tests,
 * the failures, and the reasons of skipped tests.
 */
export class CountReporter {
  #rootDir;
  #file;

  constructor({ rootDir }, { file = 'test-results.json' } = {}) {
    this.#rootDir = rootDir;
    this.#file = join(rootDir, file);
  }

  onRunComplete(_contexts, results) {
    const counts = {
      passed: results.numPassedTests,
      // A file that cannot be loaded has no tests to count, but is still a failure.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
      skippedBy: skippedBy(results.testResults),
      files: results.testResults.map((result) => this.#resultOf(result)),
    };
    writeFileSync(this.#file, `${JSON.stringify(counts)}\n`);
  }

  #resultOf({ testFilePath, perfStats, testResults, failureMessage }) {
    const tests = testResults
      .map(({ fullName, duration }) => ({ title: fullName, ms: Math.round(duration ?? 0) }))
      .toSorted((one, other) => other.ms - one.ms);
    return {
      file: relative(this.#rootDir, testFilePath),
      ms: Math.round(perfStats.runtime ?? 0),
      tests: tests.length,
      slowest: tests.slice(0, SLOWEST_TESTS),
      titles: testResults.map(({ fullName }) => fullName),
      failure: stripVTControlCharacters(failureMessage ?? '').trim(),
    };
  }
}

/** Counts skipped tests by their reason. */
function skippedBy(files) {
  const counts = {};
  for (const { testFilePath, testResults } of files) {
    const skipped = testResults.filter(({ status }) => SKIPPED.has(status));
    if (skipped.length === 0) continue;
    const source = readFileSync(testFilePath, 'utf8');
    for (const { ancestorTitles } of skipped) {
      const reason = reasonOf(ancestorTitles, source);
      counts[reason] = (counts[reason] ?? 0) + 1;
    }
  }
  return counts;
}

export { CountReporter as default };
