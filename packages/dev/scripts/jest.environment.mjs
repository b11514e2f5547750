import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

const RUNNING = Symbol.for('sotto.running-processes');
const { createContext } = vm;
/** The original function, stored here because a test may replace the global one. */
const { setImmediate } = globalThis;

/**
 * Jest environment for files with a separate context. The error of a failed test also contains the
 * last output of the child processes that run.
 */
export default class ShowingProcesses extends TestEnvironment {
  constructor(...args) {
    // Jest's own context intercepts each access to a global, which makes the access 30 times
    // slower.
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...args);
    } finally {
      vm.createContext = createContext;
    }
  }

  handleTestEvent(event) {
    return observe(event, this.global);
  }
}

/** Handles the events of a test file that runs with these globals. */
export async function observe(event, globals) {
  if (event.name === 'test_fn_failure') showProcesses(event.error, globals);
  // Node reports a rejection without a handler in the next tick. Without this wait, Jest would
  // already have ended the file, and the process would end without results.
  if (event.name === 'run_describe_finish') await new Promise((resolve) => setImmediate(resolve));
}

/** Adds the last output of the running child processes to the error of a failed test. */
function showProcesses(error, globals) {
  if (typeof error?.stack !== 'string') return;
  const { message, stack } = error;
  const written = [...(globals[RUNNING] ?? [])].map(
    (child) => `\n\nThe end of the output of the ${child.name}:\n${child.lastWritten}`,
  );
  error.stack = stack.replace(message, () => message + written.join(''));
}
