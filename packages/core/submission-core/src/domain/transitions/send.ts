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
 * C: a send is claimed before it happens; one claim is at most one request on the wire. It leaves
 * the version as it is, or a settle could starve.
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
 * the fence that claimed it: so it is the answer of the node that the claim named, and no other has
 * the bytes. It names no version: what it proves stands in the row of the write.
 * When nothing that could land is left, the nonce is free again and the attempt, which is the
 * refused transaction's own, waits or ends.
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
  // A refused no-op says nothing about the call whose nonce it was to consume.
  if (kind === 'noop') return back;
  if (!blamesCall(owner, cause)) return cause === 'account' ? { ...back, avoidLane: lane } : back;
  return isUnfinal && !owner.replayProtected
    ? back
    : ended(owner, executedBy, 'refused', code, nowMs);
}

/**
 * After one lane whose own check passes an attempt may try one lane more. A lane whose check fails
 * blames no call.
 */
function blamesCall({ avoidLane }: Attempt, cause: RefusalCause): boolean {
  return cause === 'call' || (cause === 'account' && avoidLane !== null);
}

/**
 * O: what PRE_CONFIRMED shows, for the caller's answer only. It needs no fence and no version,
 * because no transition reads it.
 */
export function observe(event: Event<'observe'>, view: MachineState): Decision {
  if (view.nonce === null) return reject('unknown_row');
  if (view.nonce.state === 'settled') return reject('nonce_settled');
  const transaction = view.transactions.find(({ hash }) => hash === event.hash);
  if (transaction === undefined) return reject('unknown_row');
  return write({ transactions: [{ ...transaction, seen: event.seen }] });
}
