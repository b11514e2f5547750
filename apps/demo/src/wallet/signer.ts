import { toFelt } from '@sotto/kernel';
import { Account, RpcProvider, type Call } from 'starknet';
import type { WorldAccount } from '../sites/site.js';
import type { Node, NodeGasPrices } from './node.js';

/**
 * L2 gas limit of a transaction, which far exceeds the gas of a deposit that deploys its batch,
 * even if Cairo code hashes the tree.
 */
const MAX_L2_GAS = 1_000_000_000n;
const MAX_L1_DATA_GAS = 10_000n;
/** Factor for gas price increases before the transaction is included. */
const PRICE_FACTOR = 3n;

/**
 * Account that signs and sends transactions with explicit resource bounds. The library therefore
 * sends no requests for estimates and does not poll.
 */
export class Signer {
  readonly #account: Account;

  constructor(
    private readonly node: Node,
    private readonly identity: WorldAccount,
  ) {
    this.#account = new Account({
      provider: new RpcProvider({ nodeUrl: node.rpcUrl }),
      address: toFelt(identity.address),
      signer: toFelt(identity.privateKey),
      cairoVersion: '1',
    });
  }

  /**
   * Sends one transaction for each call, in this order, without waiting in between. Resolves when
   * all transactions have succeeded in accepted blocks. Rejects if one is rejected or reverts.
   */
  async send(calls: readonly Call[]): Promise<void> {
    const [first, prices] = await Promise.all([
      this.node.nonce(this.identity.address),
      this.node.gasPrices(),
    ]);
    const resourceBounds = boundsAt(prices);
    const hashes: string[] = [];
    for (const [index, call] of calls.entries()) {
      const { transaction_hash } = await this.#account.execute([call], {
        nonce: first + BigInt(index),
        tip: 0n,
        resourceBounds,
      });
      hashes.push(transaction_hash);
    }
    await Promise.all(hashes.map((hash) => this.node.accepted(hash)));
  }
}

function boundsAt({ l1Gas, l1DataGas, l2Gas }: NodeGasPrices) {
  return {
    l2_gas: { max_amount: MAX_L2_GAS, max_price_per_unit: l2Gas * PRICE_FACTOR },
    l1_gas: { max_amount: 0n, max_price_per_unit: l1Gas * PRICE_FACTOR },
    l1_data_gas: { max_amount: MAX_L1_DATA_GAS, max_price_per_unit: l1DataGas * PRICE_FACTOR },
  };
}

export function callTo(contract: bigint, entrypoint: string, calldata: readonly bigint[]): Call {
  return { contractAddress: toFelt(contract), entrypoint, calldata: calldata.map(toFelt) };
}
