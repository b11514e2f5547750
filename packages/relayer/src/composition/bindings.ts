import type { DailyClosesApi } from '@sotto/adapter-http/aggregator';
import { BridgeProtocol } from '@sotto/bridge-core';
import type { ConfiguredTask, TaskRunner } from '@sotto/keeper-core';
import { PriceSource } from '@sotto/market-core';
import { type ExecutePrivateSwap } from '@sotto/relayer-core';
import { CallReader, Revalidator, type FailpointHook } from '@sotto/submission-core';

// Identifiers of what has no class of its own, or two parts of one class. Ports and classes
// identify themselves.

/** The oracle's prices: the first source. */
export abstract class OraclePrices extends PriceSource {}

/** A source of market prices besides the oracle. It keeps connections open. */
export abstract class OtherPriceSource extends PriceSource {
  abstract close(): void;
}

/** All sources of market prices, the oracle's first. */
export abstract class PriceSources {
  abstract readonly all: readonly PriceSource[];
}

/** Sources of daily closes of BTC; none or one turns smart orders off. */
export abstract class ClosesSources {
  abstract readonly all: readonly DailyClosesApi[];
}

/** Decides whether a waiting swap may still be sent; leaves all alone where there are no swaps. */
export abstract class SwapRevalidation extends Revalidator {}

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

/** All tasks of the keeper, as the settings have them. */
export abstract class ConfiguredTasks {
  abstract readonly all: readonly ConfiguredTask[];
}

/** The runners of all tasks of the keeper that are on. */
export abstract class TaskRunners {
  abstract readonly all: readonly TaskRunner[];
}

/** What an operator should hear at the start. */
export abstract class StartWarning {
  /** Asked for once the chain is seen to be the right one. Never rejects. */
  abstract warn(): Promise<void>;
}

/** Reads calls of repeated submissions back from the chain. */
export abstract class RepeatedCalls extends CallReader {
  /** Asks the ledger, and the chain where it has to: before the engine starts. */
  abstract learn(): Promise<void>;
}
