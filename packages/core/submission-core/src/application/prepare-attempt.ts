import { chooseNonce } from '../domain/choose-nonce.js';
import { boundsFor } from '../domain/resource-bounds.js';
import { refOf, type Attempt } from '../domain/rows.js';
import type { ChainHead } from '../ports/chain.port.js';
import type { LaneContext } from './lane-context.js';
import type { Sender } from './sender.js';

/**
 * St-P: gives the attempt a nonce of the lane and sends it. What can't be prepared now is held back
 * for a while.
 */
export async function prepareAttempt(
  lane: LaneContext,
  sender: Sender,
  attempt: Attempt,
  head: ChainHead,
): Promise<void> {
  let isHandled = false;
  await lane.isolated('preparing an attempt', async () => {
    const code = await cancellationReason(lane, attempt);
    isHandled =
      code === null
        ? await prepareAndSend(lane, sender, attempt, head)
        : await lane.endWaiting(attempt, code);
  });
  if (!isHandled) lane.hints.backOff(attempt.id);
}

/**
 * The domain has the last word before an attempt gets a nonce: much may have changed since its
 * admission, or since its last nonce.
 */
async function cancellationReason(lane: LaneContext, attempt: Attempt): Promise<string | null> {
  return lane.hints.cancellationReason(attempt) ?? lane.deps.revalidator.refusalOf(attempt);
}

async function prepareAndSend(
  lane: LaneContext,
  sender: Sender,
  attempt: Attempt,
  head: ChainHead,
): Promise<boolean> {
  const { ledger, signer, failpoint } = lane.deps;
  const { address, settings } = lane;
  const account = head.accounts.get(address);
  const { fence } = lane.lease;
  if (account === undefined || fence === null || lane.nextNonce === null) return false;
  const call = await lane.hints.hashOf(attempt);
  const choice = chooseNonce(await ledger.openNonces(address), lane.nextNonce, account.nonce);
  const nonceLimit = account.nonce + BigInt(settings.nonceWindow);
  if (choice === null || choice.nonce >= nonceLimit) return false;
  const { nonce, version } = choice;
  const transaction = await signer.signCall(call, {
    account: address,
    nonce,
    bounds: boundsFor(attempt.limits, head.gasPrices),
  });
  const claim = { lane: address, nonce, fence };
  const { ceilingL2PriceFri } = settings;
  const node = sender.nodeFor(null);
  const carried = { attempt: refOf(attempt), fingerprint: attempt.fingerprint, transaction };
  const event = {
    type: 'store',
    ...claim,
    version,
    ...carried,
    node,
    ceilingL2PriceFri,
    nonceLimit,
  } as const;
  if (!(await lane.record(event, attempt)).applied) return false;
  failpoint('prepared');
  sender.send(claim, node, transaction.hash, transaction.bytes);
  lane.hints.forget(attempt);
  return true;
}
