import { Account, RpcProvider } from 'starknet';
import { QuickSigner } from './quick-signer.js';
import { UsualReads } from './reads.js';

export interface UsualOptions {
  readonly nodeUrl: string;
  readonly accounts: readonly { readonly address: string; readonly privateKey: string }[];
  readonly oracle: string;
  /** Interval in ms at which a transaction's status is polled. */
  readonly pollIntervalMs: number;
  /** Code that computes the transaction hash. */
  readonly hash: 'starknet.js' | 'ours';
}

interface Lane {
  readonly account: Account;
  nextNonce: bigint;
}

/** Resource bounds (gas) of a withdrawal. Source: specification, Limits. */
const BOUNDS = { l2Gas: 1_200_000_000n, l1Gas: 256n, l1DataGas: 20_480n, priceMultiplier: 3n };
const LENGTH_FELT = 1;
/**
 * Indexes of public inputs in the calldata without its length felt. Each input is a low and a high
 * half.
 */
const AT = { root: 33, nullifierHash: 35, fee: 41 };

/**
 * Usual flow, optimized but built only with starknet.js. Resource bounds, tip and nonce are given,
 * so that none of these values is estimated or read twice. Chain and specification version are
 * configured. Nonces are counted in memory, so that requests do not wait for each other, and all
 * reads run concurrently. The flow checks the data from the node but no proofs, and it stores
 * nothing.
 */
export class UsualRelayer {
  #turn = 0;

  private constructor(
    private readonly provider: RpcProvider,
    private readonly reads: UsualReads,
    private readonly lanes: readonly Lane[],
    private readonly pollIntervalMs: number,
  ) {}

  static async start({
    nodeUrl,
    accounts,
    oracle,
    pollIntervalMs,
    hash,
  }: UsualOptions): Promise<UsualRelayer> {
    const found = await RpcProvider.create({ nodeUrl });
    const chainId = await found.getChainId();
    const provider = new RpcProvider({
      nodeUrl,
      chainId,
      specVersion: await found.setUpSpecVersion(),
    });
    const lanes = await Promise.all(
      accounts.map(async ({ address, privateKey }) => ({
        account: new Account({
          provider,
          address,
          signer: hash === 'ours' ? new QuickSigner(privateKey) : privateKey,
          cairoVersion: '1',
        }),
        nextNonce: BigInt(await provider.getNonceForAddress(address, 'pre_confirmed')),
      })),
    );
    return new UsualRelayer(provider, new UsualReads(provider, oracle), lanes, pollIntervalMs);
  }

  /** @throws Error if a check fails or the node rejects the transaction */
  async withdraw(pool: string, calldata: readonly string[]): Promise<object> {
    const u256 = (at: number): [string, string] => [
      calldata[LENGTH_FELT + at] ?? '0x0',
      calldata[LENGTH_FELT + at + 1] ?? '0x0',
    ];
    const facts = await this.reads.all(pool, u256(AT.root), u256(AT.nullifierHash));
    if (!facts.rootKnown) throw new Error('unknown root');
    if (facts.nullifierSpent) throw new Error('already withdrawn');
    if (BigInt(u256(AT.fee)[0]) > facts.maxFee) throw new Error('the fee is too high');
    if (facts.btcUsd === 0n || facts.strkUsd === 0n) throw new Error('no prices');

    const lane = this.lanes[this.#turn % this.lanes.length];
    if (lane === undefined) throw new Error('no account');
    this.#turn += 1;
    const nonce = lane.nextNonce;
    lane.nextNonce += 1n;
    const { l2Gas, l1Gas, l1DataGas, priceMultiplier } = BOUNDS;
    const { transaction_hash: hash } = await lane.account.execute(
      { contractAddress: pool, entrypoint: 'withdraw', calldata: [...calldata] },
      {
        nonce,
        tip: 0n,
        resourceBounds: {
          l2_gas: {
            max_amount: l2Gas,
            max_price_per_unit: facts.prices.l2GasFri * priceMultiplier,
          },
          l1_gas: {
            max_amount: l1Gas,
            max_price_per_unit: facts.prices.l1GasFri * priceMultiplier,
          },
          l1_data_gas: {
            max_amount: l1DataGas,
            max_price_per_unit: facts.prices.l1DataGasFri * priceMultiplier,
          },
        },
      },
    );
    const receipt = await this.provider.waitForTransaction(hash, {
      retryInterval: this.pollIntervalMs,
      successStates: ['PRE_CONFIRMED', 'ACCEPTED_ON_L2', 'ACCEPTED_ON_L1'],
    });
    return {
      transaction_hash: hash,
      execution_status: receipt.isSuccess() ? 'SUCCEEDED' : 'REVERTED',
      revert_reason: receipt.isReverted() ? receipt.revert_reason : null,
    };
  }
}
