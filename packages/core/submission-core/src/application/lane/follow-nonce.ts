import type { Felt } from '@sotto/kernel';
import type { ChainEvidence } from '../../domain/chain-evidence.js';
import type { LaneSlot, SignedTransaction } from '../../domain/events.js';
import { nextStep, type NextStep } from '../../domain/next-step.js';
import { boundsFor, raised, type ResourceBounds } from '../../domain/resource-bounds.js';
import { isLandable, type Attempt, type OpenNonce, type SeenExecution } from '../../domain/rows.js';
import type { TransactionStatus } from '../../domain/transaction-status.js';
import type { ChainHead } from '../../ports/chain.port.js';
import type { Lane } from './lane.js';
import type { Failpoint } from '../settings.js';
import { findConsumer, settle } from './settle-nonce.js';

/** Result of one poll of the chain, with the facts that are needed to process a nonce. */
export interface Poll {
  readonly head: ChainHead;
  readonly sightings: ReadonlyMap<Felt, TransactionStatus>;
  /**
   * Closing read of the poll; null if there was nothing to write, or if the node did not respond.
   */
  readonly evidence: ChainEvidence | null;
  readonly liveAbove: boolean;
  readonly workWaits: boolean;
  /**
   * True if the lane is in quarantine. No calls are sent on the lane, because they may already be
   * in flight under a nonce that this ledger does not contain.
   */
  readonly isQuarantined: boolean;
  /**
   * True if the ledger is known to contain everything that its chain shows. While this is false,
   * nothing is signed or sent.
   */
  readonly isJudged: boolean;
  /** True if this instance has the key of the lane, so that it can sign another transaction. */
  readonly canSign: boolean;
}

/**
 * Stores data of the chain about one open nonce: the result for the caller, and the transaction
 * that consumed the nonce. Sends nothing, so several nonces may be processed concurrently.
 */
export async function noteChain(lane: Lane, nonce: OpenNonce, poll: Poll): Promise<void> {
  const { fence } = lane.lease;
  if (fence === null) return;
  await noteSeen(lane, nonce, poll.sightings);
  const step = stepOf(lane, nonce, poll, fence);
  if (step.do === 'settle')
    await settle(lane, { lane: lane.address, nonce: nonce.row.nonce, fence }, step, nonce);
}

/**
 * Executes the next step of one open nonce, after {@link noteChain}: searches the consuming
 * transaction, sends or replaces a transaction, or fills the nonce.
 */
export async function followNonce(lane: Lane, nonce: OpenNonce, poll: Poll): Promise<void> {
  const { fence } = lane.lease;
  if (fence === null) return;
  let step = stepOf(lane, nonce, poll, fence);
  if (step.do === 'settle') return;
  if (
    step.do === 'send' &&
    step.again &&
    nonce.owner !== null &&
    poll.isJudged &&
    !poll.isQuarantined
  ) {
    await lane.checkWanted(nonce.owner);
    step = stepOf(lane, nonce, poll, fence);
  }
  // During a quarantine, the machine sends no calls, but it may send no-ops.
  const mayAct = poll.isJudged || poll.isQuarantined;
  if (!mayAct && step.do !== 'find_consumer') return;
  await take(lane, nonce, poll, { lane: lane.address, nonce: nonce.row.nonce, fence }, step);
}

function stepOf(
  lane: Lane,
  nonce: OpenNonce,
  { head, isQuarantined, sightings, evidence, liveAbove, workWaits }: Poll,
  fence: bigint,
): NextStep {
  const { ceilingL2PriceFri, resendAfterMs } = lane.settings;
  return nextStep(nonce, {
    sightings,
    evidence,
    liveAbove,
    workWaits,
    refusedForPrice: lane.rejections.refusedForPrice(nonce.row.nonce),
    unanswered: lane.rejections.unanswered(nonce.row.nonce),
    refusedForNonce: lane.rejections.refusedForNonce(nonce.row.nonce),
    chainNonce: accountNonceIn(head, lane),
    unwanted: isQuarantined || lane.cancellationReason(nonce) !== null,
    blocksLeft: lane.heights.fewestBlocksLeft(nonce.owner, head),
    l2GasPriceFri: head.gasPrices.l2GasFri,
    ceilingL2PriceFri,
    resendAfterMs,
    fence,
    nowMs: lane.storeTime.nowMs() ?? 0,
  });
}

/** Returns the account nonce at ACCEPTED_ON_L2; 0 if the account was not read. */
function accountNonceIn({ accounts }: ChainHead, { address }: Lane): bigint {
  return accounts.get(address)?.nonce ?? 0n;
}

async function take(
  lane: Lane,
  nonce: OpenNonce,
  poll: Poll,
  claim: LaneSlot,
  step: NextStep,
): Promise<void> {
  switch (step.do) {
    // The function `noteChain` has already written this step.
    case 'settle':
    case 'wait':
      return;
    case 'find_consumer':
      return findConsumer(lane, claim, nonce, poll);
    case 'send': {
      const recorded = await lane.sender.claimAndSend(claim, step, nonce.owner?.id ?? null);
      if (recorded.applied && nonce.owner !== null) lane.deps.changes.changed(nonce.owner.id);
      return;
    }
    case 'fill':
    case 'cancel':
    case 'replace':
      if (!poll.canSign) return;
      return outbid(lane, nonce, poll, claim, step.do);
  }
}

const REACHED = {
  fill: 'filled',
  cancel: 'cancelled',
  replace: 'replaced',
} as const satisfies Record<string, Failpoint>;

/** Stores another transaction under the nonce: the owner's call at a higher price, or a no-op. */
async function outbid(
  lane: Lane,
  { row, owner, transactions }: OpenNonce,
  { head, isQuarantined }: Poll,
  claim: LaneSlot,
  what: keyof typeof REACHED,
): Promise<void> {
  const { ceilingL2PriceFri } = lane.settings;
  const attempt = what === 'replace' ? owner : null;
  const rivals = transactions.filter(isLandable).map(({ bounds }) => bounds);
  const wanted =
    attempt === null
      ? isQuarantined
        ? lane.noopAtCeiling(head)
        : lane.noopBounds(head)
      : boundsFor(attempt.limits, head.gasPrices);
  const bounds = raised(wanted, rivals, ceilingL2PriceFri);
  const transaction = await signed(lane, claim, attempt, bounds);
  await lane.storeAndSend(
    {
      claim,
      version: row.version,
      nonceLimit: claim.nonce + 1n,
      attempt,
      transaction,
      checkpoint: REACHED[what],
    },
    owner,
  );
}

async function signed(
  lane: Lane,
  { lane: account, nonce }: LaneSlot,
  attempt: Attempt | null,
  bounds: ResourceBounds,
): Promise<SignedTransaction> {
  const request = { account, nonce, bounds };
  return attempt === null
    ? lane.deps.signer.signNoop(request)
    : lane.deps.signer.signCall(await lane.hints.hashOf(attempt), request);
}

/** Stores the PRE_CONFIRMED result for the caller (row O of the transition table). */
async function noteSeen(
  lane: Lane,
  nonce: OpenNonce,
  sightings: ReadonlyMap<Felt, TransactionStatus>,
): Promise<void> {
  for (const { hash, kind, lane: address, nonce: number, seen: before } of nonce.transactions) {
    const reportedStatus = sightings.get(hash);
    // The node has the call, so earlier rejections of this call no longer apply.
    if (
      kind === 'call' &&
      (reportedStatus?.kind === 'waiting' || reportedStatus?.kind === 'pre_confirmed')
    )
      lane.rejections.forget(number);
    // An accepted transaction will be settled by its receipt, so do not store a pre-confirmed
    // result.
    if (
      reportedStatus === undefined ||
      reportedStatus.kind === 'accepted' ||
      reportedStatus.kind === 'unread'
    )
      continue;
    const seen: SeenExecution | null =
      reportedStatus.kind === 'pre_confirmed'
        ? { execution: reportedStatus.execution, revertReason: reportedStatus.revertReason }
        : null;
    if (seen?.execution === before?.execution && seen?.revertReason === before?.revertReason)
      continue;
    await lane.record({ type: 'observe', lane: address, nonce: number, hash, seen }, nonce.owner);
  }
}
