import { TestEnvironment } from 'jest-environment-node';

const RUNNING = Symbol.for('sotto.running-processes');

/** A test that fails says besides what the processes that it runs have written last. */
export default class ShowingProcesses extends TestEnvironment {
  handleTestEvent({ name, error }) {
    if (name !== 'test_fn_failure' || typeof error?.stack !== 'string') return;
    const { message, stack } = error;
    const written = [...(this.global[RUNNING] ?? [])].map(
      (child) => `\n\nThe end of what the ${child.name} has written:\n${child.lastWritten}`,
    );
    error.stack = stack.replace(message, () => message + written.join(''));
  }
}
