import { confirms, contradicts, isOnL1 } from '../chain-evidence.js';
import type { NonceConsumer, SubmissionCommand } from '../events.js';
import {
  refOf,
  sameRef,
  type Attempt,
  type BlockRef,
  type NonceRow,
  type Settlement,
} from '../rows.js';
import { holderOf, type Caller, type Decision, type MachineState } from '../machine-state.js';
import {
  backToAccepted,
  endOf,
  ended,
  heldLane,
  openNonce,
  paidElsewhere,
  raised,
  reject,
  write,
} from './common.js';

/**
 * Code of an attempt whose block was undone after the outcome was final, or after the attempt's key
 * got another attempt.
 */
const UNDONE_BY_ROLLBACK = 'UNDONE_BY_ROLLBACK';

type Event<Type extends SubmissionCommand['type']> = Extract<SubmissionCommand, { type: Type }>;

/**
 * Settles a nonce whose consuming transaction is known at ACCEPTED_ON_L2 (row S of the transition
 * table). The rows of this write determine the attempt of this transaction, and the attempt ends by
 * the receipt. If another attempt held the nonce, that attempt waits again, since a rollback may
 * still put its call on chain.
 */
export function settle(event: Event<'settle'>, view: MachineState): Decision {
  const nonce = openNonce(event, view);
  if ('refused' in nonce) return nonce.refused;
  if (nonce.row.version !== event.version) return reject('stale_version');
  const { consumer } = event;
  if (!confirms(event.evidence, consumer.block)) return reject('proves_nothing');
  const ours = view.transactions.find(({ hash }) => hash === consumer.hash);
  const caller = view.callers.find(({ attempt }) => sameRef(ours?.attempt ?? null, refOf(attempt)));
  const holder = holderOf(view);
  const isOwners = caller === holder;
  const row = raised(nonce.row, {
    state: 'settled',
    owner: isOwners ? nonce.row.owner : null,
    settlement: {
      hash: consumer.hash,
      isForeign: ours === undefined,
      execution: consumer.execution,
      block: consumer.block,
      feeFri: ours === undefined ? null : consumer.feeFri,
      disprovesRejection: ours !== undefined && ours.rejectionCode !== null,
      atMs: view.nowMs,
      isFinal: false,
    },
  });
  const others = holder === null || isOwners ? [] : [afterLoss(holder, view.nowMs)];
  return write({
    nonces: [row],
    transactions: view.transactions.map((stored) => {
      if (stored === ours) return { ...stored, gone: null };
      return { ...stored, gone: stored.gone ?? 'lost', seen: null };
    }),
    attempts: [...(caller === undefined ? [] : executedOf(caller, row, consumer, view)), ...others],
  });
}

/**
 * Returns the attempt with its outcome. Returns nothing if the attempt now holds another nonce. The
 * settlement of that nonce will then write the outcome.
 */
function executedOf(
  caller: Caller,
  { lane, nonce }: NonceRow,
  consumer: NonceConsumer,
  { nowMs }: MachineState,
): readonly Attempt[] {
  const { attempt, executedBy } = caller;
  if (attempt.state === 'broadcast' && (attempt.lane !== lane || attempt.nonce !== nonce))
    return [];
  const paid = consumer.execution === 'REVERTED' ? paidElsewhere(attempt, executedBy, nowMs) : null;
  if (paid !== null) return [paid];
  return [
    {
      ...attempt,
      state: endOf(consumer.execution),
      lane,
      nonce,
      rejectionCode: null,
      transactionHash: consumer.hash,
      revertReason: consumer.revertReason,
      gasPaidFri: consumer.feeFri,
      endedAtMs: nowMs,
      isFinal: false,
    },
  ];
}

function afterLoss({ attempt, executedBy }: Caller, nowMs: number): Attempt {
  return paidElsewhere(attempt, executedBy, nowMs) ?? backToAccepted(attempt);
}

/**
 * Marks a nonce as final once the block that settled it can't be undone any more (row F of the
 * transition table).
 */
export function finalize(event: Event<'finalize'>, view: MachineState): Decision {
  const settled = settledBy(event, view);
  if ('refused' in settled) return settled.refused;
  const { row, settlement } = settled;
  if (settlement.isFinal) return reject('known_already');
  const { evidence, block, horizonMs } = event;
  if (!confirms(evidence, block)) return reject('proves_nothing');
  const isAtL1 = isOnL1(evidence, block);
  if (!isAtL1 && view.nowMs - settlement.atMs < horizonMs) return reject('too_early');
  const executed = view.callers.filter(({ attempt }) => isOutcomeOf(attempt, settlement));
  return write({
    nonces: [{ ...row, settlement: { ...settlement, isFinal: true } }],
    attempts: isAtL1 ? executed.map(({ attempt }) => ({ ...attempt, isFinal: true })) : [],
  });
}

/**
 * Reopens a nonce whose settling block is no longer on the chain, so that its transactions may land
 * again (row U of the transition table).
 *
 * The attempt of its calls holds the nonce again. Exception: if the attempt has another nonce, or
 * if its key has another attempt, no attempt holds the nonce. The next settlement of the nonce then
 * writes the outcome.
 *
 * A final row is always reopened without an owner: bytes may be redacted, and other services may
 * rely on the outcome. The call is not sent again, and a no-op consumes the nonce.
 */
export function reopen(event: Event<'reopen'>, view: MachineState): Decision {
  const settled = settledBy(event, view);
  if ('refused' in settled) return settled.refused;
  const { row, settlement } = settled;
  if (!isUndone(event, settlement)) return reject('proves_nothing');
  const revived = view.transactions.filter(({ gone }) => gone !== 'refused');
  const callers = view.callers.filter((caller) =>
    revived.some(({ attempt }) => sameRef(attempt, refOf(caller.attempt))),
  );
  const back = settlement.isFinal
    ? []
    : callers.filter((caller) => comesBack(caller, row, settlement));
  // After an adoption, several attempts may have calls under this nonce. The attempt with the
  // written outcome continues.
  const owner =
    (back.find(({ attempt }) => isOutcomeOf(attempt, settlement)) ?? back[0])?.attempt ?? null;
  return write({
    nonces: [
      raised(row, { state: 'open', owner: owner === null ? null : refOf(owner), settlement: null }),
    ],
    transactions: revived.map((stored) => ({
      ...stored,
      gone: null,
      sendCount: 2,
      claimFence: event.fence,
      claimedAtMs: stored.claimedAtMs ?? view.nowMs,
    })),
    attempts: callers.flatMap((caller) =>
      undone(caller, caller.attempt === owner, row, settlement, view.nowMs),
    ),
  });
}

/**
 * True if the row's block is no longer on the chain. For a final row, the evidence of two different
 * heads has to prove this.
 */
function isUndone(
  { evidence, earlier, block, undone: gone }: Event<'reopen'>,
  { isFinal }: Settlement,
): boolean {
  if (gone.number > block.number || (gone.number === block.number && gone.hash !== block.hash))
    return false;
  const isShownBefore =
    earlier !== null && contradicts(earlier, gone) && earlier.last.hash !== evidence.last.hash;
  return contradicts(evidence, gone) && (!isFinal || isShownBefore);
}

/** True if the attempt's outcome comes from this settlement. */
function isOutcomeOf({ transactionHash }: Attempt, { hash }: Settlement): boolean {
  return hash !== null && transactionHash === hash;
}

function comesBack(
  { attempt, isLast }: Caller,
  { lane, nonce, owner }: NonceRow,
  settlement: Settlement,
): boolean {
  const isHere = attempt.nonce === null || (attempt.lane === lane && attempt.nonce === nonce);
  // Never send a call again if its outcome was final when it was undone. This also applies if the
  // transaction that consumed the nonce instead is undone too, or if the call landed while no
  // attempt held the nonce.
  const hasEnded =
    attempt.rejectionCode === UNDONE_BY_ROLLBACK ||
    (owner === null && attempt.undone !== null && isOutcomeOf(attempt, settlement));
  return isLast && isHere && !hasEnded;
}

/**
 * Returns the changed attempt. The owner is set back to `broadcast` with its signed bytes. An
 * attempt that is not the owner only loses the outcome of this nonce; the outcome of another of its
 * transactions replaces it, if there is one.
 */
function undone(
  { attempt, executedBy }: Caller,
  isOwner: boolean,
  { lane, nonce }: NonceRow,
  settlement: Settlement,
  nowMs: number,
): readonly Attempt[] {
  const wasOutcome = isOutcomeOf(attempt, settlement);
  if (!isOwner && !wasOutcome) return [];
  const without = { transactionHash: null, revertReason: null, gasPaidFri: null, isFinal: false };
  const { hash, execution } = settlement;
  const before =
    wasOutcome && hash !== null && execution !== null
      ? { transactionHash: hash, execution, undoneAtMs: nowMs }
      : attempt.undone;
  const kept = { ...attempt, ...without, undone: before };
  if (!isOwner) return [ended(kept, executedBy, 'expired', UNDONE_BY_ROLLBACK, nowMs)];
  return [{ ...kept, state: 'broadcast', lane, nonce, endedAtMs: null, rejectionCode: null }];
}

/** Returns the row if it was settled by the block in the command; otherwise the rejection. */
function settledBy(event: Event<'finalize' | 'reopen'>, view: MachineState) {
  const held = heldLane(event, view);
  if ('refused' in held) return held;
  const { nonce: row } = view;
  if (row === null) return { refused: reject('unknown_row') };
  const { settlement } = row;
  if (settlement === null || !sameBlock(settlement.block, event.block))
    return { refused: reject('not_settled_so') };
  return { row, settlement };
}

function sameBlock(a: BlockRef | null, b: BlockRef): boolean {
  return a !== null && a.number === b.number && a.hash === b.hash;
}
