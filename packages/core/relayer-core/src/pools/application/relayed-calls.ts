import { readProofCalldata } from '@sotto/groth16/layout';
import { tryCatch, type Felt, type Felts } from '@sotto/kernel';
import type { CallReader, CallTarget, NewSubmission, ResourceLimits } from '@sotto/submission-core';
import {
  DEPOSIT_ENTRYPOINT,
  depositFingerprint,
  depositKey,
  depositPurpose,
  readDepositCalldata,
} from '../domain/deposit.js';
import {
  PRIVATE_SWAP_ENTRYPOINT,
  readPrivateSwapCalldata,
  shownSwapTermsText,
} from '../domain/private-swap-call.js';
import {
  WITHDRAW_ENTRYPOINT,
  readStatement,
  notePurpose,
  withdrawalAsked,
  withdrawalKey,
} from '../domain/withdrawal.js';

export interface RelayedCallsPolicy {
  readonly chainId: Felt;
  /** Pools whose notes are withdrawn or swapped. */
  readonly pools: readonly { readonly address: Felt }[];
  /** Null where no swaps are carried out. */
  readonly swapPool: Felt | null;
  /** Public names of attempts; must be unguessable. */
  readonly newId: () => string;
  /** Bounds of a withdrawal or private swap. */
  readonly limits: ResourceLimits;
}

type ReadSubmission = ReturnType<CallReader['submissionOf']>;

/**
 * Reads withdrawals, private swaps and deposits back from the chain.
 *
 * - A withdrawal has the key and the fingerprint that its request had: both come from the proof's
 *   statement, which stands in the calldata.
 * - A private swap has the key and the effect of its request. Its tolerance stands in no calldata,
 *   so the detail of its fingerprint is that of
 *   what is shown ({@link shownSwapTermsText}), which no request has. Requests know what their own
 *   call would show, and take such an attempt for their own.
 * - A deposit has the key and the fingerprint that its request had: commitment and depositor are
 *   all of its calldata.
 * - A batch is not read. Its key names the first leaf, which the call does not hold; and no harm is
 *   done where one is forgotten: the next one
 *   is judged on what waits in the pool then.
 *
 * What was earned is not known: the prices of an admission stand on no chain.
 */
export class RelayedCalls implements CallReader {
  readonly #pools: ReadonlySet<Felt>;

  constructor(private readonly policy: RelayedCallsPolicy) {
    this.#pools = new Set(policy.pools.map(({ address }) => address));
  }

  submissionOf(target: CallTarget, calldata: Felts): ReadSubmission {
    const call = { target, calldata };
    if (target.entrypoint === WITHDRAW_ENTRYPOINT)
      return this.#read(target.to, calldata, [], { ...call, role: 'relay' });
    if (target.entrypoint === DEPOSIT_ENTRYPOINT) return this.#readDeposit(target, calldata);
    if (target.entrypoint !== PRIVATE_SWAP_ENTRYPOINT || target.to !== this.policy.swapPool)
      return null;
    const swap = readPrivateSwapCalldata(calldata);
    return swap === null
      ? null
      : this.#read(swap.wbtcPool, swap.proof, shownSwapTermsText(swap), {
          ...call,
          role: 'swap_owner',
        });
  }

  #readDeposit(target: CallTarget, calldata: Felts): ReadSubmission {
    const deposit = this.#pools.has(target.to) ? readDepositCalldata(calldata) : null;
    if (deposit === null) return null;
    const { chainId, newId, limits } = this.policy;
    const key = depositKey(chainId, target.to, deposit.commitment);
    const fingerprint = depositFingerprint(chainId, deposit.depositor);
    return {
      key,
      effect: fingerprint,
      fingerprint,
      ...depositPurpose(target.to, deposit.commitment),
      id: newId(),
      target,
      calldata,
      role: 'relay',
      limits,
      terms: null,
      replayProtected: true,
    };
  }

  #read(
    pool: Felt,
    proof: Felts,
    furtherTerms: readonly string[],
    call: Pick<NewSubmission, 'target' | 'calldata' | 'role'>,
  ): ReadSubmission {
    if (!this.#pools.has(pool)) return null;
    const statement = tryCatch(() => readStatement(readProofCalldata(proof).proof.publicInputs));
    if (!statement.known) return null;
    const { chainId, newId, limits } = this.policy;
    return {
      ...call,
      key: withdrawalKey(chainId, pool, statement.value.nullifierHash),
      id: newId(),
      ...withdrawalAsked(pool, statement.value, furtherTerms),
      ...notePurpose(call.role === 'swap_owner' ? 'private_swap' : 'withdraw', {
        pool,
        nullifierHash: statement.value.nullifierHash,
      }),
      limits,
      terms: null,
      replayProtected: true,
    };
  }
}

/** Asks several readers in turn: the first that knows the call says whose it is. */
export class FirstOf implements CallReader {
  constructor(private readonly readers: readonly CallReader[]) {}

  submissionOf(target: CallTarget, calldata: Felts): ReadSubmission {
    for (const reader of this.readers) {
      const submission = reader.submissionOf(target, calldata);
      if (submission !== null) return submission;
    }
    return null;
  }
}
