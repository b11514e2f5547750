import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

const RUNNING = Symbol.for('sotto.running-processes');
const { createContext } = vm;

/**
 * Jest environment of all suites. A failed test also shows the last output of the processes that it
 * runs.
 */
export default class ShowingProcesses extends TestEnvironment {
  constructor(...args) {
    // Jest's own context intercepts each access to a global, which costs 30 times an ordinary one.
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...args);
    } finally {
      vm.createContext = createContext;
    }
  }

  handleTestEvent({ name, error }) {
    if (name !== 'test_fn_failure' || typeof error?.stack !== 'string') return;
    const { message, stack } = error;
    const written = [...(this.global[RUNNING] ?? [])].map(
      (child) => `\n\nThe end of what the ${child.name} has written:\n${child.lastWritten}`,
    );
    error.stack = stack.replace(message, () => message + written.join(''));
  }
}
