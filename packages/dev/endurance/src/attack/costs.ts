import { toFelt } from '@sotto/kernel';
import { sandboxWorld } from '@sotto/sandbox';
import { lanes, type Inclusion } from '../stack/chain.js';

/**
 * Price of a sat in fri on the sandbox's chain. The prices are 100,000 USD per BTC, 3,500 USD per
 * ETH and 0.04 USD per STRK.
 */
export const FRI_PER_SAT = 25n * 10n ** 15n;
export const FRI_PER_WEI = 87_500n;

/** Costs of an attack for the operator and for the attacker, in fri. */
export interface Costs {
  /**
   * Gas in fri that the operator paid for the attacker's transactions, minus the fees of these
   * transactions.
   */
  readonly operatorFri: bigint;
  /**
   * Fees that the attacker paid, and gas of transactions that the attacker sent directly, in fri.
   */
  readonly attackerFri: bigint;
}

export interface Spending {
  /** Transactions that were included since the attack began. */
  readonly inclusions: readonly Inclusion[];
  /** Hashes of the honest client's transactions. */
  readonly honest: ReadonlySet<string>;
  /** Fee in fri that each succeeded transaction of the attacker pays to the operator. */
  readonly paysFri: bigint;
  /** Number of withdrawals that the attacker sent directly to the chain. */
  readonly sentDirectly: number;
}

/** Computes the operator's and the attacker's costs from the included transactions. */
export function costsOf({ inclusions, honest, paysFri, sentDirectly }: Spending): Costs {
  const own: ReadonlySet<string> = new Set(
    [...Object.values(lanes), sandboxWorld.accounts.swapOwner].map(({ address }) =>
      toFelt(address),
    ),
  );
  const caused = inclusions.filter(({ hash, sender }) => own.has(sender) && !honest.has(hash));
  const paid = ({ executionStatus }: Inclusion): bigint =>
    executionStatus === 'SUCCEEDED' ? paysFri : 0n;
  const dearest = inclusions.reduce((most, { feeFri }) => (feeFri > most ? feeFri : most), 0n);
  return {
    operatorFri: caused.reduce((sum, each) => {
      const lossFri = each.feeFri - paid(each);
      return lossFri > 0n ? sum + lossFri : sum;
    }, 0n),
    attackerFri:
      caused.reduce((sum, each) => sum + paid(each), 0n) + BigInt(sentDirectly) * dearest,
  };
}
