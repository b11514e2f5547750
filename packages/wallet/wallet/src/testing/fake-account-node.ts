import { WalletError } from '../errors.js';
import type {
  BlockHeader,
  ChainEvent,
  NodeReader,
  NonceQuery,
  ViewCall,
} from '../node/node-reader.js';

const BLOCK_MS = 4_000;
const HALF = 1n << 128n;

/** Chain whose accounts the node shows. `FakeChain` implements it. */
export interface FakeAccountChain {
  readonly chainId: string;
  readonly pool: string;
  readonly isReachable: boolean;
  allowanceOf(account: string): bigint;
  nonceOf(account: string, isPreConfirmed?: boolean): bigint;
}

/**
 * Node of a `FakeChain` that responds to a deposit's reads of its account: allowance and nonce. The
 * clock of the process determines the latest block.
 */
export class FakeAccountNode implements NodeReader {
  readonly #chain: FakeAccountChain;

  constructor(chain: FakeAccountChain) {
    this.#chain = chain;
  }

  async chainId(signal?: AbortSignal): Promise<string> {
    this.#asked(signal);
    return this.#chain.chainId;
  }

  async block(_at: 'latest' | number, signal?: AbortSignal): Promise<BlockHeader | undefined> {
    this.#asked(signal);
    const number = Math.floor(Date.now() / BLOCK_MS);
    return {
      number,
      timestamp: (number * BLOCK_MS) / 1_000,
      hash: `0x${number.toString(16)}`,
      parentHash: `0x${(number - 1).toString(16)}`,
    };
  }

  async call({ entrypoint, calldata = [] }: ViewCall, signal?: AbortSignal): Promise<bigint[]> {
    this.#asked(signal);
    const [owner, spender] = calldata;
    if (entrypoint !== 'allowance' || owner === undefined || spender === undefined)
      throw new WalletError('NODE_REFUSED', 'there is no such view');
    const isPool = spender === BigInt(this.#chain.pool);
    const allowance = isPool ? this.#chain.allowanceOf(`0x${owner.toString(16)}`) : 0n;
    return [allowance % HALF, allowance / HALF];
  }

  async nonce({ account, at }: NonceQuery, signal?: AbortSignal): Promise<bigint> {
    this.#asked(signal);
    return this.#chain.nonceOf(account, at === 'pre_confirmed');
  }

  // eslint-disable-next-line require-yield -- a deposit reads no events through this node
  async *events(): AsyncGenerator<readonly ChainEvent[], void, void> {
    throw new WalletError('NODE_REFUSED', 'this node has no events');
  }

  #asked(signal: AbortSignal | undefined): void {
    signal?.throwIfAborted();
    if (!this.#chain.isReachable)
      throw new WalletError('NODE_UNREACHABLE', 'the node does not answer');
  }
}
