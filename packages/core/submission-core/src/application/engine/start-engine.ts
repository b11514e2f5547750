import { DomainError, type Clock, type Felt, type Logger } from '@sotto/kernel';
import { LedgerOfAnotherChain } from '../../errors.js';
import type { NodeHealthCheck } from '../../ports/node-health-check.port.js';
import type { SubmissionEngine } from './submission-engine.js';

/**
 * Error if the node serves another chain than the profile's. Values of that node must not reach the
 * ledger.
 */
export class WrongChain extends Error {
  override readonly name = 'WrongChain';
}

/**
 * Error if the ledger contains transactions of another chain, or of an earlier chain with the same
 * name.
 */
export class WrongLedger extends Error {
  override readonly name = 'WrongLedger';

  constructor() {
    super(
      'the ledger holds transactions of another chain: name the ledger of this chain in DATABASE_PATH or DATABASE_URL, or the right node and profile in STARKNET_RPC_URL and NETWORK_PROFILE; a development chain that was started again needs a new ledger',
    );
  }
}

export interface EngineStart {
  readonly probe: NodeHealthCheck;
  readonly engine: Pick<SubmissionEngine, 'start' | 'status'>;
  readonly chainId: Felt;
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * Called once the node is known to serve the right chain, before the engine polls for the first
   * time. Called again if the callback rejects with a `DomainError`.
   */
  readonly beforeStart: () => Promise<void>;
}

const RETRY_MS = 2_000;

/**
 * Starts the engine once the node is known to serve the profile's chain. Otherwise nonces of
 * another chain would become rows of the ledger. Retries until the node responds or `stopping`
 * aborts. Resolves when the ledger has been compared with its chain.
 * @throws WrongChain, WrongLedger
 */
export async function startEngineOnRightChain(
  { probe, engine, chainId, clock, logger, beforeStart }: EngineStart,
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    const found = await chainOf(probe, logger);
    if (found !== null && found !== chainId)
      throw new WrongChain('the node serves another chain than the network profile names');
    if (found === chainId && (await isDone(beforeStart, logger))) {
      if (stopping.aborted) return;
      await startOn(engine);
      await untilLedgerIsRead(engine, clock, stopping);
      return;
    }
    await clock.sleep(RETRY_MS, stopping);
  }
}

async function isDone(work: () => Promise<void>, logger: Logger): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    logger.warn({ error }, 'the machine can not start yet');
    return false;
  }
}

async function startOn(engine: EngineStart['engine']): Promise<void> {
  try {
    await engine.start();
  } catch (error) {
    throw error instanceof LedgerOfAnotherChain ? new WrongLedger() : error;
  }
}

/**
 * Waits until the engine has read the ledger. The engine reads the ledger itself as soon as node
 * and store respond.
 */
async function untilLedgerIsRead(
  engine: EngineStart['engine'],
  clock: Clock,
  stopping: AbortSignal,
): Promise<void> {
  for (;;) {
    const { ledger } = engine.status();
    if (ledger === 'LEDGER_OF_ANOTHER_CHAIN') throw new WrongLedger();
    if (ledger !== 'NOT_READ' || stopping.aborted) return;
    await clock.sleep(RETRY_MS, stopping);
  }
}

async function chainOf(probe: EngineStart['probe'], logger: Logger): Promise<Felt | null> {
  try {
    return (await probe.probe()).chainId;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    logger.warn({ error }, 'waiting for the Starknet node');
    return null;
  }
}
