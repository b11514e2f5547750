import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

const RUNNING = Symbol.for('sotto.running-processes');
const { createContext } = vm;
/** The real function, even if a test replaces it. */
const { setImmediate } = globalThis;

/**
 * Jest environment of files with their own context. A failed test also shows the last output of the
 * processes that it runs.
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

  handleTestEvent(event) {
    return observe(event, this.global);
  }
}

/** Observes the events of a file that runs with these globals. */
export async function observe(event, globals) {
  if (event.name === 'test_fn_failure') showProcesses(event.error, globals);
  // A rejection without a handler is known in the next turn. Jest would have ended the file by
  // then, and the process would end without results.
  if (event.name === 'run_describe_finish') await new Promise((resolve) => setImmediate(resolve));
}

/** Adds to the error of a failed test the last output of the processes that run. */
function showProcesses(error, globals) {
  if (typeof error?.stack !== 'string') return;
  const { message, stack } = error;
  const written = [...(globals[RUNNING] ?? [])].map(
    (child) => `\n\nThe end of what the ${child.name} has written:\n${child.lastWritten}`,
  );
  error.stack = stack.replace(message, () => message + written.join(''));
}
