import { flushCompileCache } from 'node:module';
import type { Logger } from '@sotto/kernel';
import { InvalidConfiguration } from '@sotto/settings';
import { createLogger, startTracing } from '@sotto/telemetry';
import { createContainer, type AppModule } from '../composition/container.js';
import type { Settings } from '../environment/settings.js';
import { startService } from './service.module.js';
import type { RunningService } from './service.js';

/** A process: its settings, and the modules that it is made of. */
export interface Program {
  /** @throws InvalidConfiguration */
  settings(): Settings;
  modules(settings: Settings): readonly AppModule[];
}

const FAILURE = 1;

/**
 * Exits at once: whatever state the process is in, the ledger is right, and the next start goes on
 * from it.
 */
function dieOf(error: unknown, logger: Logger, message: string): never {
  logger.error(
    { error: error instanceof Error ? error : new Error(`a ${typeof error} was thrown`) },
    message,
  );
  process.exit(FAILURE);
}

function settingsOrExit(program: Program): Settings {
  try {
    return program.settings();
  } catch (error) {
    if (!(error instanceof InvalidConfiguration)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(FAILURE);
  }
}

/**
 * Ends the service, then what is left of its traces; a collector that is away is no reason not to
 * stop.
 */
async function stopAll(
  service: RunningService,
  stopTracing: (() => Promise<void>) | null,
): Promise<void> {
  await service.stop();
  await stopTracing?.().catch(() => undefined);
}

/** Runs this process as the program, until a signal or an error ends it. */
export async function runService(program: Program): Promise<void> {
  const settings = settingsOrExit(program);
  const logger = createLogger({ level: settings.logLevel });
  process.on('uncaughtException', (error) => dieOf(error, logger, 'uncaught error'));
  process.on('unhandledRejection', (reason) => dieOf(reason, logger, 'unhandled rejection'));
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

  const stopTracing = await startTracing(process.env);
  const service = await startService(createContainer(...program.modules(settings))).catch(
    (error: unknown) => dieOf(error, logger, 'the service did not start'),
  );
  // Where Node keeps compiled modules, the next start has them, however this process ends.
  flushCompileCache();
  service.running.catch((error: unknown) => dieOf(error, logger, 'the service cannot go on'));

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
