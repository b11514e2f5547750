/** Block accepted on L2 or L1. Hashes are 0x hex in lower case, without leading zeros. */
export interface BlockHeader {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
}

export interface ViewCall {
  /** 0x hex. */
  readonly contract: string;
  /** Name as declared by the contract, for example `get_last_root`. */
  readonly entrypoint: string;
  /** @default none */
  readonly calldata?: readonly bigint[];
  /** Hash of the block whose state is read. @default the latest block */
  readonly blockHash?: string;
}

/** Events of one contract in a range of blocks, both ends included. */
export interface EventQuery {
  /** 0x hex. */
  readonly contract: string;
  /**
   * Names as declared by the contract, for example `Deposit`. Events with any of them are returned.
   */
  readonly names: readonly string[];
  readonly fromBlock: number;
  readonly toBlock: number;
}

export interface ChainEvent {
  readonly name: string;
  readonly blockNumber: number;
  /** 0x hex in lower case, without leading zeros. */
  readonly transactionHash: string;
  /** Keys without the first one, which is the event's selector. */
  readonly keys: readonly bigint[];
  readonly data: readonly bigint[];
}

/**
 * Reads of a wallet from a Starknet node. Each method ends with the signal's reason when that
 * aborts, else it throws WalletError:
 * - NODE_UNREACHABLE: no answer, or none in time; retrying may help;
 * - NODE_MALFORMED_ANSWER: an answer that violates the specification or the request;
 * - NODE_REFUSED: the node returns an error, for example for a contract that does not exist;
 * - BLOCK_UNKNOWN: the chain has no block of the given hash, or no longer has it.
 */
export interface NodeReader {
  /** 0x hex, such as 0x534e5f4d41494e. */
  chainId(signal?: AbortSignal): Promise<string>;
  /** @returns undefined if the chain has no block of this number */
  block(at: 'latest' | number, signal?: AbortSignal): Promise<BlockHeader | undefined>;
  /** Result of a view. */
  call(call: ViewCall, signal?: AbortSignal): Promise<readonly bigint[]>;
  /** Pages of events, oldest first. A page may be empty. */
  events(query: EventQuery, signal?: AbortSignal): AsyncIterable<readonly ChainEvent[]>;
}
