import type { Clock, Felt } from '@sotto/kernel';
import {
  QueueFull,
  isLive,
  requestsSame,
  simulationReverted,
  SimulationReverted,
  type Attempt,
} from '@sotto/submission-core';
import { BudgetExhausted, FeeTooLow, PoolNotSupported, PoolPaused } from '../../errors.js';
import { chargedFri, inFeeToken, type PrivateActionCost } from '../domain/private-action-cost.js';
import {
  DepositorNotAllowed,
  FeeTokenNotServed,
  InvokedContractNotAllowed,
  PoolFeeTooHigh,
  PoolVersionMismatch,
  PrivacyPoolPaused,
  PrivateActionFeeMissing,
  PrivateActionsApplied,
  PrivateActionsInProgress,
  PrivateActionsTooLarge,
  ProofMissing,
  SponsorUnknown,
} from '../domain/private-action-errors.js';
import { OutsideExecutionInvalid, outsideCallsRejection } from '../domain/outside-execution.js';
import {
  ProofBaseBlockUnknown,
  ProofExpired,
  ProofFactsMismatch,
  ProofFactsUnreadable,
  ProofOfAnotherNetwork,
  ProofTooYoung,
} from '../domain/proof-facts.js';
import { ActionsUnreadable } from '../../pools/domain/server-action.js';
import {
  check,
  LIMITS,
  type PrivateActionCheck,
  type PrivateActionRequest,
  type Promised,
} from './private-action-facts.js';

/** Settings of the checks of private actions. */
export interface PrivateActionTerms {
  readonly chainId: Felt;
  /** Address that earns the fees. */
  readonly feeAddress: Felt;
  /** True if requests without a proof are accepted, as on a devnet that ignores proofs. */
  readonly acceptsNoProof: boolean;
  /** Most that the pool may charge for one transaction, in fri. */
  readonly maxPoolFeeFri: bigint;
  /** Contracts that actions may invoke. */
  readonly invokedContracts: readonly Felt[];
  /** Accounts and contracts of this service, which are no users' accounts. */
  readonly ownContracts: readonly Felt[];
}

/** Seconds after which a request may be repeated that waits for another one. */
const RETRY_SECONDS = 5;
/** Seconds after which a paused pool may be open again. */
const PAUSE_RETRY_SECONDS = 60;

/** Maximum of the present cost, in percent of the cost that a promise assumed. */
const MOST_PERCENT = 150n;

const ofProof = [
  ['facts_match', ProofFactsMismatch.code],
  ['network', ProofOfAnotherNetwork.code],
  ['base_block_age', ProofTooYoung.code],
  ['deadline', ProofExpired.code],
  ['base_block', ProofBaseBlockUnknown.code],
] as const;

/** Returns the checks of private actions, cheapest first. */
export function privateActionChecks(
  terms: PrivateActionTerms,
  clock: Pick<Clock, 'nowMs'>,
): readonly PrivateActionCheck[] {
  const allowed = new Set(terms.invokedContracts);
  const own = new Set(terms.ownContracts);
  return [
    check('pool_served', PoolNotSupported.code, ['pool']),
    check('actions', ActionsUnreadable.code, ['call']),
    check('proof_facts', ProofFactsUnreadable.code, ['proof']),
    check('sizes', PrivateActionsTooLarge.code, ['request'], ({ request }) => tooLarge(request)),
    check('proof', ProofMissing.code, ['request'], ({ request }) =>
      request.payload.proof.length > 0 || terms.acceptsNoProof ? null : new ProofMissing(),
    ),
    check('replay_protection', ActionsUnreadable.code, ['request'], ({ request }) =>
      request.effects.writeOnceAddresses.length > 0
        ? null
        : new ActionsUnreadable({ details: { at: 0, reason: 'NO_WRITE_ONCE' } }),
    ),
    check('invoked_contracts', InvokedContractNotAllowed.code, ['request'], ({ request }) => {
      const contract = request.effects.invokedContracts.find((invoked) => !allowed.has(invoked));
      return contract === undefined
        ? null
        : new InvokedContractNotAllowed({ details: { contract } });
    }),
    check('depositors', DepositorNotAllowed.code, ['request'], ({ request }) => {
      const depositor = request.effects.depositors.find((from) => own.has(from));
      return depositor === undefined ? null : new DepositorNotAllowed({ details: { depositor } });
    }),
    // The check needs the ledger's answer: a repeat of actions that were sent gets their outcome,
    // even after the time of its calls.
    check('outside_execution', OutsideExecutionInvalid.code, ['request', 'last'], ({ request }) =>
      request.outsideCalls === null
        ? null
        : outsideCallsRejection(request.outsideCalls, own, clock.nowMs()),
    ),
    check('sponsor', SponsorUnknown.code, ['sponsor']),
    check('fee_token', FeeTokenNotServed.code, ['request'], ({ request: { fee, effects } }) =>
      fee === null && effects.fees.length > 0 ? new FeeTokenNotServed() : null,
    ),
    check('fee', PrivateActionFeeMissing.code, ['request'], ({ request: { fee, feeMode } }) =>
      fee === null && feeMode === 'default'
        ? new PrivateActionFeeMissing({ details: { recipient: terms.feeAddress } })
        : null,
    ),
    check(
      'queue',
      QueueFull.code,
      ['queue', 'gate'],
      ({ queue, gate }) => queue ?? (gate instanceof QueueFull ? gate : null),
    ),
    check('pool_open', PoolPaused.code, ['gate'], ({ gate }) =>
      gate instanceof PoolPaused ? gate : null,
    ),
    check('budget', BudgetExhausted.code, ['gate'], ({ gate }) =>
      gate instanceof PoolPaused || gate instanceof QueueFull ? null : gate,
    ),
    check('version', PoolVersionMismatch.code, ['call', 'chain'], ({ call, chain: { version } }) =>
      call.version === version ? null : new PoolVersionMismatch({ details: { version } }),
    ),
    check('pool_running', PrivacyPoolPaused.code, ['chain'], ({ chain }) =>
      chain.isPaused ? new PrivacyPoolPaused({ retryAfterSeconds: PAUSE_RETRY_SECONDS }) : null,
    ),
    check('pool_fee', PoolFeeTooHigh.code, ['chain'], ({ chain }) =>
      poolFeeRejection(chain.feeFri, terms.maxPoolFeeFri),
    ),
    ...ofProof.map(([name, code]) =>
      check(
        name,
        code,
        ['chain'],
        ({ chain }) => chain.rejections.find((rejection) => rejection.code === code) ?? null,
      ),
    ),
    check('not_in_ledger', PrivateActionsInProgress.code, ['request', 'last'], (known) =>
      known.last === null || requestsSame(known.last, known.request.requested)
        ? null
        : conflictWith(known.last),
    ),
    check('not_applied', PrivateActionsApplied.code, ['chain'], ({ chain }) =>
      chain.taken.length === 0 ? null : new PrivateActionsApplied(),
    ),
    check(
      'fee_covers_cost',
      FeeTooLow.code,
      ['request', 'cost', 'promised'],
      ({ request, cost, promised }) => feeRejection(request, cost, promised),
    ),
    check('simulation', SimulationReverted.code, ['simulation'], ({ simulation }) =>
      simulation.ok ? null : simulationReverted(simulation.reason),
    ),
  ];
}

/** Returns the error for a pool that charges more than the maximum, both in fri. */
export function poolFeeRejection(feeFri: bigint, maximumFri: bigint): PoolFeeTooHigh | null {
  return feeFri <= maximumFri
    ? null
    : new PoolFeeTooHigh({ details: { fee: String(feeFri), maximum: String(maximumFri) } });
}

function tooLarge({ payload, effects }: PrivateActionRequest): PrivateActionsTooLarge | null {
  const sizes = {
    calldataFelts: payload.calldata.length + (payload.outsideExecution?.calldata.length ?? 0),
    proofBytes: payload.proof.length,
    writeOnceAddresses: effects.writeOnceAddresses.length,
  } as const;
  for (const field of ['calldataFelts', 'proofBytes', 'writeOnceAddresses'] as const)
    if (sizes[field] > LIMITS[field])
      return new PrivateActionsTooLarge({ details: { field, maximum: LIMITS[field] } });
  return null;
}

/** Returns the error for actions whose notes another attempt with other actions spends. */
export function conflictWith(
  holder: Attempt,
): PrivateActionsInProgress | PrivateActionsApplied | null {
  if (isLive(holder.state))
    return new PrivateActionsInProgress({ retryAfterSeconds: RETRY_SECONDS });
  if (holder.state !== 'succeeded') return null;
  const { transactionHash } = holder;
  return new PrivateActionsApplied(
    transactionHash === null ? {} : { details: { transactionHash } },
  );
}

/** Returns the error for actions whose notes an attempt with another key spends. */
export const inProgress = (): PrivateActionsInProgress =>
  new PrivateActionsInProgress({ retryAfterSeconds: RETRY_SECONDS });

/**
 * A promised fee is sufficient as long as the present cost in the fee's token is at most half above
 * the cost that the promise assumed. Any other fee has to cover the present cost.
 */
function feeRejection(
  { fee, feeMode }: Pick<PrivateActionRequest, 'fee' | 'feeMode'>,
  cost: PrivateActionCost,
  promised: Promised | null,
): FeeTooLow | null {
  const offered = fee?.amount ?? 0n;
  const required = inFeeToken(chargedFri(feeMode, cost), cost);
  if (
    promised !== null &&
    offered >= promised.amount &&
    required * 100n <= promised.costAmount * MOST_PERCENT
  )
    return null;
  return offered >= required
    ? null
    : new FeeTooLow({ details: { offered: String(offered), required: String(required) } });
}
