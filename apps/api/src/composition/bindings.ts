import { BridgeProtocol } from '@sotto/bridge-core';
import type { TaskRunner } from '@sotto/keeper-core';
import type { Felt } from '@sotto/kernel';
import { PriceSource, type ExecutePrivateSwap } from '@sotto/relayer-core';
import { CallReader, Submissions, type FailpointHook } from '@sotto/submission-core';
import type { NetworkProfile } from '@sotto/network-profile';

// Identifiers of what has no class of its own, or two parts of one class. Ports and classes
// identify themselves.

/** The oracle's prices: the first source. */
export abstract class OraclePrices extends PriceSource {}

/** All sources of market prices, the oracle's first. */
export abstract class PriceSources {
  abstract readonly all: readonly PriceSource[];
}

/** Submissions as the machine reports them, each try of a swap by itself. */
export abstract class Machine extends Submissions {}

/** Private swaps, or their refusal where there are none. */
export abstract class PrivateSwaps {
  abstract execute(
    ...input: Parameters<ExecutePrivateSwap['execute']>
  ): ReturnType<ExecutePrivateSwap['execute']>;
  abstract dryRun(
    ...input: Parameters<ExecutePrivateSwap['dryRun']>
  ): ReturnType<ExecutePrivateSwap['dryRun']>;
}

/** The bridge's protocol with its connections; bound only where there is a bridge. */
export abstract class BridgeClient extends BridgeProtocol {
  abstract close(): void;
}

/** Where a development process may be made to exit. */
export abstract class Failpoints {
  abstract readonly reach: FailpointHook;
}

/** What of a pool's profile decides how the API presents it. */
export type PoolPresentation = Pick<
  NetworkProfile['pools'][number],
  'kind' | 'denominationDivisor'
>;

/** What the routes themselves decide by. */
export abstract class HttpPolicy {
  abstract readonly waitForConfirmationMs: number;
  /** How the API presents the served pools, by address. */
  abstract readonly pools: ReadonlyMap<Felt, PoolPresentation>;
  /** What callers must know of private swaps; null when there are none. */
  abstract readonly swap: {
    readonly swapPool: Felt;
    /** Least tolerance, in millionths. */
    readonly minSlippagePpm: number;
    /** How far a swap may fall short of its fair value, in hundredths of a percent. */
    readonly maxPriceImpactBps: number;
  } | null;
}

/** The runners of all tasks of the keeper that are on. */
export abstract class TaskRunners {
  abstract readonly all: readonly TaskRunner[];
}

/** Reads calls of repeated submissions back from the chain. */
export abstract class RepeatedCalls extends CallReader {
  /** Asks the ledger, and the chain where it has to: before the engine starts. */
  abstract learn(): Promise<void>;
}
