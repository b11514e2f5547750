import type { RejectionCause, SubmissionCommand } from '../events.js';
import type { Attempt, TransactionRow } from '../rows.js';
import {
  holderOf,
  isBehind,
  type Caller,
  type Decision,
  type MachineState,
} from '../machine-state.js';
import {
  backToAccepted,
  ended,
  landable,
  openNonce,
  paidElsewhere,
  raised,
  reject,
  write,
} from './common.js';

type Event<Type extends SubmissionCommand['type']> = Extract<SubmissionCommand, { type: Type }>;

/**
 * Claims a send before the send is made (row C of the transition table). One claim allows at most
 * one request to the node. The version of the nonce's row does not change. Otherwise repeated
 * claims could prevent the settlement of the nonce for ever.
 */
export function claim(event: Event<'claim'>, view: MachineState): Decision {
  const nonce = openNonce(event, view);
  if ('refused' in nonce) return nonce.refused;
  const transaction = view.transactions.find(({ hash }) => hash === event.hash);
  if (transaction === undefined) return reject('unknown_row');
  if (transaction.gone !== null) return reject('transaction_gone');
  if (transaction.kind === 'call' && isBehind(view.lanes)) return reject('ledger_behind');
  const claims = transaction.sendCount === 0 ? 1 : 2;
  return write({
    transactions: [
      {
        ...transaction,
        sendCount: claims,
        claimFence: event.fence,
        claimedAtMs: view.nowMs,
        claimNode: event.node,
      },
    ],
  });
}

/**
 * Records a conclusive refusal (rows K2 and K3 of the transition table). The command is accepted
 * only if the transaction has had a single claimed send, and only under the fence that claimed this
 * send. The refusal therefore comes from the node of the claim, and no other node has the bytes.
 * The command needs no version: it depends only on the row that it writes.
 *
 * If no transaction remains that could land, the nonce is free again. The attempt of the refused
 * transaction waits or ends.
 */
export function rejection(event: Event<'refusal'>, view: MachineState): Decision {
  const nonce = openNonce(event, view);
  if ('refused' in nonce) return nonce.refused;
  const refused = view.transactions.find(({ hash }) => hash === event.hash);
  if (refused === undefined) return reject('unknown_row');
  if (refused.gone !== null) return reject('transaction_gone');
  if (refused.sendCount !== 1 || refused.claimFence !== event.fence)
    return reject('proves_nothing');
  const gone: TransactionRow = {
    ...refused,
    gone: 'refused',
    rejectionCode: event.code,
    seen: null,
  };
  if (landable(view).length > 1)
    return write({ transactions: [gone], nonces: [raised(nonce.row)] });
  const holder = holderOf(view);
  return write({
    transactions: [gone],
    nonces: [raised(nonce.row, { owner: null })],
    ...(holder === null ? {} : { attempts: [afterRejection(holder, refused, event, view.nowMs)] }),
  });
}

function afterRejection(
  { attempt: owner, executedBy, isUnfinal }: Caller,
  { kind }: TransactionRow,
  { cause, code, lane }: Event<'refusal'>,
  nowMs: number,
): Attempt {
  const paid = paidElsewhere(owner, executedBy, nowMs);
  if (paid !== null) return paid;
  const back = backToAccepted(owner);
  // The refusal of a no-op proves nothing about the call that the no-op should replace.
  if (kind === 'noop') return back;
  if (!blamesCall(owner, cause)) return cause === 'account' ? { ...back, avoidLane: lane } : back;
  return isUnfinal && !owner.replayProtected
    ? back
    : ended(owner, executedBy, 'refused', code, nowMs);
}

/**
 * True if the call is the cause of the refusal. If a lane rejects the attempt although the lane's
 * account check passes, the attempt may try one other lane. If a lane's account check fails, the
 * cause is the lane and not the call.
 */
function blamesCall({ avoidLane }: Attempt, cause: RejectionCause): boolean {
  return cause === 'call' || (cause === 'account' && avoidLane !== null);
}

/**
 * Stores a pre-confirmed result, which is used only for the response to the caller (row O of the
 * transition table). The command needs no fence and no version, because no transition reads the
 * result.
 */
export function observe(event: Event<'observe'>, view: MachineState): Decision {
  if (view.nonce === null) return reject('unknown_row');
  if (view.nonce.state === 'settled') return reject('nonce_settled');
  const transaction = view.transactions.find(({ hash }) => hash === event.hash);
  if (transaction === undefined) return reject('unknown_row');
  return write({ transactions: [{ ...transaction, seen: event.seen }] });
}
