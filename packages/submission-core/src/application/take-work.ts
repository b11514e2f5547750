import { chooseNonce } from '../domain/choose-nonce.js';
import { boundsFor } from '../domain/resource-bounds.js';
import { refOf, type Attempt, type OpenNonce } from '../domain/rows.js';
import type { ChainHead } from '../ports/chain.port.js';
import type { LaneContext } from './lane-context.js';
import type { Sender } from './sender.js';

/** What a lane can do now. */
export type LaneState = 'ready' | 'full' | 'short_of_funds' | 'held_elsewhere' | 'unknown';

/** P': gives nonces to waiting attempts while the lane has room and money. Returns what the lane can do afterwards. */
export async function takeWork(lane: LaneContext, sender: Sender, head: ChainHead): Promise<LaneState> {
  const { fence } = lane.lease;
  if (fence === null) return 'held_elsewhere';
  const open = await lane.on.ledger.openNonces(lane.lane.address);
  let room = lane.settings.maxInFlightPerLane - open.filter(isOccupied).length;
  if (room <= 0) return 'full';
  const waiting = await lane.on.ledger.waiting(lane.lane.role, lane.settings.maxInFlightPerLane);
  // Hashing is the slow part and needs no nonce: all of them start before the first is awaited.
  for (const attempt of waiting) void lane.hashOf(attempt).catch(() => undefined);
  let shortOfFunds = !lane.canPay(head, lane.noopBounds(head));
  for (const attempt of waiting) {
    if (room <= 0) return 'full';
    if (lane.isHeldBack(attempt)) continue;
    const bounds = boundsFor(attempt.limits, head.gasPrices);
    if (!lane.canPay(head, bounds)) {
      shortOfFunds = true;
      continue;
    }
    if (bounds.l2Gas.maxPriceFri > lane.settings.ceilingL2PriceFri) continue;
    const tried = await lane.apart('preparing an attempt', async () => {
      if ((await isStillAdmitted(lane, attempt)) && (await prepareAndSend(lane, sender, attempt, head, fence))) room -= 1;
    });
    if (!tried) lane.holdBack(attempt.id);
    if (lane.lease.fence !== fence) return 'held_elsewhere';
  }
  return shortOfFunds ? 'short_of_funds' : 'ready';
}

function isOccupied({ transactions }: OpenNonce): boolean {
  return transactions.some(({ dead }) => !dead);
}

/** An attempt that came back from a nonce passes admission again before it gets another one. */
async function isStillAdmitted(lane: LaneContext, attempt: Attempt): Promise<boolean> {
  if (!attempt.readmit) return true;
  const code = await lane.on.readmission.refusalOf(attempt);
  if (code === null) return true;
  await lane.record({ type: 'end_waiting', attempt: refOf(attempt), to: 'refused', code, atMs: lane.on.clock.nowMs() }, attempt);
  lane.forget(attempt);
  return false;
}

async function prepareAndSend(lane: LaneContext, sender: Sender, attempt: Attempt, head: ChainHead, fence: bigint): Promise<boolean> {
  const { ledger, signer, clock, reached, changes } = lane.on;
  const { address } = lane.lane;
  const account = head.accounts.get(address);
  if (account === undefined) return false;
  const call = await lane.hashOf(attempt);
  const { nonce, missing } = chooseNonce(await ledger.openNonces(address), await ledger.nextNonce(address), account.nonce);
  for (const gap of missing) await lane.record({ type: 'catch_up', lane: address, nonce: gap, fence });
  const transaction = await signer.signCall(call, { account: address, nonce, bounds: boundsFor(attempt.limits, head.gasPrices) });
  const claim = { lane: address, nonce, fence };
  const atMs = clock.nowMs();
  if (!(await lane.record({ type: 'prepare', ...claim, attempt: refOf(attempt), transaction, claim: true, atMs }))) return false;
  reached('prepared');
  sender.send(claim, transaction.hash, transaction.bytes);
  lane.forget(attempt);
  changes.changed(attempt.id);
  return true;
}
