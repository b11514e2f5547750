import type { Felt } from '@sotto/kernel';
import { isDeposit } from '../../pools/domain/deposit.js';
import {
  notIncluded,
  type DepositFacts,
  type DepositName,
  type PendingDeposit,
  type TakenFunds,
  type Traffic,
} from '../../pools/domain/deposit-traffic.js';
import type { ServedPool } from '../../pools/domain/pool.js';
import type { GetPoolStatus } from '../../pools/application/get-pool-status.js';

/** State of the chain for a deposit, with the depositor's deposits in flight before the read. */
export interface ReadDeposit {
  readonly facts: DepositFacts;
  readonly pending: readonly PendingDeposit[];
}

/** Sums up the amounts that a depositor's deposits in flight will transfer. */
export class DepositFunds {
  constructor(
    private readonly getPoolStatus: Pick<GetPoolStatus, 'execute'>,
    private readonly pools: readonly ServedPool[],
  ) {}

  /**
   * Returns the amounts that other deposits reserve: from the balance in the pool's token, and from
   * the allowance for the pool. The deposit itself is not included, nor are deposits that the facts
   * contain already. A deposit that ended after the read is included, because the facts do not
   * contain it. The denominations of other pools are read if needed.
   */
  async taken(
    { pool, key, fingerprint }: DepositName,
    { live, ended }: Traffic,
    { facts, pending }: ReadDeposit,
  ): Promise<TakenFunds> {
    const paid = new Set(ended.filter(({ hasReverted }) => !hasReverted).map(({ id }) => id));
    const into = [
      ...notIncluded(live, facts)
        .filter((call) => call.fingerprint === fingerprint && call.key !== key && isDeposit(call))
        .map(({ subject }) => subject),
      ...pending
        .filter(({ id }) => paid.has(id) && !facts.includedIds.includes(id))
        .map((deposit) => deposit.pool),
    ];
    const allowance =
      BigInt(into.filter((address) => address === pool).length) * facts.denomination;
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
