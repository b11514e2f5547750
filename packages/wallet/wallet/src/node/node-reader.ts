/** Block accepted on L2 or L1. Hashes are 0x hex in lower case, without leading zeros. */
export interface BlockHeader {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  /** Time of the block, as Unix time in seconds. */
  readonly timestamp: number;
}

export interface ViewCall {
  /** Contract address as 0x hex. */
  readonly contract: string;
  /** Name of the entry point as declared by the contract, for example `get_last_root`. */
  readonly entrypoint: string;
  /** @default none */
  readonly calldata?: readonly bigint[];
  /** Hash of the block whose state is read. @default the latest block */
  readonly blockHash?: string;
}

/** Query for events of one contract in a range of blocks, both ends included. */
export interface EventQuery {
  /** Contract address as 0x hex. */
  readonly contract: string;
  /**
   * Event names as declared by the contract, for example `Deposit`. An event is returned if it has
   * any of these names.
   */
  readonly names: readonly string[];
  readonly fromBlock: number;
  readonly toBlock: number;
}

/** Query for the nonce of an account: the number of its transactions. */
export interface NonceQuery {
  /** Address of the account as 0x hex. */
  readonly account: string;
  /**
   * State that is read: the state of a block, or the pre-confirmed state, which also counts
   * transactions that no accepted block contains yet.
   */
  readonly at: 'pre_confirmed' | { readonly blockHash: string };
}

export interface ChainEvent {
  readonly name: string;
  readonly blockNumber: number;
  /** Transaction hash as 0x hex in lower case, without leading zeros. */
  readonly transactionHash: string;
  /** Keys of the event without the first key, which is the event's selector. */
  readonly keys: readonly bigint[];
  readonly data: readonly bigint[];
}

/**
 * Reads of a wallet from a Starknet node. Each method rejects with the signal's reason when the
 * signal aborts; otherwise it throws WalletError:
 * - NODE_UNREACHABLE: the node did not respond, or did not respond in time; a retry may succeed;
 * - NODE_MALFORMED_ANSWER: the response violates the specification or does not match the request;
 * - NODE_REFUSED: the node returns an error, for example for a contract that does not exist;
 * - BLOCK_UNKNOWN: the chain has no block with the given hash, or no longer has this block.
 */
export interface NodeReader {
  /** Returns the chain id as 0x hex, such as 0x534e5f4d41494e. */
  chainId(signal?: AbortSignal): Promise<string>;
  /** @returns undefined if the chain has no block of this number */
  block(at: 'latest' | number, signal?: AbortSignal): Promise<BlockHeader | undefined>;
  /** Returns the result of a view. */
  call(call: ViewCall, signal?: AbortSignal): Promise<readonly bigint[]>;
  /**
   * Returns the nonce of an account. Without this method, a deposit can't use the nonce as evidence
   * that an approval was not sent; it then waits for the lifetime of a mempool.
   */
  nonce?(query: NonceQuery, signal?: AbortSignal): Promise<bigint>;
  /** Returns pages of events, oldest first. A page may have no events. */
  events(query: EventQuery, signal?: AbortSignal): AsyncIterable<readonly ChainEvent[]>;
}
