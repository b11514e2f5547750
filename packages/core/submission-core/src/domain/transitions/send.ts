import type { RefusalCause, SubmissionCommand } from '../events.js';
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
 * C: claims a send before it happens. One claim is at most one request on the wire. The version
 * remains unchanged, because a settle could starve otherwise.
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
 * K2 and K3: a conclusive refusal counts only for the first and only claimed send, recorded under
 * the fence that claimed it. So it comes from the node that the claim named, and no other node has
 * the bytes. The command names no version: the row of the write contains all that it depends on.
 *
 * If no transaction remains that could land, the nonce is free again. The attempt, which owns the
 * refused transaction, waits or ends.
 */
export function refusal(event: Event<'refusal'>, view: MachineState): Decision {
  const nonce = openNonce(event, view);
  if ('refused' in nonce) return nonce.refused;
  const refused = view.transactions.find(({ hash }) => hash === event.hash);
  if (refused === undefined) return reject('unknown_row');
  if (refused.gone !== null) return reject('transaction_gone');
  if (refused.sendCount !== 1 || refused.claimFence !== event.fence)
    return reject('proves_nothing');
  const gone: TransactionRow = { ...refused, gone: 'refused', refusalCode: event.code, seen: null };
  if (landable(view).length > 1)
    return write({ transactions: [gone], nonces: [raised(nonce.row)] });
  const holder = holderOf(view);
  return write({
    transactions: [gone],
    nonces: [raised(nonce.row, { owner: null })],
    ...(holder === null ? {} : { attempts: [afterRefusal(holder, refused, event, view.nowMs)] }),
  });
}

function afterRefusal(
  { attempt: owner, executedBy, isUnfinal }: Caller,
  { kind }: TransactionRow,
  { cause, code, lane }: Event<'refusal'>,
  nowMs: number,
): Attempt {
  const paid = paidElsewhere(owner, executedBy, nowMs);
  if (paid !== null) return paid;
  const back = backToAccepted(owner);
  // A refused no-op proves nothing about the call whose nonce it should consume.
  if (kind === 'noop') return back;
  if (!blamesCall(owner, cause)) return cause === 'account' ? { ...back, avoidLane: lane } : back;
  return isUnfinal && !owner.replayProtected
    ? back
    : ended(owner, executedBy, 'refused', code, nowMs);
}

/**
 * True if the refusal is due to the call. An attempt may try another lane after one lane whose own
 * check passes. A lane whose check fails never blames the call.
 */
function blamesCall({ avoidLane }: Attempt, cause: RefusalCause): boolean {
  return cause === 'call' || (cause === 'account' && avoidLane !== null);
}

/**
 * O: stores a pre-confirmed result, for the caller's answer only. Needs no fence and no version,
 * because no transition reads it.
 */
export function observe(event: Event<'observe'>, view: MachineState): Decision {
  if (view.nonce === null) return reject('unknown_row');
  if (view.nonce.state === 'settled') return reject('nonce_settled');
  const transaction = view.transactions.find(({ hash }) => hash === event.hash);
  if (transaction === undefined) return reject('unknown_row');
  return write({ transactions: [{ ...transaction, seen: event.seen }] });
}
