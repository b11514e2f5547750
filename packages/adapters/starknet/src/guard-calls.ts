import { Felts, u256FromHalves, u256ToHalves, type Felt } from '@sotto/kernel';
import { guardedFacts } from '@sotto/relayer-core';
import type { AccountTransaction, CallTarget } from '@sotto/submission-core';
import type { PoolEntrypoints } from './pool-entrypoints.js';
import { selectorOf } from './selectors.js';
import { SWAP_POOL_ENTRYPOINTS } from './swap-pool-views.js';

/** One call of a transaction. */
export type ContractCall = NonNullable<AccountTransaction['calls']>[number];

/** Chooses the call that a transaction sends before the call of an attempt. */
export abstract class LeadingCalls {
  /** Null for none. */
  abstract before(target: CallTarget, calldata: Felts): Promise<ContractCall | null>;
}

/** Reverts with `guard: differs` if a view gives another answer. */
export const ASSERT_VIEWS = 'assert_views';
/** Reverts with `guard: below` if a view gives less. */
export const ASSERT_FLOORS = 'assert_floors';

export interface GuardTerms {
  /** Address of the guard contract. */
  readonly guard: Felt;
  readonly entrypoints: Pick<PoolEntrypoints, 'isKnownRoot' | 'isSpent'>;
  /** Pool with the views of swap outputs; null without one. */
  readonly swapPool: Felt | null;
  /** Tokens of pools whose deposits are guarded, by the address of the pool. */
  readonly depositTokens: ReadonlyMap<Felt, Felt>;
}

/** Position of the first floor's `least` in the calldata of a deposit's guard. */
const LEAST_AT = 6;

const HALF = 1n << 128n;

/**
 * Encodes calls of the guard contract and recognises them. The calldata depends only on the call
 * that it precedes and on the pool's denomination, which never changes.
 */
export class GuardCalls {
  constructor(private readonly terms: GuardTerms) {}

  /** Returns the guard's call before a withdrawal; null for any other call. */
  beforeWithdrawal(target: CallTarget, calldata: Felts): ContractCall | null {
    const facts = guardedFacts(target, calldata);
    if (facts?.kind !== 'withdrawal') return null;
    const { pool, root, nullifierHash } = facts;
    const { isKnownRoot, isSpent } =
      pool === this.terms.swapPool ? SWAP_POOL_ENTRYPOINTS : this.terms.entrypoints;
    return this.#call(ASSERT_VIEWS, [
      // The cheaper and more likely one first: a pool walks through its roots.
      [...view(pool, isSpent, u256ToHalves(nullifierHash)), 1n, 0n],
      [...view(pool, isKnownRoot, u256ToHalves(root)), 1n, 1n],
    ]);
  }

  /** Returns the guard's call before a deposit into a pool that is guarded; null for any other. */
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
   * Returns the calls of a transaction without the guard's. A leading call counts as the guard's
   * only if this service would send exactly that one before the call that follows.
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

/** Contract, selector and arguments, as the guard reads them. */
function view(contract: Felt, entrypoint: string, calldata: readonly bigint[]): readonly bigint[] {
  return [BigInt(contract), BigInt(selectorOf(entrypoint)), BigInt(calldata.length), ...calldata];
}

/** Least allowance in the guard's calldata of a deposit; 0 for other calldata. */
function leastOf(calldata: Felts): bigint {
  if (calldata.length <= LEAST_AT + 1) return 0n;
  const [low, high] = [calldata.at(LEAST_AT), calldata.at(LEAST_AT + 1)];
  return low < HALF && high < HALF ? u256FromHalves(low, high) : 0n;
}
