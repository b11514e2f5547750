import { isLive, type Attempt } from '@sotto/submission-core';
import type { Fault, Felt } from '@sotto/kernel';
import {
  BatchOutOfBounds,
  FeeAbovePoolMaximum,
  FeeTooLow,
  NullifierSpent,
  PoolNotSupported,
  ProofInvalid,
  PublicInputOutOfRange,
  RecipientInvalid,
  RelayerMismatch,
  RootUnknown,
  SimulationReverted,
  WithdrawalInProgress,
  WithdrawalUnprofitable,
} from '../../errors.js';
import { publicRevertReason } from '../../domain/revert-reason.js';
import { rung, type Rung } from './rung.js';

const ZERO = '0x0';
/** Gas prices move by at most a tenth per block; a minute may bring them back under a pool's maximum. */
const UNPROFITABLE_RETRY_SECONDS = 60;

/**
 * The checks of a withdrawal, cheapest first. The first one that fails, in this order, is what the caller hears, however early or late
 * its facts were known.
 * @param feeAddress the address that earns the fees; it must stand in the proof.
 */
export function withdrawalRungs(feeAddress: Felt): readonly Rung[] {
  return [
    rung('pool_served', PoolNotSupported.code, ['pool']),
    rung('proof_layout', 'PROOF_LAYOUT_INVALID', ['proof']),
    rung('public_inputs', PublicInputOutOfRange.code, ['request']),
    rung('relayer', RelayerMismatch.code, ['request'], ({ request }) =>
      request.statement.relayer === feeAddress ? null : new RelayerMismatch({ details: { expected: feeAddress } }),
    ),
    rung('recipient', RecipientInvalid.code, ['request'], ({ request }) =>
      request.statement.recipient === ZERO ? new RecipientInvalid() : null,
    ),
    rung('fee_payable', WithdrawalUnprofitable.code, ['cost', 'chain'], ({ cost, chain }) =>
      cost.feeToken <= chain.maxFee
        ? null
        : new WithdrawalUnprofitable({
            details: { cost: String(cost.feeToken), maximum: String(chain.maxFee) },
            retryAfterSeconds: UNPROFITABLE_RETRY_SECONDS,
          }),
    ),
    rung('fee_covers_cost', FeeTooLow.code, ['request', 'cost'], ({ request: { statement }, cost }) =>
      statement.fee >= cost.feeToken
        ? null
        : new FeeTooLow({ details: { offered: String(statement.fee), required: String(cost.feeToken) } }),
    ),
    rung('fee_within_maximum', FeeAbovePoolMaximum.code, ['request', 'chain'], ({ request: { statement }, chain }) =>
      statement.fee <= chain.maxFee
        ? null
        : new FeeAbovePoolMaximum({ details: { offered: String(statement.fee), maximum: String(chain.maxFee) } }),
    ),
    rung('batch', BatchOutOfBounds.code, ['request', 'chain'], ({ request: { statement }, chain }) =>
      statement.batchSize >= 1 && statement.batchStart + statement.batchSize <= chain.nextIndex - chain.undeployedCount
        ? null
        : new BatchOutOfBounds(),
    ),
    rung('root_known', RootUnknown.code, ['chain'], ({ chain }) => (chain.rootKnown ? null : new RootUnknown())),
    rung('nullifier_unspent', NullifierSpent.code, ['chain'], ({ chain }) => (chain.nullifierSpent ? new NullifierSpent() : null)),
    rung('not_in_ledger', WithdrawalInProgress.code, ['request', 'last'], ({ request, last }) =>
      last === null || last.fingerprint === request.fingerprint ? null : conflictWith(last),
    ),
    rung('pairing', ProofInvalid.code, ['pairingHolds'], ({ pairingHolds }) => (pairingHolds ? null : new ProofInvalid())),
    rung('simulation', SimulationReverted.code, ['simulation'], ({ simulation }) =>
      simulation.ok ? null : new SimulationReverted({ details: { reason: publicRevertReason(simulation.reason) } }),
    ),
  ];
}

/** What a request hears whose note is claimed by an attempt with other terms; null when that one has ended without success. */
export function conflictWith(holder: Attempt): Fault | null {
  if (isLive(holder.state)) return new WithdrawalInProgress();
  return holder.state === 'succeeded' ? new NullifierSpent() : null;
}
