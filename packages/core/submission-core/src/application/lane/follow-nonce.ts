import type { Felt } from '@sotto/kernel';
import type { ChainEvidence } from '../../domain/chain-evidence.js';
import type { LaneSlot, SignedTransaction } from '../../domain/events.js';
import { nextStep, type NextStep } from '../../domain/next-step.js';
import { boundsFor, raised, type ResourceBounds } from '../../domain/resource-bounds.js';
import { isLandable, type Attempt, type OpenNonce, type SeenExecution } from '../../domain/rows.js';
import type { TransactionStatus } from '../../domain/sighting.js';
import type { ChainHead } from '../../ports/chain.port.js';
import type { Lane } from './lane.js';
import type { Failpoint } from '../settings.js';
import { findConsumer, settle } from './settle-nonce.js';

/** Result of one poll of the chain, as needed for one nonce. */
export interface Look {
  readonly head: ChainHead;
  readonly sightings: ReadonlyMap<Felt, TransactionStatus>;
  /** Closing read of the poll; null if there was nothing to write, or no answer. */
  readonly evidence: ChainEvidence | null;
  readonly liveAbove: boolean;
  readonly workWaits: boolean;
  /**
   * True if no calls are sent on this lane: they may be in flight under a nonce that this ledger
   * does not know.
   */
  readonly isQuarantined: boolean;
  /** True if the ledger is known to be up to its chain; nothing is signed or sent before. */
  readonly isJudged: boolean;
  /** True if the key is held here, so that another transaction can be signed. */
  readonly canSign: boolean;
}

/**
 * Writes the chain's data about one open nonce: the answer for a caller, and its consumer. Sends
 * nothing, so several nonces may be noted concurrently.
 */
export async function noteChain(lane: Lane, nonce: OpenNonce, look: Look): Promise<void> {
  const { fence } = lane.lease;
  if (fence === null) return;
  await noteSeen(lane, nonce, look.sightings);
  const step = stepOf(lane, nonce, look, fence);
  if (step.do === 'settle')
    await settle(lane, { lane: lane.address, nonce: nonce.row.nonce, fence }, step, nonce);
}

/**
 * Brings one open nonce a step nearer to its end, after {@link noteChain}: the tracker's and the
 * resolver's part of the machine.
 */
export async function followNonce(lane: Lane, nonce: OpenNonce, look: Look): Promise<void> {
  const { fence } = lane.lease;
  if (fence === null) return;
  let step = stepOf(lane, nonce, look, fence);
  if (step.do === 'settle') return;
  if (
    step.do === 'send' &&
    step.again &&
    nonce.owner !== null &&
    look.isJudged &&
    !look.isQuarantined
  ) {
    await lane.askWhetherWanted(nonce.owner);
    step = stepOf(lane, nonce, look, fence);
  }
  // The machine sends no call during a quarantine.
  const mayAct = look.isJudged || look.isQuarantined;
  if (!mayAct && step.do !== 'find_consumer') return;
  await take(lane, nonce, look, { lane: lane.address, nonce: nonce.row.nonce, fence }, step);
}

function stepOf(
  lane: Lane,
  nonce: OpenNonce,
  { head, isQuarantined, sightings, evidence, liveAbove, workWaits }: Look,
  fence: bigint,
): NextStep {
  const { ceilingL2PriceFri, resendAfterMs } = lane.settings;
  return nextStep(nonce, {
    sightings,
    evidence,
    liveAbove,
    workWaits,
    refusedForPrice: lane.refusals.refusedForPrice(nonce.row.nonce),
    unanswered: lane.refusals.unanswered(nonce.row.nonce),
    refusedForNonce: lane.refusals.refusedForNonce(nonce.row.nonce),
    chainNonce: accountNonceIn(head, lane),
    unwanted: isQuarantined || lane.cancellationReason(nonce) !== null,
    l2GasPriceFri: head.gasPrices.l2GasFri,
    ceilingL2PriceFri,
    resendAfterMs,
    fence,
    nowMs: lane.storeTime.nowMs() ?? 0,
  });
}

/** Account nonce at ACCEPTED_ON_L2; 0 if the account was not read. */
function accountNonceIn({ accounts }: ChainHead, { address }: Lane): bigint {
  return accounts.get(address)?.nonce ?? 0n;
}

async function take(
  lane: Lane,
  nonce: OpenNonce,
  look: Look,
  claim: LaneSlot,
  step: NextStep,
): Promise<void> {
  switch (step.do) {
    // Already written by `noteChain`.
    case 'settle':
    case 'wait':
      return;
    case 'find_consumer':
      return findConsumer(lane, claim, nonce, look);
    case 'send': {
      const recorded = await lane.sender.claimAndSend(claim, step, nonce.owner?.id ?? null);
      if (recorded.applied && nonce.owner !== null) lane.deps.changes.changed(nonce.owner.id);
      return;
    }
    case 'fill':
    case 'cancel':
    case 'replace':
      if (!look.canSign) return;
      return outbid(lane, nonce, look, claim, step.do);
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
  { head, isQuarantined }: Look,
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

/** O: stores the PRE_CONFIRMED result for the caller's answer. */
async function noteSeen(
  lane: Lane,
  nonce: OpenNonce,
  sightings: ReadonlyMap<Felt, TransactionStatus>,
): Promise<void> {
  for (const { hash, kind, lane: address, nonce: number, seen: before } of nonce.transactions) {
    const sighting = sightings.get(hash);
    // A node that has the call does not reject it.
    if (kind === 'call' && (sighting?.kind === 'waiting' || sighting?.kind === 'pre_confirmed'))
      lane.refusals.forget(number);
    // An accepted transaction is about to be settled by its receipt.
    if (sighting === undefined || sighting.kind === 'accepted' || sighting.kind === 'unread')
      continue;
    const seen: SeenExecution | null =
      sighting.kind === 'pre_confirmed'
        ? { execution: sighting.execution, revertReason: sighting.revertReason }
        : null;
    if (seen?.execution === before?.execution && seen?.revertReason === before?.revertReason)
      continue;
    await lane.record({ type: 'observe', lane: address, nonce: number, hash, seen }, nonce.owner);
  }
}
