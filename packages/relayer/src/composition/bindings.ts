import type { NodeCall } from '@sotto/adapter-starknet';
import type { DailyClosesApi } from '@sotto/adapter-http/aggregator';
import { BridgeProtocol } from '@sotto/bridge-core';
import type { ConfiguredTask, TaskRunner } from '@sotto/keeper-core';
import { PriceSource } from '@sotto/market-core';
import { type ExecutePrivateSwap } from '@sotto/relayer-core';
import { CallReader, Revalidator, type FailpointHook } from '@sotto/submission-core';

// Identifiers of bindings that have no separate class, or that share a class with a second binding.
// For all other bindings, the port or class itself is the identifier.

/** Price source of the oracle, which is the first of the price sources. */
export abstract class OraclePrices extends PriceSource {}

/** Source of market prices other than the oracle. The connections remain open until `close`. */
export abstract class OtherPriceSource extends PriceSource {
  abstract close(): void;
}

/** All sources of market prices; the oracle's source is first. */
export abstract class PriceSources {
  abstract readonly all: readonly PriceSource[];
}

/**
 * Sources of daily closing prices of BTC. If there are fewer than two sources, smart orders are
 * off.
 */
export abstract class ClosesSources {
  abstract readonly all: readonly DailyClosesApi[];
}

/**
 * Decides whether a waiting swap may still be sent. If private swaps are disabled, no swap is
 * rejected.
 */
export abstract class SwapRevalidation extends Revalidator {}

/**
 * Client for simulations of transactions that run contracts which the caller chose. The connections
 * remain open until `close`.
 */
export abstract class UntrustedSimulations {
  abstract call<T>(call: NodeCall<T>): Promise<T>;
  abstract close(): void;
}

/** Executes private swaps; rejects every request if private swaps are disabled. */
export abstract class PrivateSwaps {
  abstract execute(
    ...input: Parameters<ExecutePrivateSwap['execute']>
  ): ReturnType<ExecutePrivateSwap['execute']>;
  abstract dryRun(
    ...input: Parameters<ExecutePrivateSwap['dryRun']>
  ): ReturnType<ExecutePrivateSwap['dryRun']>;
}

/** Protocol of the bridge with its connections; bound only if the settings name a bridge. */
export abstract class BridgeClient extends BridgeProtocol {
  abstract close(): void;
}

/** Failpoints at which a development process may be made to exit. */
export abstract class Failpoints {
  abstract readonly reach: FailpointHook;
}

/** All tasks of the keeper, with their settings. */
export abstract class ConfiguredTasks {
  abstract readonly all: readonly ConfiguredTask[];
}

/** Runners of all tasks of the keeper that are enabled. */
export abstract class TaskRunners {
  abstract readonly all: readonly TaskRunner[];
}

/** Warning to the operator at the start of the process. */
export abstract class StartWarning {
  /** Logs the warning as soon as the node is known to serve the right chain. Never rejects. */
  abstract warn(): Promise<void>;
}

/** Reads calls of repeated submissions from the chain. */
export abstract class RepeatedCalls extends CallReader {
  /**
   * Reads the calls from the ledger, and from the chain if necessary. Runs before the engine
   * starts.
   */
  abstract learn(): Promise<void>;
}
