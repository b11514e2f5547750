import type { Felt } from '@sotto/kernel';
import { confirms, type ChainEvidence } from '../../domain/chain-evidence.js';
import type { LaneSlot, NonceConsumer } from '../../domain/events.js';
import { consumerOf } from '../../domain/next-step.js';
import type { OpenNonce } from '../../domain/rows.js';
import { headOf, type AccountTransaction, type ChainHead } from '../../ports/chain.port.js';
import type { CommandResult } from '../../ports/ledger.port.js';
import { adopt, isOurs } from '../ledger/adopt-call.js';
import { bounded } from '../bounded.js';
import type { Lane } from './lane.js';

/** Poll results that the search for a nonce's consumer needs. */
interface Seen {
  readonly head: ChainHead;
  readonly isQuarantined: boolean;
}

/** Transaction that consumed a nonce, with the closing read that proves it. */
interface Consumption {
  readonly consumer: NonceConsumer;
  readonly evidence: ChainEvidence;
}

/** Records the transaction that consumed a nonce (row S of the transition table). */
export async function settle(
  lane: Lane,
  claim: LaneSlot,
  { consumer, evidence }: Consumption,
  { row, owner }: OpenNonce,
): Promise<CommandResult> {
  lane.deps.failpoint('settling');
  const unwanted = lane.cancellationReason({ row, owner });
  const recorded = await lane.record(
    { type: 'settle', ...claim, version: row.version, consumer, evidence },
    owner,
  );
  if (!recorded.applied) return recorded;
  lane.deps.failpoint('settled');
  if (owner !== null) lane.hints.forget(owner);
  const fields = {
    submission: owner?.id ?? null,
    lane: claim.lane,
    nonce: String(claim.nonce),
    transactionHash: consumer.hash,
    execution: consumer.execution,
  };
  lane.deps.logger.info(fields, 'nonce settled');
  if (recorded.nonce?.settlement?.disprovesRejection === true) {
    lane.alarms.disprovedRefusals += 1;
    lane.deps.logger.error(
      fields,
      'a refused transaction has landed: refusals of this provider prove nothing',
    );
  }
  const lost = recorded.attempt?.state === 'accepted' ? recorded.attempt : null;
  if (lost !== null && unwanted !== null) await lane.endWaiting(lost, unwanted);
  return recorded;
}

/**
 * Searches for the transaction that consumed a nonce, if no stored transaction did. Accepts only a
 * transaction in a block that has our account as the sender and this nonce.
 */
export async function findConsumer(
  lane: Lane,
  claim: LaneSlot,
  nonce: OpenNonce,
  poll: Seen,
): Promise<void> {
  const hash = await lane.deps.history.consumerOf(claim.lane, claim.nonce);
  if (hash === null) return;
  const [reportedStatus] = await lane.deps.reader.transactionStatuses([hash]);
  const consumer = consumerOf(hash, reportedStatus);
  if (consumer === null) return;
  // The search made several requests, which different replicas of the node may have answered. So
  // confirm the block with a closing read.
  const evidence = await lane.deps.reader.confirm(headOf(poll.head), [consumer.block.number]);
  if (!confirms(evidence, consumer.block)) return;
  const found = { consumer, evidence };
  // Every transaction is stored before it is sent. If the consumer was sent with this ledger, the
  // rows that are read after the evidence therefore contain the consumer.
  const now = (await lane.nonces.read()).find(({ row }) => row.nonce === claim.nonce);
  if (now === undefined || now.row.version !== nonce.row.version) return;
  if (now.transactions.some((stored) => stored.hash === hash))
    await settle(lane, claim, found, nonce);
  else await settleForeign(lane, claim, found, nonce, poll);
}

/**
 * Settles a nonce with a transaction of our account that is not in the ledger.
 *
 * If the transaction is a call of the domain or a no-op, our service sent it with another ledger.
 * So this ledger is behind its chain. The quarantine is written before the nonce is settled.
 * Otherwise this service could send a submission that it has already sent with the other ledger.
 * Any other transaction means that a third party has the account's key. An unreadable transaction
 * is treated as ours until evidence shows otherwise.
 */
async function settleForeign(
  lane: Lane,
  claim: LaneSlot,
  found: Consumption,
  nonce: OpenNonce,
  poll: Seen,
): Promise<void> {
  const { accountHistory, ledger, logger, clock } = lane.deps;
  const { consumer, evidence } = found;
  let sent: AccountTransaction | null = null;
  await lane.isolated(
    'reading a foreign transaction',
    async () => {
      sent = await bounded(
        clock,
        lane.settings.lookTimeoutMs,
        accountHistory.transaction(consumer.hash, [claim.lane]),
      );
    },
    { nonce: String(claim.nonce), transactionHash: consumer.hash },
  );
  const mayBeOurs = sent === null || isOurs(lane.deps, sent);
  if (mayBeOurs && !(await isBehindSince(lane, claim, consumer.hash))) return;
  if (!(await settle(lane, claim, found, nonce)).applied) return;
  if (sent !== null) await adopt(lane.deps, sent, evidence);
  const fields = { lane: claim.lane, nonce: String(claim.nonce), transactionHash: consumer.hash };
  if (poll.isQuarantined)
    return logger.info(
      fields,
      'a nonce in question was consumed by a transaction that the ledger does not know',
    );
  // Our service sent the transaction with another ledger, so no third party has the key. The
  // quarantine already alerts the operator.
  if (mayBeOurs) return;
  lane.alarms.foreign += 1;
  logger.error(
    fields,
    'a transaction of our account is not in the ledger: something else signs with its key',
  );
  if (lane.settings.pauseOnForeign) await ledger.pauseLane(claim.lane, 'FOREIGN_TRANSACTION');
}

/**
 * Puts the lane into quarantine. The quarantine covers all nonces that are at most one nonce window
 * above the consumed nonce. Returns false if the quarantine could not be written. Once the
 * quarantine has aged, its upper end is raised.
 */
async function isBehindSince(
  lane: Lane,
  { lane: address, nonce, fence }: LaneSlot,
  transactionHash: Felt,
): Promise<boolean> {
  const until = nonce + 1n + BigInt(lane.settings.nonceWindow);
  const recorded = await lane.record({
    type: 'quarantine',
    lane: address,
    fence,
    until,
    isAged: false,
  });
  const fields = { lane: address, nonce: String(nonce), transactionHash };
  if (recorded.applied)
    lane.deps.logger.error(
      fields,
      'another ledger has sent from our account, or a copy of this ledger was restored: it is behind its chain',
    );
  return recorded.applied || recorded.because === 'known_already';
}
