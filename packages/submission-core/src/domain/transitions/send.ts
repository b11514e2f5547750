import type { RefusalCause, SubmissionEvent } from '../events.js';
import type { Attempt, TransactionRow } from '../rows.js';
import type { Decision, View } from '../view.js';
import { backToAccepted, endWithout, landable, openNonce, standBack, write } from './common.js';

type Event<Type extends SubmissionEvent['type']> = Extract<SubmissionEvent, { type: Type }>;

/** C: a send is claimed before it happens; one claim is at most one request on the wire. */
export function claim(event: Event<'claim'>, view: View): Decision {
  const nonce = openNonce(event, view);
  if ('refused' in nonce) return nonce.refused;
  const transaction = view.transactions.find(({ hash }) => hash === event.hash);
  if (transaction === undefined) return standBack('unknown_row');
  if (transaction.dead) return standBack('transaction_dead');
  const claimed: TransactionRow = {
    ...transaction,
    claims: transaction.claims === 0 ? 1 : 2,
    claimFence: event.fence,
    claimedAtMs: event.atMs,
  };
  return write({
    transactions: [claimed],
    ...(view.owner?.state === 'prepared' ? { attempts: [{ ...view.owner, state: 'broadcast' as const }] } : {}),
  });
}

/**
 * K2 and K3: a conclusive refusal counts only for the first and only claimed send, recorded under the fence that claimed it.
 * When nothing that could land is left, the nonce is free again and its attempt waits or ends by the refusal's cause.
 */
export function refusal(event: Event<'refusal'>, view: View): Decision {
  const nonce = openNonce(event, view);
  if ('refused' in nonce) return nonce.refused;
  const refused = view.transactions.find(({ hash }) => hash === event.hash);
  if (refused === undefined) return standBack('unknown_row');
  if (refused.dead) return standBack('transaction_dead');
  if (refused.claims !== 1 || refused.claimFence !== event.fence) return standBack('proves_nothing');
  const dead: TransactionRow = { ...refused, dead: true, refusalCode: event.code };
  if (landable(view).length > 1) return write({ transactions: [dead] });
  return write({
    transactions: [dead],
    nonces: [{ ...nonce.row, owner: null }],
    ...(view.owner === null ? {} : { attempts: [afterRefusal(view.owner, refused, event)] }),
  });
}

function afterRefusal(owner: Attempt, { kind }: TransactionRow, event: { cause: RefusalCause; code: string; atMs: number }): Attempt {
  // A refused no-op says nothing about the call whose nonce it was to take.
  const callIsAtFault = kind === 'call' && event.cause === 'call';
  return callIsAtFault ? endWithout(owner, 'refused', event.code, event.atMs) : backToAccepted(owner);
}

/** O: what PRE_CONFIRMED shows, for the caller's answer only. It needs no fence, because no transition reads it. */
export function observe(event: Event<'observe'>, view: View): Decision {
  if (view.nonce === null) return standBack('unknown_row');
  if (view.nonce.state === 'settled') return standBack('nonce_settled');
  const transaction = view.transactions.find(({ hash }) => hash === event.hash);
  if (transaction === undefined) return standBack('unknown_row');
  return write({ transactions: [{ ...transaction, seen: event.seen }] });
}
