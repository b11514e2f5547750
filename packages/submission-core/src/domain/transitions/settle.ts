import type { NonceTaker, SubmissionEvent } from '../events.js';
import { sameRef, type Attempt } from '../rows.js';
import type { Decision, View } from '../view.js';
import { backToAccepted, endWithout, openNonce, standBack, write } from './common.js';

type Settle = Extract<SubmissionEvent, { type: 'settle' }>;

/**
 * S1 and S2: who took the nonce is known at ACCEPTED_ON_L2. Its owner ends by the receipt, or, when a no-op or a stranger took
 * the nonce, nothing of it can land any more: it waits for another nonce or ends.
 */
export function settle(event: Settle, view: View): Decision {
  const nonce = openNonce(event, view);
  if ('refused' in nonce) return nonce.refused;
  const { taker } = event;
  // Judged here and not by whoever looked: rows may have come since then.
  const taking = view.transactions.find(({ hash }) => hash === taker.hash);
  const { owner } = view;
  const ownersCall = owner !== null && taking !== undefined && sameRef(taking.attempt, { key: owner.key, attempt: owner.attempt });
  return write({
    nonces: [
      {
        ...nonce.row,
        state: 'settled',
        owner: ownersCall ? nonce.row.owner : null,
        settledBy: taking === undefined ? 'stranger' : taking.hash,
        gasPaidFri: taking === undefined ? null : taker.feeFri,
      },
    ],
    // The nonce is taken: nothing else that was stored under it can land.
    transactions: view.transactions.map((row) => (row === taking ? { ...row, dead: false } : { ...row, dead: true, seen: null })),
    ...(owner === null ? {} : { attempts: [ownersCall ? executed(owner, taker, event.atMs) : afterLoss(owner, event)] }),
  });
}

function executed(owner: Attempt, taker: NonceTaker, atMs: number): Attempt {
  return {
    ...owner,
    state: taker.execution === 'SUCCEEDED' ? 'succeeded' : 'reverted',
    transactionHash: taker.hash,
    revertReason: taker.revertReason,
    gasPaidFri: taker.feeFri,
    endedAtMs: atMs,
  };
}

function afterLoss(owner: Attempt, { loser, atMs }: Settle): Attempt {
  return loser.to === 'accepted' ? backToAccepted(owner) : endWithout(owner, loser.to, loser.code, atMs);
}
