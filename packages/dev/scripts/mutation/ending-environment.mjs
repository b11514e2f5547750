import { createRequire } from 'node:module';
import { join } from 'node:path';

// Resolves Jest's own environment from jest, because pnpm links only a package's direct
// dependencies.
const via = ['jest', '@jest/core', 'jest-config', 'jest-environment-node'];
const path = via.reduce(
  (from, name) => createRequire(from).resolve(name),
  join(process.cwd(), 'package.json'),
);
const { TestEnvironment } = createRequire(import.meta.url)(path);

/**
 * Jest environment that skips all tests after the first failure. One failure is sufficient to kill
 * a mutant.
 */
export default class EndingEnvironment extends TestEnvironment {
  #failed = false;

  handleTestEvent({ name, test }) {
    if (name === 'test_done') this.#failed ||= test.errors.length > 0;
    if (name === 'test_start' && this.#failed) test.mode = 'skip';
  }
}
