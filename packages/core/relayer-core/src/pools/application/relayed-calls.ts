import { toFelt, tryCatch, type Felt, type Felts } from '@sotto/kernel';
import type { CallReader, CallTarget, NewSubmission, ResourceLimits } from '@sotto/submission-core';
import {
  DEPOSIT_ENTRYPOINT,
  depositFingerprint,
  depositKey,
  depositPurpose,
  readDepositCalldata,
} from '../domain/deposit.js';
import {
  APPLY_ACTIONS_ENTRYPOINT,
  effectsOf,
  readApplyActions,
} from '../domain/apply-actions-call.js';
import {
  PRIVATE_ACTION_KIND,
  privateActionKey,
  privateActionRequested,
} from '../domain/private-action-key.js';
import { unpackPayload } from '../domain/private-action-payload.js';
import {
  PRIVATE_SWAP_ENTRYPOINT,
  readPrivateSwapCalldata,
  shownSwapTermsText,
} from '../domain/private-swap-call.js';
import { readWithdrawalCall, recipientGasTerms } from '../domain/recipient-gas.js';
import {
  WITHDRAW_ENTRYPOINT,
  notePurpose,
  withdrawalRequested,
  withdrawalKey,
} from '../domain/withdrawal.js';

export interface RelayedCallsPolicy {
  readonly chainId: Felt;
  /** Pools whose notes can be withdrawn or swapped. */
  readonly pools: readonly { readonly address: Felt }[];
  /** Privacy pools (STRK20) whose private actions this service sends. */
  readonly privacyPools: readonly Felt[];
  /** Swap pool; null if the service executes no private swaps. */
  readonly swapPool: Felt | null;
  /** Creates the public id of an attempt. Must be unguessable. */
  readonly newId: () => string;
  /** Resource bounds of a withdrawal or private swap. */
  readonly limits: ResourceLimits;
}

type ReadSubmission = ReturnType<CallReader['submissionOf']>;

/**
 * Recognises withdrawals, private swaps, deposits and private actions in calls on chain.
 *
 * - A withdrawal gets the key and the fingerprint of its request. Both are derived from the proof's
 *   statement, which is part of the calldata, and from the STRK that the transaction gives to the
 *   recipient.
 * - A private swap gets the key and the effect of its request. The calldata does not contain the
 *   tolerance, so the detail of its fingerprint covers only the terms in the call ({@link
 *   shownSwapTermsText}). This detail differs from the detail of every request. To find such an
 *   attempt, a request also computes this detail for its own call.
 * - A deposit gets the key and the fingerprint of its request: its calldata contains only
 *   commitment and depositor.
 * - Private actions get the key and the effect of their request, because the actions are in the
 *   calldata. The proof facts are not, so the fingerprint differs from that of every request.
 * - A batch is not recognised: its key contains the first leaf, which is not part of the call. This
 *   does no harm, because the next batch depends only on the deposits that wait at that time.
 *
 * The income of recognised submissions is unknown, because the prices at their admission are not on
 * chain.
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
    if (target.entrypoint === APPLY_ACTIONS_ENTRYPOINT)
      return this.#readPrivateActions(target, calldata);
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

  #readPrivateActions(target: CallTarget, calldata: Felts): ReadSubmission {
    const { chainId, newId, limits, privacyPools } = this.policy;
    const payload = privacyPools.includes(target.to) ? unpackPayload(calldata) : null;
    if (payload === null) return null;
    const call = tryCatch(() => readApplyActions(payload.calldata));
    if (!call.known) return null;
    const { actions, actionFelts } = call.value;
    const { writeOnceAddresses } = effectsOf(actions, NO_FEE_ADDRESS);
    if (writeOnceAddresses.length === 0) return null;
    return {
      key: privateActionKey(chainId, target.to, writeOnceAddresses),
      ...privateActionRequested(target.to, actionFelts, payload.facts),
      kind: PRIVATE_ACTION_KIND,
      subject: target.to,
      memo: null,
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
    const withdrawal = readWithdrawalCall(proof);
    if (withdrawal === null) return null;
    const { statement, recipientGas } = withdrawal;
    // Only the call of a plain withdrawal may be followed by a transfer.
    if (recipientGas !== null && call.role !== 'relay') return null;
    const terms = [...furtherTerms, ...recipientGasTerms(recipientGas?.amountFri ?? 0n)];
    const { chainId, newId, limits } = this.policy;
    return {
      ...call,
      key: withdrawalKey(chainId, pool, statement.nullifierHash),
      id: newId(),
      ...withdrawalRequested(pool, statement, terms),
      ...notePurpose(call.role === 'swap_owner' ? 'private_swap' : 'withdraw', {
        pool,
        nullifierHash: statement.nullifierHash,
      }),
      limits,
      terms: null,
      replayProtected: true,
    };
  }
}

/** The fees of adopted actions are not counted, so no address earns them. */
const NO_FEE_ADDRESS = toFelt(0n);

/**
 * Calls several readers in turn. Returns the submission of the first reader that recognises the
 * call.
 */
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
