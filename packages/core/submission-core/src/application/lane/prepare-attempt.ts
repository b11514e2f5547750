import { chooseNonce } from '../../domain/choose-nonce.js';
import { boundsFor } from '../../domain/resource-bounds.js';
import type { RejectionReason } from '../../domain/machine-state.js';
import { refOf, type Attempt, type OpenNonce } from '../../domain/rows.js';
import type { ChainHead } from '../../ports/chain.port.js';
import type { HashedCall } from '../../ports/transaction-signer.port.js';
import type { LaneContext } from './lane-context.js';
import type { Sender } from './sender.js';

/**
 * St-P: gives the attempt a nonce of the lane and sends it. What can't be prepared now is held back
 * for a while. True when the attempt waits no longer.
 */
export async function prepareAttempt(
  lane: LaneContext,
  sender: Sender,
  attempt: Attempt,
  head: ChainHead,
): Promise<boolean> {
  let isHandled = false;
  await lane.isolated(
    'preparing an attempt',
    async () => {
      const code = await cancellationReason(lane, attempt);
      isHandled =
        code === null
          ? await prepareAndSend(lane, sender, attempt, head)
          : await lane.endWaiting(attempt, code);
    },
    { submission: attempt.id },
  );
  if (!isHandled) lane.hints.backOff(attempt.id);
  return isHandled;
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
  const call = await lane.hints.hashOf(attempt);
  // Its contract would execute it twice: a ledger that this one is a copy of may have sent it.
  if (!attempt.replayProtected && !(await lane.judge.isStillUpToChain())) return false;
  const known = await giveNonce(lane, sender, attempt, head, call, await lane.nonces.open());
  // What is remembered of the lane may be behind its rows: then they are read, and it is tried once
  // more.
  return (
    known === 'given' ||
    (known === 'other_rows' &&
      (await giveNonce(lane, sender, attempt, head, call, await lane.nonces.read())) === 'given')
  );
}

/** Refusals that are about the rows of the nonce, and not about the attempt. */
const OTHER_ROWS: ReadonlySet<RejectionReason> = new Set([
  'stale_version',
  'nonce_taken',
  'nonce_settled',
]);

/** `other_rows`: the nonce is not as `open` shows it. */
async function giveNonce(
  lane: LaneContext,
  sender: Sender,
  attempt: Attempt,
  head: ChainHead,
  call: HashedCall,
  open: readonly OpenNonce[],
): Promise<'given' | 'other_rows' | 'not_now'> {
  const { signer, failpoint } = lane.deps;
  const { address, settings } = lane;
  const account = head.accounts.get(address);
  const { fence } = lane.lease;
  if (account === undefined || fence === null || lane.nextNonce === null) return 'not_now';
  const choice = chooseNonce(open, lane.nextNonce, account.nonce);
  const nonceLimit = account.nonce + BigInt(settings.nonceWindow);
  if (choice === null || choice.nonce >= nonceLimit) return 'not_now';
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
  const recorded = await lane.record(event, attempt);
  if (!recorded.applied) return OTHER_ROWS.has(recorded.because) ? 'other_rows' : 'not_now';
  failpoint('prepared');
  sender.send({ ...claim, submission: attempt.id }, node, transaction.hash, transaction.bytes);
  lane.hints.forget(attempt);
  return 'given';
}
