import type { Metrics } from '@sotto/telemetry';
import type { Readiness } from '@sotto/relayer-core';
import { InvalidConfiguration } from '@sotto/settings';
import { WrongChain, WrongLedger } from '@sotto/submission-core';
import { openRelayer } from './open.js';
import { settingsOfOptions, type RelayerOptions } from './options.js';
import type { UseCases } from '../composition/use-cases.module.js';

/** Relayer that is embedded in a program. The program serves the use cases to its own callers. */
export interface Relayer extends UseCases {
  /** Readiness for withdrawals and for reads, with the reasons if the relayer is not ready. */
  readonly readiness: Pick<Readiness, 'report' | 'serving'>;
  /**
   * Metrics for Prometheus. Memory and event loop of the process are not included, because the
   * process belongs to the embedding program.
   */
  readonly metrics: Pick<Metrics, 'text'>;
  /**
   * Compares the node's chain with the profile's chain, then starts the automatic work. No
   * transaction is sent before this comparison. If the node does not respond, `start` waits. If
   * `start` rejects, the relayer is stopped.
   * @throws InvalidConfiguration if node or ledger belong to another chain than the profile
   */
  start(): Promise<void>;
  /**
   * Waits until tasks and sends finish, and closes everything that was opened. Submissions in
   * flight stay in the store for the next start. A request that is still waiting fails with
   * LEDGER_UNAVAILABLE, so end requests first.
   */
  stop(): Promise<void>;
}

/**
 * Creates a relayer from plain values. Opens the store and starts the proof verifier; the node is
 * not queried before {@link Relayer.start}.
 * @throws InvalidConfiguration if options are invalid; lists all problems
 */
export async function createRelayer(options: RelayerOptions): Promise<Relayer> {
  const { logger, store } = options;
  const settings = settingsOfOptions(options);
  const relayer = await openRelayer(settings, {
    logger,
    quotes: store?.quotes,
    ofProcess: false,
  });
  for (const sentence of settings.stale)
    relayer.logger.warn({ setting: sentence }, 'an option is no longer one');
  const { clock: _clock, logger: _logger, inFlight: _inFlight, connections: _, ...parts } = relayer;
  let isStopped = false;
  const stop = (): Promise<void> => {
    isStopped = true;
    return relayer.stop();
  };
  return {
    ...parts,
    stop,
    async start() {
      await relayer.start().catch(async (error: unknown) => {
        await Promise.allSettled([stop()]);
        throw problemOf(error);
      });
      if (isStopped) throw new Error('the relayer was stopped before it had started');
    },
  };
}

/**
 * Converts an error that the embedding program can fix into InvalidConfiguration; returns all other
 * errors unchanged.
 */
function problemOf(error: unknown): unknown {
  if (error instanceof WrongChain) return new InvalidConfiguration([`node: ${error.message}`]);
  if (error instanceof WrongLedger)
    return new InvalidConfiguration([
      'store: holds transactions of another chain: give the store of this chain, or the right node and profile; a development chain that was started again needs a new store',
    ]);
  return error;
}
