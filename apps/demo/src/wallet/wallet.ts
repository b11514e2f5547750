import { proveWithdrawal, withdrawalCalldata } from '@sotto/prover';
import { ShieldedPool, createNote, jsonRpcNode, type Note } from '@sotto/wallet/advanced';
import { loadDevelopmentKeys } from '@sotto/prover/node';
import { toFelt, u256ToHalves } from '@sotto/kernel';
import { say } from '../console.js';
import type { World, WorldPool } from '../sites/site.js';
import type { Node } from './node.js';
import { planDeposits } from './plan-deposits.js';
import { Signer, callTo } from './signer.js';

/** Body of `POST /api/relayer/withdraw`. */
export interface WithdrawalBody {
  readonly poolAddress: string;
  readonly calldata: readonly string[];
}

/** Number of waiting deposits at which the protocol deploys a batch automatically. */
const BATCH_SIZE = 3;
const ONE_WHOLE = 10n ** 8n;

/**
 * Wallet of one user. For the demonstration, it also has the keys of a relayer of the pool and of
 * other depositors.
 */
export class Wallet {
  private readonly pool: WorldPool;

  constructor(
    private readonly node: Node,
    private readonly world: World,
  ) {
    this.pool = world.pools.sentinel_1x;
  }

  /**
   * Returns the fee in the ERC-20 token's smallest unit: a tenth of the pool's maximum. The fee is
   * many times the cost of a withdrawal at the demonstration's prices.
   */
  async fee(): Promise<bigint> {
    return (await this.node.amount(this.pool.address, 'max_fee')) / 10n;
  }

  /**
   * Deposits a new note and proves its withdrawal.
   * @throws Error if a transaction of the deposit fails
   */
  async withdrawal(terms: {
    readonly recipient: bigint;
    readonly relayer: bigint;
    /** Fee in the smallest unit of the pool's token. */
    readonly feeAmount: bigint;
  }): Promise<WithdrawalBody> {
    say('making a note');
    const note = createNote();
    await this.#deposit(note);

    const pool = await ShieldedPool.open({
      node: jsonRpcNode({ url: this.node.rpcUrl }),
      address: this.pool.address,
    });
    const place = pool.placeOf(note.commitment);
    if (place?.batch === undefined) throw new Error('the deposit is in no active batch');
    const { start: batchStart, size: batchSize } = place.batch;

    say('proving the withdrawal (a second or two)');
    const keys = await loadDevelopmentKeys();
    const proof = await proveWithdrawal(
      { ...terms, note, path: pool.path(place.leafIndex), batchStart, batchSize },
      keys,
    );
    return {
      poolAddress: toFelt(this.pool.address),
      calldata: await withdrawalCalldata(proof, keys.verificationKey),
    };
  }

  async #deposit({ commitment }: Note): Promise<void> {
    const { depositor, crowd1, crowd2, lane3 } = this.world.accounts;
    const [waiting = 0n] = await this.node.call(this.pool.address, 'undeployed_count');
    const plan = planDeposits(Number(waiting), BATCH_SIZE);
    const { denomination } = this.pool;
    say(
      `depositing ${denomination} sats; ${plan.length - 1} other depositors fill the batch (${Number(denomination) / Number(ONE_WHOLE)} WBTC each)`,
    );
    await new Signer(this.node, depositor).send([
      callTo(this.pool.token, 'approve', [this.pool.address, ...u256ToHalves(denomination)]),
    ]);
    // Only a relayer of the pool may deposit. The deposit does not use the service's account,
    // because the service manages that account's nonces.
    await new Signer(this.node, lane3).send(
      plan.map((whose, index) => {
        const other = index % 2 === 0 ? crowd1 : crowd2;
        return whose === 'own'
          ? callTo(this.pool.address, 'deposit', [...u256ToHalves(commitment), depositor.address])
          : callTo(this.pool.address, 'deposit', [
              ...u256ToHalves(createNote().commitment),
              other.address,
            ]);
      }),
    );
  }
}
