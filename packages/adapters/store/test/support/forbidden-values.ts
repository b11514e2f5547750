import { skipped } from '@sotto/keeper-core';
import { toFelt } from '@sotto/kernel';
import type { OpenedStore } from '../../src/index.js';

/** Changes of rows that the database must reject, each with the name of its table. */
export const FORBIDDEN_VALUES: readonly (readonly [table: string, change: string])[] = [
  ['lanes', `role = 'unknown'`],
  ['attempts', `role = 'unknown'`],
  ['attempts', `state = 'lost'`],
  ['attempts', `state = 'lost', ended_at_ms = 1`],
  ['attempts', 'readmit = 2'],
  ['attempts', 'deadline_block = -1'],
  ['attempts', 'fee_amount = null'],
  ['attempts', 'fee_token = null'],
  ['attempts', 'cost_fri = null'],
  ['attempts', 'strk_usd_e8 = null'],
  ['attempts', 'fee_token_usd_e8 = null'],
  ['attempts', 'fingerprint = null'],
  ['attempts', 'effect = null'],
  ['attempts', 'kind = null'],
  ['attempts', 'subject = null'],
  ['attempts', `nonce = 'first'`],
  ['attempts', 'replay_protected = 2'],
  ['attempts', `avoid_lane = '0xdead'`],
  ['attempts', 'is_final = 1'],
  ['attempts', `undone_hash = '0x1'`],
  ['attempts', `undone_hash = '0x1', undone_execution = 'PERHAPS', undone_at_ms = 1`],
  ['attempts', 'wiped = 3'],
  ['lanes', 'next_nonce = -1'],
  ['lanes', 'quarantine_until = 1'],
  [
    'lanes',
    `quarantine_cause = 'other', quarantine_until = 1, quarantine_since_ms = 1, quarantine_is_aged = 0`,
  ],
  [
    'lanes',
    `quarantine_cause = 'behind', quarantine_until = 1, quarantine_since_ms = 1, quarantine_is_aged = 2`,
  ],
  ['chain', 'id = 2'],
  ['chain', `chain_id = '0x1'`],
  ['chain', 'last_block = -1'],
  ['chain', 'possible_copy_since_ms = -1'],
  ['nonces', `state = 'lost'`],
  ['nonces', `state = 'settled'`],
  ['nonces', `settled_by = '0x1'`],
  ['nonces', 'fee_fri = 1'],
  ['nonces', 'is_final = 1'],
  ['nonces', 'through = nonce + 1'],
  ['nonces', 'version = 0'],
  ['nonces', 'wiped = 2'],
  ['nonces', 'owner_key = null'],
  ['nonces', 'owner_attempt = null'],
  ['transactions', `kind = 'other', attempt_key = null, attempt_number = null`],
  ['transactions', 'attempt_number = null'],
  ['transactions', 'claims = 3'],
  ['transactions', `gone = 'away'`],
  ['transactions', `seen_execution = 'PERHAPS'`],
  ['quotes', 'fee_amount = null'],
  ['quotes', 'expires_at_ms = 0'],
  ['quotes', `expires_at_ms = 'never'`],
  ['transfers', `next = 'lost'`],
  ['transfers', 'refunded = 1'],
  ['transfers', `next = 'failed', refunded = 2`],
  ['transfers', 'deposit_detected_at = null'],
  ['transfers', 'swap_source_token_at = deposit_detected_at - 1'],
  ['transfers', 'send_to_recipient_at = swap_source_token_at'],
  ['transfers', `deposit_detected_at = 'yesterday'`],
  ['transfers', 'changed_at_ms = null'],
  ['transfers', 'deposit_incomplete = 2'],
  ['task_leases', 'until_ms = null'],
  ['task_controls', 'pause_reason = null'],
  ['task_controls', 'paused_at_ms = null'],
  ['task_looks', 'reason = null'],
  ['task_looks', `submission_id = 'id-of-a'`],
  ['task_looks', 'acted_at_ms = 1'],
  ['task_looks', 'details = null'],
  ['task_looks', 'since_ms = null'],
  ['leverage_targets', 'target_bps = 9999'],
  ['leverage_targets', 'target_bps = 50001'],
  ['leverage_targets', 'set_at_ms = null'],
  ['webhook_deliveries', `kind = 'other'`],
  ['webhook_deliveries', `wanted_state = 'succeeded'`],
  ['webhook_deliveries', 'wanted_since_ms = 1'],
  ['webhook_deliveries', 'version = 0'],
  ['webhook_deliveries', 'sequence = -1'],
  ['webhook_deliveries', 'failures = -1'],
  ['webhook_deliveries', 'due_at_ms = null'],
  ['webhook_alerts', 'seen_at_ms = since_ms - 1'],
  ['operator_actions', `holder = 'mallory'`],
  ['operator_actions', `holder = 'mallory', outcome = 'DONE'`],
  ['operator_actions', `reason = null, outcome = 'DONE'`],
  ['operator_actions', 'at_ms = 1'],
];

/** Writes a row to each table of the keeper, the webhooks and the operators. */
export async function writeTaskRows({
  taskLeases,
  taskBook,
  leverageTargets,
  webhookDeliveries,
  webhookAlerts,
  operatorLog,
}: Pick<
  OpenedStore,
  | 'taskLeases'
  | 'taskBook'
  | 'leverageTargets'
  | 'webhookDeliveries'
  | 'webhookAlerts'
  | 'operatorLog'
>): Promise<void> {
  await taskLeases.hold('curator', 'a', 1_000);
  await taskBook.pause('curator', 'trident', 'upgrade');
  await taskBook.note('curator', 'trident', skipped('NOT_DUE'));
  await operatorLog.begin({
    holder: 'alice',
    action: 'pool.pause',
    subject: 'sentinel_1x',
    reason: 'upgrade',
  });
  await leverageTargets.set(toFelt('0x70b0'), 30_000);
  await webhookDeliveries.add({ kind: 'submission', subject: 's', component: '' }, 'shop', 2);
  await webhookAlerts.note('a', [{ code: 'HEAD_TOO_OLD', component: 'node' }], 1_000);
}
