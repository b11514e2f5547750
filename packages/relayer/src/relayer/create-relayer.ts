import type { Metrics } from '@sotto/telemetry';
import type { Readiness } from '@sotto/relayer-core';
import { InvalidConfiguration } from '@sotto/settings';
import { WrongChain, WrongLedger } from '@sotto/submission-core';
import { openRelayer } from './open.js';
import { settingsOfOptions, type RelayerOptions } from './options.js';
import type { UseCases } from '../composition/use-cases.module.js';

/** A relayer inside a program that serves it as it likes. */
export interface Relayer extends UseCases {
  /** Whether withdrawals can be taken, and whether reads are answered, with what is in the way. */
  readonly readiness: Pick<Readiness, 'report' | 'serving'>;
  /** For Prometheus; without figures of the process, which is the program's. */
  readonly metrics: Pick<Metrics, 'text'>;
  /**
   * Compares the node's chain with the profile's, then does what is done without being asked:
   * nothing is sent before. Waits for a node that does not answer. Where it rejects, the relayer is
   * stopped.
   * @throws InvalidConfiguration when node or ledger are of another chain
   */
  start(): Promise<void>;
  /**
   * Lets tasks and sends end, and closes what was opened. What is in flight on chain stays in the
   * store for the next start; a request that is still waited for fails with LEDGER_UNAVAILABLE, so
   * end those first.
   */
  stop(): Promise<void>;
}

/**
 * A relayer of plain values. The store is opened and the proof's verifier runs; the node is not
 * asked before {@link Relayer.start}.
 * @throws InvalidConfiguration with all problems of the options at once
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

/** What an embedder has to change; anything else as it is. */
function problemOf(error: unknown): unknown {
  if (error instanceof WrongChain) return new InvalidConfiguration([`node: ${error.message}`]);
  if (error instanceof WrongLedger)
    return new InvalidConfiguration([
      'store: holds transactions of another chain: give the store of this chain, or the right node and profile; a development chain that was started again needs a new store',
    ]);
  return error;
}
