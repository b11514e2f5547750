import { chooseNonce } from '../domain/choose-nonce.js';
import { boundsFor } from '../domain/resource-bounds.js';
import { refOf, type Attempt } from '../domain/rows.js';
import type { ChainHead } from '../ports/chain.port.js';
import type { LaneContext } from './lane-context.js';
import type { Sender } from './sender.js';

/** P': gives the attempt a nonce of the lane and sends it. What can't be prepared now is held back for a while. */
export async function prepareAttempt(lane: LaneContext, sender: Sender, attempt: Attempt, head: ChainHead): Promise<void> {
  let isHandled = false;
  await lane.apart('preparing an attempt', async () => {
    isHandled = (await endIfUnwanted(lane, attempt)) || (await prepareAndSend(lane, sender, attempt, head));
  });
  if (!isHandled) lane.hints.holdBack(attempt.id);
}

/** An attempt that came back from a nonce passes admission again before it gets another one. True when that ended it. */
async function endIfUnwanted(lane: LaneContext, attempt: Attempt): Promise<boolean> {
  if (!attempt.readmit) return false;
  const code = await lane.on.readmission.refusalOf(attempt);
  if (code === null) return false;
  await lane.record({ type: 'end_waiting', attempt: refOf(attempt), to: 'refused', code, atMs: lane.on.clock.nowMs() }, attempt);
  lane.hints.forget(attempt);
  return true;
}

async function prepareAndSend(lane: LaneContext, sender: Sender, attempt: Attempt, head: ChainHead): Promise<boolean> {
  const { ledger, signer, clock, reached, changes } = lane.on;
  const { address } = lane.lane;
  const account = head.accounts.get(address);
  const { fence } = lane.lease;
  if (account === undefined || fence === null) return false;
  const call = await lane.hints.hashOf(attempt);
  const { nonce, missing } = chooseNonce(await ledger.openNonces(address), await ledger.nextNonce(address), account.nonce);
  for (const gap of missing) await lane.record({ type: 'catch_up', lane: address, nonce: gap, fence });
  const transaction = await signer.signCall(call, { account: address, nonce, bounds: boundsFor(attempt.limits, head.gasPrices) });
  const claim = { lane: address, nonce, fence };
  const atMs = clock.nowMs();
  if (!(await lane.record({ type: 'prepare', ...claim, attempt: refOf(attempt), transaction, claim: true, atMs }))) return false;
  reached('prepared');
  sender.send(claim, transaction.hash, transaction.bytes);
  lane.hints.forget(attempt);
  changes.changed(attempt.id);
  return true;
}
