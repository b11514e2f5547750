import type { Felt } from '@sotto/kernel';
import type { LaneClaim, NonceTaker, SignedTransaction } from '../domain/events.js';
import { nextStep, type NextStep } from '../domain/next-step.js';
import { boundsFor, raised, type ResourceBounds } from '../domain/resource-bounds.js';
import type { OpenNonce, SeenExecution } from '../domain/rows.js';
import type { TransactionSighting } from '../domain/sighting.js';
import type { ChainHead } from '../ports/chain.port.js';
import type { LaneContext } from './lane-context.js';
import type { Sender } from './sender.js';

/** What one look at the chain showed, as far as this nonce is concerned. */
export interface Look {
  readonly head: ChainHead;
  readonly sightings: ReadonlyMap<Felt, TransactionSighting>;
  readonly liveAbove: boolean;
  readonly workWaits: boolean;
}

/** Brings one open nonce a step nearer to its end: the tracker's and the resolver's part of the machine. */
export async function followNonce(lane: LaneContext, sender: Sender, nonce: OpenNonce, look: Look): Promise<void> {
  const { fence } = lane.lease;
  if (fence === null) return;
  await noteSeen(lane, nonce, look.sightings);
  let step = stepOf(lane, nonce, look, fence);
  if (step.do === 'send' && step.again && nonce.owner !== null) {
    await lane.askWhetherWanted(nonce.owner);
    step = stepOf(lane, nonce, look, fence);
  }
  await take(lane, sender, nonce, look, { lane: lane.lane.address, nonce: nonce.row.nonce, fence }, step);
}

function stepOf(lane: LaneContext, nonce: OpenNonce, { head, ...seen }: Look, fence: bigint): NextStep {
  const { ceilingL2PriceFri, resendAfterMs } = lane.settings;
  return nextStep(nonce, {
    ...seen,
    refusedForPrice: lane.refusals.refusedForPrice(nonce.row.nonce),
    chainNonce: head.accounts.get(lane.lane.address)?.nonce ?? 0n,
    unwanted: lane.whyUnwanted(nonce) !== null,
    l2GasPriceFri: head.gasPrices.l2GasFri,
    ceilingL2PriceFri,
    resendAfterMs,
    fence,
    nowMs: lane.on.clock.nowMs(),
  });
}

async function take(lane: LaneContext, sender: Sender, nonce: OpenNonce, { head }: Look, claim: LaneClaim, step: NextStep): Promise<void> {
  const { owner } = nonce;
  const { ceilingL2PriceFri } = lane.settings;
  const noop = (bounds: ResourceBounds): Promise<SignedTransaction> =>
    lane.on.signer.signNoop({ account: claim.lane, nonce: claim.nonce, bounds });
  switch (step.do) {
    case 'wait':
      return;
    case 'settle':
      return settle(lane, claim, step.taker, nonce);
    case 'find_taker':
      return findTaker(lane, claim, nonce);
    case 'send': {
      const recorded = await sender.claimAndSend(claim, step.hash);
      if (recorded.written && owner !== null) lane.on.changes.changed(owner.id);
      return;
    }
    case 'release':
      // Strict mode takes nothing back: with a provider that fans out, "never sent" is not ours to say.
      if (!lane.settings.strict) await lane.record({ type: 'release', ...claim, to: 'expired', atMs: lane.on.clock.nowMs() }, owner);
      return;
    case 'fill': {
      const transaction = await noop(lane.noopBounds(head));
      if (!(await lane.record({ type: 'fill', ...claim, transaction }))) return;
      lane.on.reached('filled');
      await sender.claimAndSend(claim, transaction.hash);
      return;
    }
    case 'cancel': {
      const transaction = await noop(raised(lane.noopBounds(head), rivalsOf(nonce), ceilingL2PriceFri));
      if (!(await lane.record({ type: 'cancel', ...claim, transaction, ceilingL2PriceFri }, owner))) return;
      lane.on.reached('cancelled');
      await sender.claimAndSend(claim, transaction.hash);
      return;
    }
    case 'replace': {
      const wanted = owner === null ? lane.noopBounds(head) : boundsFor(owner.limits, head.gasPrices);
      const bounds = raised(wanted, rivalsOf(nonce), ceilingL2PriceFri);
      const request = { account: claim.lane, nonce: claim.nonce, bounds };
      const transaction = owner === null ? await noop(bounds) : await lane.on.signer.signCall(await lane.hints.hashOf(owner), request);
      if (!(await lane.record({ type: 'replace', ...claim, transaction, ceilingL2PriceFri }, owner))) return;
      lane.on.reached('replaced');
      await sender.claimAndSend(claim, transaction.hash);
      return;
    }
  }
}

async function settle(lane: LaneContext, claim: LaneClaim, taker: NonceTaker, nonce: OpenNonce): Promise<void> {
  lane.on.reached('settling');
  const { owner } = nonce;
  const code = lane.whyUnwanted(nonce);
  const loser = code === null ? ({ to: 'accepted' } as const) : ({ to: code === 'DEADLINE_PASSED' ? 'expired' : 'refused', code } as const);
  if (!(await lane.record({ type: 'settle', ...claim, taker, loser, atMs: lane.on.clock.nowMs() }, owner))) return;
  lane.on.reached('settled');
  if (owner !== null) lane.hints.forget(owner);
  lane.on.logger.info(
    {
      lane: claim.lane,
      nonce: String(claim.nonce),
      transactionHash: taker.hash,
      execution: taker.execution,
    },
    'nonce settled',
  );
}

/** Only a transaction in hand counts: the block's one with our sender and this nonce. */
async function findTaker(lane: LaneContext, claim: LaneClaim, nonce: OpenNonce): Promise<void> {
  const hash = await lane.on.history.takerOf(claim.lane, claim.nonce);
  if (hash === null) return;
  const [sighting] = await lane.on.reader.sightings([hash]);
  if (sighting?.kind !== 'accepted') return;
  const { execution, revertReason, feeFri } = sighting;
  return settle(lane, claim, { hash, execution, revertReason, feeFri }, nonce);
}

/** O: keeps what PRE_CONFIRMED shows, for the caller's answer. */
async function noteSeen(lane: LaneContext, nonce: OpenNonce, sightings: ReadonlyMap<Felt, TransactionSighting>): Promise<void> {
  for (const { hash, kind, lane: address, nonce: number, seen: before } of nonce.transactions) {
    const sighting = sightings.get(hash);
    // The call that the node has it does not refuse.
    if (kind === 'call' && (sighting?.kind === 'waiting' || sighting?.kind === 'pre_confirmed')) lane.refusals.forget(number);
    // An accepted one is about to be settled by its receipt.
    if (sighting === undefined || sighting.kind === 'accepted') continue;
    const seen: SeenExecution | null =
      sighting.kind === 'pre_confirmed' ? { execution: sighting.execution, revertReason: sighting.revertReason } : null;
    if (seen?.execution === before?.execution && seen?.revertReason === before?.revertReason) continue;
    await lane.record({ type: 'observe', lane: address, nonce: number, hash, seen }, nonce.owner);
  }
}

function rivalsOf({ transactions }: OpenNonce): ResourceBounds[] {
  return transactions.filter(({ dead }) => !dead).map(({ bounds }) => bounds);
}
