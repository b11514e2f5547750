import { TestEnvironment } from 'jest-environment-node';

const RUNNING = Symbol.for('sotto.running-processes');

/** Says below a test that fails what the processes that it runs have written last. */
export default class ShowingProcesses extends TestEnvironment {
  handleTestEvent({ name, test }) {
    if (name !== 'test_fn_failure') return;
    for (const child of this.global[RUNNING] ?? [])
      console.error(`${test.name}: the end of what the ${child.name} wrote\n${child.lastWritten}`);
  }
}
