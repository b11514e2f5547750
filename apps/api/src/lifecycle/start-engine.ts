import type { StarknetNodeProbe } from '@sotto/adapter-starknet';
import { Fault, type Clock, type Felt, type Logger } from '@sotto/kernel';
import type { SubmissionEngine } from '@sotto/submission-core';

/** The node serves another chain than the profile's. Nothing it says may reach the ledger. */
export class WrongChain extends Error {
  override readonly name = 'WrongChain';
}

export interface EngineStart {
  readonly probe: Pick<StarknetNodeProbe, 'probe'>;
  readonly engine: Pick<SubmissionEngine, 'start'>;
  readonly chainId: Felt;
  readonly clock: Clock;
  readonly logger: Logger;
}

const RETRY_MS = 2_000;

/**
 * Starts the engine once the node is seen to serve the profile's chain: nonces of another chain would become rows of the ledger.
 * A node that does not answer is asked again until it does or `stopping` aborts.
 * @throws WrongChain
 */
export async function startEngineOnRightChain(
  { probe, engine, chainId, clock, logger }: EngineStart,
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    const found = await chainOf(probe, logger);
    if (found === chainId) {
      await engine.start();
      return;
    }
    if (found !== null) throw new WrongChain('the node serves another chain than the network profile names');
    await clock.sleep(RETRY_MS, stopping);
  }
}

async function chainOf(probe: EngineStart['probe'], logger: Logger): Promise<Felt | null> {
  try {
    return (await probe.probe()).chainId;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    logger.warn({ error }, 'waiting for the Starknet node');
    return null;
  }
}
