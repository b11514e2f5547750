import { flushCompileCache } from 'node:module';
import type { Logger } from '@sotto/kernel';
import {
  InvalidConfiguration,
  describeUnknownName,
  mayDumpCore,
  namesOfEnvFiles,
  type UnknownName,
} from '@sotto/settings';
import { createLogger, logNodeWarnings, startTracing } from '@sotto/telemetry';
import type { Settings } from '../environment/settings.js';
import { unknownSettings } from '../environment/unknown-settings.js';
import type { Runtime } from '../relayer/open.js';
import type { Listener } from './listener.js';
import { startService, type RunningService } from './service.js';

/** Program that a process runs: its settings, its runtime and its listener. */
export interface Program<R extends Runtime> {
  /** @throws InvalidConfiguration */
  settings(): Settings;
  open(settings: Settings): Promise<R>;
  listener(runtime: R, settings: Settings): Listener;
}

const FAILURE = 1;

/**
 * Exits the process at once. This is safe because the ledger is always consistent, and the next
 * start continues from the ledger.
 */
function dieOf(error: unknown, logger: Logger, message: string): never {
  logger.error(
    { error: error instanceof Error ? error : new Error(`a ${typeof error} was thrown`) },
    message,
  );
  process.exit(FAILURE);
}

function settingsOrExit(
  program: Pick<Program<Runtime>, 'settings'>,
  unknown: readonly UnknownName[],
): Settings {
  try {
    return program.settings();
  } catch (error) {
    if (!(error instanceof InvalidConfiguration)) throw error;
    // If a setting is missing, the cause may be a misspelt name. So the unknown names are printed
    // too.
    const warnings = unknown.map((name) => `warning: ${describeUnknownName(name)}\n`);
    process.stderr.write(`${error.message}\n${warnings.join('')}`);
    process.exit(FAILURE);
  }
}

/** Stops the service, then sends its last trace spans. */
async function stopAll(
  service: RunningService,
  stopTracing: (() => Promise<void>) | null,
): Promise<void> {
  await service.stop();
  await stopTracing?.();
}

async function startProgram<R extends Runtime>(
  program: Program<R>,
  settings: Settings,
): Promise<RunningService> {
  const runtime = await program.open(settings);
  return startService(runtime, program.listener(runtime, settings), settings);
}

/** Runs the program in this process, until a signal or an error ends the process. */
export async function runService<R extends Runtime>(program: Program<R>): Promise<void> {
  const unknown = unknownSettings(process.env, namesOfEnvFiles(process.execArgv));
  const settings = settingsOrExit(program, unknown);
  const logger = createLogger({ level: settings.logLevel });
  process.on('uncaughtException', (error) => dieOf(error, logger, 'uncaught error'));
  process.on('unhandledRejection', (reason) => dieOf(reason, logger, 'unhandled rejection'));
  logNodeWarnings(logger);
  if (settings.engine.crashAt !== null)
    logger.warn(
      { checkpoint: settings.engine.crashAt },
      'the process will kill itself at a checkpoint',
    );

  if (settings.exposedSecrets.length > 0)
    logger.warn(
      { variables: settings.exposedSecrets.join(', ') },
      'files of secrets can be read by any user of this machine',
    );

  for (const name of unknown) logger.warn({ ...name }, 'an environment variable is not a setting');
  for (const sentence of settings.stale)
    logger.warn({ setting: sentence }, 'a setting was removed or renamed');
  for (const sentence of settings.weak)
    logger.warn({ setting: sentence }, 'a setting weakens a guard');
  if (mayDumpCore())
    logger.warn(
      {},
      'the system may write a core dump with the keys of this process: set its limit to 0',
    );

  const stopTracing = await startTracing(process.env);
  const service = await startProgram(program, settings).catch((error: unknown) =>
    dieOf(error, logger, 'the service did not start'),
  );
  // If Node caches compiled modules, write the cache now. Then the next start can use the cache,
  // even if this process is killed later.
  flushCompileCache();
  service.running.catch((error: unknown) => dieOf(error, logger, 'the service cannot continue'));

  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) dieOf(new Error(`${signal} while stopping`), logger, 'stopped at once');
    stopping = true;
    stopAll(service, stopTracing).then(
      () => process.exit(0),
      (error: unknown) => dieOf(error, logger, 'the service did not stop cleanly'),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
