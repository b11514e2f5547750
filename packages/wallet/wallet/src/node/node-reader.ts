/** A block that is accepted on L2 or L1. Hashes are 0x hex in lower case, without leading zeros. */
export interface BlockHeader {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
}

export interface ViewCall {
  /** 0x hex. */
  readonly contract: string;
  /** As the contract declares it: `get_last_root`. */
  readonly entrypoint: string;
  /** @default none */
  readonly calldata?: readonly bigint[];
  /** Hash of the block whose state answers. @default the latest block's */
  readonly blockHash?: string;
}

/** Events of one contract in a range of blocks, both ends included. */
export interface EventQuery {
  /** 0x hex. */
  readonly contract: string;
  /** As the contract declares them: `Deposit`. An event with any of these names is wanted. */
  readonly names: readonly string[];
  readonly fromBlock: number;
  readonly toBlock: number;
}

export interface ChainEvent {
  readonly name: string;
  readonly blockNumber: number;
  /** 0x hex in lower case, without leading zeros. */
  readonly transactionHash: string;
  /** Without the first one, which says the event's name. */
  readonly keys: readonly bigint[];
  readonly data: readonly bigint[];
}

/**
 * What a wallet reads from a Starknet node. Each method ends with the signal's reason when that
 * aborts, else it throws WalletError:
 * - NODE_UNREACHABLE: no answer, in time or at all; asking again may help;
 * - NODE_MALFORMED_ANSWER: an answer that is not what the specification allows or was asked for;
 * - NODE_REFUSED: the node answers with an error, such as for a contract that does not exist;
 * - BLOCK_UNKNOWN: the chain has no block of the given hash, any more or yet.
 */
export interface NodeReader {
  /** 0x hex, such as 0x534e5f4d41494e. */
  chainId(signal?: AbortSignal): Promise<string>;
  /** @returns undefined where the chain has no block of this number */
  block(at: 'latest' | number, signal?: AbortSignal): Promise<BlockHeader | undefined>;
  /** What a view returns. */
  call(call: ViewCall, signal?: AbortSignal): Promise<readonly bigint[]>;
  /** Pages of events, oldest first; a page may be empty. */
  events(query: EventQuery, signal?: AbortSignal): AsyncIterable<readonly ChainEvent[]>;
}
