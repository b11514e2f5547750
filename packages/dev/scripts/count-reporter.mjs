import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Jest reporter: leaves the counts of a run beside the package, for the sum over all suites. */
export class CountReporter {
  #file;

  constructor({ rootDir }, { file = 'test-results.json' } = {}) {
    this.#file = join(rootDir, file);
  }

  onRunComplete(_contexts, results) {
    const counts = {
      passed: results.numPassedTests,
      // A file that does not load has no tests to count, and is a failure all the same.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
    };
    writeFileSync(this.#file, `${JSON.stringify(counts)}\n`);
  }
}

export { CountReporter as default };
