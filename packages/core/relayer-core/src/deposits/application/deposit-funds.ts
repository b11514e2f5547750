import type { Felt } from '@sotto/kernel';
import { isDeposit } from '../../pools/domain/deposit.js';
import type { DepositName } from '../../pools/domain/deposit-traffic.js';
import type { ServedPool } from '../../pools/domain/pool.js';
import type { LiveCall } from '../../pools/ports/traffic-store.port.js';
import type { GetPoolStatus } from '../../pools/application/get-pool-status.js';

/** Sums up the amounts that a depositor's deposits in flight will transfer. */
export class DepositFunds {
  constructor(
    private readonly getPoolStatus: Pick<GetPoolStatus, 'execute'>,
    private readonly pools: readonly ServedPool[],
  ) {}

  /**
   * Returns the amounts that the depositor's other deposits in flight reserve: from the balance in
   * the pool's token, and from the allowance for the pool. The deposit `name` itself is not
   * included.
   * @param denomination denomination of the pool; the denominations of other pools are read if
   *   needed
   */
  async taken(
    { pool, key, fingerprint }: DepositName,
    live: readonly LiveCall[],
    denomination: bigint,
  ): Promise<{ readonly balance: bigint; readonly allowance: bigint }> {
    const into = live
      .filter((call) => call.fingerprint === fingerprint && call.key !== key)
      .flatMap((call) => (isDeposit(call) ? [call.subject] : []));
    const allowance = BigInt(into.filter((address) => address === pool).length) * denomination;
    const elsewhere = into.filter(
      (address) => address !== pool && this.#tokenOf(address) === this.#tokenOf(pool),
    );
    const amounts = await Promise.all(
      elsewhere.map(async (address) => (await this.getPoolStatus.execute(address)).denomination),
    );
    return { allowance, balance: amounts.reduce((sum, amount) => sum + amount, allowance) };
  }

  #tokenOf(address: Felt): Felt | null {
    return this.pools.find((pool) => pool.address === address)?.token.address ?? null;
  }
}
