import { shortString, type RpcProvider } from 'starknet';

type U256 = readonly [low: string, high: string];

/** Data that is read from the node before a withdrawal is sent. */
export interface UsualFacts {
  readonly maxFee: bigint;
  readonly nextIndex: bigint;
  readonly undeployedCount: bigint;
  readonly rootKnown: boolean;
  readonly nullifierSpent: boolean;
  readonly prices: {
    readonly l2GasFri: bigint;
    readonly l1GasFri: bigint;
    readonly l1DataGasFri: bigint;
  };
  readonly btcUsd: bigint;
  readonly strkUsd: bigint;
}

/** Reads the same eight values as the service, each in a separate `callContract` request. */
export class UsualReads {
  constructor(
    private readonly provider: RpcProvider,
    private readonly oracle: string,
  ) {}

  async all(pool: string, root: U256, nullifierHash: U256): Promise<UsualFacts> {
    const [maxFee, nextIndex, undeployedCount, known, spent, block, btcUsd, strkUsd] =
      await Promise.all([
        this.#call(pool, 'max_fee'),
        this.#call(pool, 'get_next_index'),
        this.#call(pool, 'undeployed_count'),
        this.#call(pool, 'is_known_root', root),
        this.#call(pool, 'is_spent', nullifierHash),
        this.provider.getBlockWithTxHashes('latest'),
        this.#price('BTC/USD'),
        this.#price('STRK/USD'),
      ]);
    const prices = {
      l2GasFri: BigInt(block.l2_gas_price.price_in_fri),
      l1GasFri: BigInt(block.l1_gas_price.price_in_fri),
      l1DataGasFri: BigInt(block.l1_data_gas_price.price_in_fri),
    };
    return {
      maxFee,
      nextIndex,
      undeployedCount,
      rootKnown: known === 1n,
      nullifierSpent: spent === 1n,
      prices,
      btcUsd,
      strkUsd,
    };
  }

  #price(pair: string): Promise<bigint> {
    return this.#call(this.oracle, 'get_data_median', ['0x0', shortString.encodeShortString(pair)]);
  }

  /** Returns the first felt of the response. */
  async #call(
    contractAddress: string,
    entrypoint: string,
    calldata: readonly string[] = [],
  ): Promise<bigint> {
    const [first = '0x0'] = await this.provider.callContract(
      { contractAddress, entrypoint, calldata: [...calldata] },
      'latest',
    );
    return BigInt(first);
  }
}
