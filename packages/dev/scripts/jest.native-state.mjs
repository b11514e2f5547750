/**
 * Global settings of Jest that a test file can change and that remain in the process after the
 * file.
 */
const JESTS_OWN = [
  'TEST_TIMEOUT_SYMBOL',
  'RETRY_TIMES',
  'RETRY_TIMES_SETTER',
  'RETRY_IMMEDIATELY',
  'WAIT_BEFORE_RETRY',
  'LOG_ERRORS_BEFORE_RETRY',
].map((name) => Symbol.for(name));

/** Events to which Jest listens while a file runs. Jest removes its listeners itself. */
const JESTS_EVENTS = new Set(['uncaughtException', 'unhandledRejection', 'rejectionHandled']);

const namesOf = (object) =>
  Object.getOwnPropertyNames(object).filter((name) => !name.startsWith('_'));
const descriptorsOf = (object) =>
  new Map(namesOf(object).map((name) => [name, Object.getOwnPropertyDescriptor(object, name)]));
const listenersOf = () =>
  new Map(process.eventNames().map((event) => [event, process.rawListeners(event)]));

/**
 * Records the state of the process that a test file may change: globals, environment variables,
 * listeners, the working directory, the exit code, and properties of `process`.
 */
export function keepState() {
  const environment = { ...process.env };
  const folder = process.cwd();
  const { exitCode } = process;
  const globals = descriptorsOf(globalThis);
  const ofProcess = descriptorsOf(process);
  const listeners = listenersOf();
  let known = new Set(globals.keys());

  return {
    /**
     * Restores a function that Jest has replaced. Jest replaces it for code that runs in a context.
     */
    undoJestsOwn() {
      Object.defineProperty(process, 'getBuiltinModule', ofProcess.get('getBuiltinModule'));
    },

    /**
     * Keeps globals and listeners that modules have added while they were loaded. A module is
     * loaded only once, so it would not add them again.
     */
    keepAdditions() {
      known = new Set(namesOf(globalThis));
      for (const [event, added] of listenersOf())
        if (!JESTS_EVENTS.has(event)) listeners.set(event, added);
    },

    restore() {
      restoreProperties(process, ofProcess);
      process.exitCode = exitCode;
      restoreVariables(environment);
      if (process.cwd() !== folder) process.chdir(folder);
      for (const name of namesOf(globalThis))
        if (!known.has(name)) Reflect.deleteProperty(globalThis, name);
      restoreProperties(globalThis, globals);
      for (const symbol of JESTS_OWN) Reflect.deleteProperty(globalThis, symbol);
      restoreListeners(listeners);
    },
  };
}

function restoreProperties(object, descriptors) {
  for (const [name, before] of descriptors) {
    const now = Object.getOwnPropertyDescriptor(object, name);
    const isSame = ['value', 'get', 'set'].every((key) => Object.is(now?.[key], before[key]));
    if (!isSame) Reflect.defineProperty(object, name, before);
  }
}

function restoreVariables(environment) {
  for (const name of Object.keys(process.env))
    if (!Object.hasOwn(environment, name)) delete process.env[name];
  for (const [name, value] of Object.entries(environment))
    if (process.env[name] !== value) process.env[name] = value;
}

function restoreListeners(listeners) {
  for (const event of new Set([...listeners.keys(), ...process.eventNames()])) {
    const before = listeners.get(event) ?? [];
    const now = process.rawListeners(event);
    for (const listener of now) if (!before.includes(listener)) process.off(event, listener);
    for (const listener of before) if (!now.includes(listener)) process.on(event, listener);
  }
}
