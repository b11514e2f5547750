import type { DailyClosesApi } from '@sotto/adapter-http/aggregator';
import { BridgeProtocol } from '@sotto/bridge-core';
import type { ConfiguredTask, TaskRunner } from '@sotto/keeper-core';
import { PriceSource } from '@sotto/market-core';
import { type ExecutePrivateSwap } from '@sotto/relayer-core';
import { CallReader, Revalidator, type FailpointHook } from '@sotto/submission-core';

// Identifiers of bindings without a separate class, or with two instances of one class. Ports and
// classes are their own identifiers.

/** Prices of the oracle: the first source. */
export abstract class OraclePrices extends PriceSource {}

/** Source of market prices other than the oracle. Keeps connections open. */
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

/** Decides whether a waiting swap may still be sent. Rejects nothing if there are no swaps. */
export abstract class SwapRevalidation extends Revalidator {}

/** Private swaps; refuses all of them if they are disabled. */
export abstract class PrivateSwaps {
  abstract execute(
    ...input: Parameters<ExecutePrivateSwap['execute']>
  ): ReturnType<ExecutePrivateSwap['execute']>;
  abstract dryRun(
    ...input: Parameters<ExecutePrivateSwap['dryRun']>
  ): ReturnType<ExecutePrivateSwap['dryRun']>;
}

/** Protocol of the bridge with its connections; bound only if there is a bridge. */
export abstract class BridgeClient extends BridgeProtocol {
  abstract close(): void;
}

/** Failpoints at which a development process may be made to exit. */
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

/** Warning to the operator at the start. */
export abstract class StartWarning {
  /** Logs the warning, once the node is known to serve the right chain. Never rejects. */
  abstract warn(): Promise<void>;
}

/** Reads calls of repeated submissions from the chain. */
export abstract class RepeatedCalls extends CallReader {
  /** Queries the ledger, and the chain if necessary. Runs before the engine starts. */
  abstract learn(): Promise<void>;
}
