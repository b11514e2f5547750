import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** Of one file, how many tests are kept with their durations. */
const SLOWEST_TESTS = 3;

/**
 * Jest reporter: leaves the counts of a run beside the package, for the sum over all suites, with
 * the duration of each file and of its slowest tests, and what failed.
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
      // A file that does not load has no tests to count, and is a failure all the same.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
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
      failure: stripVTControlCharacters(failureMessage ?? '').trim(),
    };
  }
}

export { CountReporter as default };
