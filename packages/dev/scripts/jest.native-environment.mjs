import { createRequire } from 'node:module';
import ShowingProcesses, { observe } from './jest.environment.mjs';
import { keepState } from './jest.native-state.mjs';

const ofEnvironment = createRequire(import.meta.resolve('jest-environment-node'));
const { ModuleMocker } = ofEnvironment('jest-mock');
const { ModernFakeTimers } = ofEnvironment('@jest/fake-timers');

/**
 * Jest environment of test files that share their modules: the process itself, without a separate
 * context. Changes that a file makes in the process are undone when the file ends.
 */
class SharedEnvironment {
  /** True for this environment; undefined for environments with a separate context. */
  isShared = true;
  global = globalThis;
  fakeTimers = null;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimersModern;
  #conditions;
  #state = keepState();

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.#conditions = projectConfig.testEnvironmentOptions.customExportConditions;
  }

  exportConditions() {
    return this.#conditions;
  }

  getVmContext() {
    return null;
  }

  setup() {
    this.#state.undoJestsOwn();
  }

  /**
   * Keeps the globals and listeners that modules have added. Each module is loaded only once, so it
   * would not add them again for the next file.
   */
  loaded() {
    this.#state.keepAdditions();
  }

  teardown() {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    this.#state.restore();
  }

  handleTestEvent(event) {
    return observe(event, globalThis);
  }
}

/**
 * Returns the environment of one file: a separate context if the file's docblock has `@isolated`.
 */
export default function environmentOf(config, context) {
  const Environment = 'isolated' in context.docblockPragmas ? ShowingProcesses : SharedEnvironment;
  return new Environment(config, context);
}
