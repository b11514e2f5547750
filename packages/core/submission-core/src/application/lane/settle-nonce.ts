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

/** Results of a poll that the search for a consumer depends on. */
interface Seen {
  readonly head: ChainHead;
  readonly isQuarantined: boolean;
}

/** Consumer of a nonce, and the closing read that shows it. */
interface Consumption {
  readonly consumer: NonceConsumer;
  readonly evidence: ChainEvidence;
}

/** S: settles a nonce. */
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
  if (recorded.nonce?.settlement?.disprovesRefusal === true) {
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
 * Searches the consumer of a nonce that no stored hash explains. Accepts only the transaction found
 * in a block with our sender and this nonce.
 */
export async function findConsumer(
  lane: Lane,
  claim: LaneSlot,
  nonce: OpenNonce,
  look: Seen,
): Promise<void> {
  const hash = await lane.deps.history.consumerOf(claim.lane, claim.nonce);
  if (hash === null) return;
  const [sighting] = await lane.deps.reader.transactionStatuses([hash]);
  const consumer = consumerOf(hash, sighting);
  if (consumer === null || consumer.block.number > look.head.blockNumber) return;
  // The search made several requests, which different replicas may have answered.
  const evidence = await lane.deps.reader.confirm(headOf(look.head), [consumer.block.number]);
  if (!confirms(evidence, consumer.block)) return;
  const found = { consumer, evidence };
  // Transactions are stored before they are sent. So rows read now, after the evidence, contain the
  // consumer if we sent it.
  const now = (await lane.nonces.read()).find(({ row }) => row.nonce === claim.nonce);
  if (now === undefined || now.row.version !== nonce.row.version) return;
  if (now.transactions.some((stored) => stored.hash === hash))
    await settle(lane, claim, found, nonce);
  else await settleForeign(lane, claim, found, nonce, look);
}

/**
 * Settles a nonce with a transaction of our account that is not in the ledger.
 *
 * A call of the domain or a no-op was sent by another ledger of ours, so this ledger is behind its
 * chain. The quarantine is written before the nonce is settled, so that no key of the other ledger
 * is sent in between. Any other transaction means that someone else has the key. An unreadable
 * transaction counts as ours; evidence corrects that later.
 */
async function settleForeign(
  lane: Lane,
  claim: LaneSlot,
  found: Consumption,
  nonce: OpenNonce,
  look: Seen,
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
  if (look.isQuarantined)
    return logger.info(
      fields,
      'a nonce in question was consumed by a transaction that the ledger does not know',
    );
  // Another ledger of ours sent it: the quarantine is the alarm, and no stranger has the key.
  if (mayBeOurs) return;
  lane.alarms.foreign += 1;
  logger.error(
    fields,
    'a transaction of our account is not in the ledger: something else signs with its key',
  );
  if (lane.settings.pauseOnForeign) await ledger.pauseLane(claim.lane, 'FOREIGN_TRANSACTION');
}

/**
 * Puts the lane into quarantine up to the window above the consumed nonce. The end is moved up once
 * the quarantine has aged. Returns false if it could not be written.
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
