import { Felts, u256FromHalves, u256ToHalves, type Felt } from '@sotto/kernel';
import { guardedFacts } from '@sotto/relayer-core';
import type { AccountTransaction, CallTarget } from '@sotto/submission-core';
import type { PoolEntrypoints } from './pool-entrypoints.js';
import { selectorOf } from './selectors.js';
import { SWAP_POOL_ENTRYPOINTS } from './swap-pool-views.js';

/** Contract call within a transaction. */
export type ContractCall = NonNullable<AccountTransaction['calls']>[number];

/** Decides which call a transaction sends before the call of an attempt, such as a guard's. */
export abstract class LeadingCalls {
  /** Returns the leading call; null if the transaction needs no leading call. */
  abstract before(target: CallTarget, calldata: Felts): Promise<ContractCall | null>;
}

/**
 * Entry point of the guard that reverts with `guard: differs` if a view returns a different value.
 */
export const ASSERT_VIEWS = 'assert_views';
/** Entry point of the guard that reverts with `guard: below` if a view returns a lower value. */
export const ASSERT_FLOORS = 'assert_floors';

export interface GuardTerms {
  /** Address of the guard contract. */
  readonly guard: Felt;
  readonly entrypoints: Pick<PoolEntrypoints, 'isKnownRoot' | 'isSpent'>;
  /**
   * Address of the swap pool, whose views have different names; null if no swap pool is configured.
   */
  readonly swapPool: Felt | null;
  /** ERC-20 token of each pool whose deposits are guarded, by pool address. */
  readonly depositTokens: ReadonlyMap<Felt, Felt>;
}

/** Index of the first minimum (its low half) in the guard calldata of a deposit. */
const LEAST_AT = 6;

const HALF = 1n << 128n;

/**
 * Encodes and recognises calls of the guard contract. The guard calldata depends only on the
 * guarded call and on the pool's denomination, which never changes.
 */
export class GuardCalls {
  constructor(private readonly terms: GuardTerms) {}

  /** Returns the guard call for a withdrawal; null for any other call. */
  beforeWithdrawal(target: CallTarget, calldata: Felts): ContractCall | null {
    const facts = guardedFacts(target, calldata);
    if (facts?.kind !== 'withdrawal') return null;
    const { pool, root, nullifierHash } = facts;
    const { isKnownRoot, isSpent } =
      pool === this.terms.swapPool ? SWAP_POOL_ENTRYPOINTS : this.terms.entrypoints;
    return this.#call(ASSERT_VIEWS, [
      // The nullifier check comes first: it is cheaper and more likely to fail. A root check makes
      // the pool iterate over its roots.
      [...view(pool, isSpent, u256ToHalves(nullifierHash)), 1n, 0n],
      [...view(pool, isKnownRoot, u256ToHalves(root)), 1n, 1n],
    ]);
  }

  /** Returns the guard call for a deposit into a guarded pool; null for any other call. */
  beforeDeposit(target: CallTarget, calldata: Felts, denomination: bigint): ContractCall | null {
    const facts = guardedFacts(target, calldata);
    if (facts?.kind !== 'deposit') return null;
    const token = this.terms.depositTokens.get(facts.pool);
    if (token === undefined) return null;
    const [owner, spender] = [BigInt(facts.depositor), BigInt(facts.pool)];
    const least = u256ToHalves(denomination);
    return this.#call(ASSERT_FLOORS, [
      [...view(token, 'allowance', [owner, spender]), ...least],
      [...view(token, 'balanceOf', [owner]), ...least],
    ]);
  }

  /**
   * Returns the calls of a transaction without the guard call. The first call is a guard call only
   * if this service would send exactly that call before the second call.
   */
  withoutGuard(calls: readonly ContractCall[]): readonly ContractCall[] {
    const [leading, carried, ...more] = calls;
    if (leading === undefined || carried === undefined || more.length > 0) return calls;
    return this.#precedes(leading, carried) ? [carried] : calls;
  }

  #precedes(leading: ContractCall, { target, calldata }: ContractCall): boolean {
    if (leading.target.to !== this.terms.guard) return false;
    const expected =
      this.beforeWithdrawal(target, calldata) ??
      this.beforeDeposit(target, calldata, leastOf(leading.calldata));
    return (
      expected !== null &&
      leading.target.entrypoint === expected.target.entrypoint &&
      leading.calldata.equals(expected.calldata)
    );
  }

  #call(entrypoint: string, items: readonly (readonly bigint[])[]): ContractCall {
    return {
      target: { to: this.terms.guard, entrypoint },
      calldata: Felts.of([BigInt(items.length), ...items.flat()]),
    };
  }
}

/** Encodes contract, selector and arguments in the layout that the guard expects. */
function view(contract: Felt, entrypoint: string, calldata: readonly bigint[]): readonly bigint[] {
  return [BigInt(contract), BigInt(selectorOf(entrypoint)), BigInt(calldata.length), ...calldata];
}

/**
 * Returns the minimum allowance that the guard calldata of a deposit contains. Returns 0 for
 * calldata in any other layout.
 */
function leastOf(calldata: Felts): bigint {
  if (calldata.length <= LEAST_AT + 1) return 0n;
  const [low, high] = [calldata.at(LEAST_AT), calldata.at(LEAST_AT + 1)];
  return low < HALF && high < HALF ? u256FromHalves(low, high) : 0n;
}
