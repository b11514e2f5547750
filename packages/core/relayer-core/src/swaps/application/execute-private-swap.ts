import { CODES_OF } from '@sotto/facts';
import {
  UNNAMED_CALLER,
  settle,
  ok,
  unwrap,
  type Caller,
  type Clock,
  type Felt,
  type Felts,
  type UpstreamBudget,
} from '@sotto/kernel';
import type { Attempt, ResourceLimits, Submissions, GasUsed } from '@sotto/submission-core';
import type { CycleGas } from '../../fees/domain/fee.js';
import {
  checkSwapTerms,
  swapTermsText,
  type PayoutRule,
  type SwapTerms,
} from '../domain/private-swap.js';
import { shownSwapTermsText } from '../../pools/domain/private-swap-call.js';
import { isSwappable, notSwappable, type NotePool } from '../../pools/domain/pool.js';
import {
  demandsMore,
  readSwapBounds,
  toleranceInForce,
  swapAmounts,
  FairValues,
  SwapRouting,
  type PoolToken,
  type SwapAggregator,
  type SwapRoutingPolicy,
} from '@sotto/market-core';
import { standingOf } from '../../pools/domain/swap-pin.js';
import {
  PoolNotSwappable,
  RecipientNotSwapPool,
  StricterThanInFlight,
  SwapPinned,
} from '../../errors.js';
import type { SwapPins } from '../ports/swap-pins.port.js';
import type {
  AdmissionFacts,
  WithdrawalRequest,
} from '../../withdrawals/application/admission-facts.js';
import type { PoolTraffic } from '../../pools/application/pool-traffic.js';
import { check, type WithdrawalCheck } from '../../withdrawals/application/admission-facts.js';
import {
  WithdrawalAdmission,
  type AdmissionPorts,
} from '../../withdrawals/application/withdrawal-admission.js';
import type { FillSwapPins } from './fill-swap-pins.js';
import {
  RelayPipeline,
  checkQueueCapacity,
  type RelayGuards,
} from '../../withdrawals/application/relay-pipeline.js';
import type { SubmissionWatch } from '../../relay/application/submission-watch.js';
import { assertNotRejected, type StandingAnswer } from '../../relay/application/submission-end.js';
import type { QuoteRedemption } from '../../fees/application/quote-redemption.js';
import type { DryRunReport } from '../../withdrawals/application/submit-withdrawal.js';
import type { SwapOutcome, SwapOutcomes } from './swap-outcomes.js';
import { NOT_SIMULATED, UNROUTED, routeReport } from './swap-dry-run.js';
import { PrepareSwap, pinnedTo, type PrepareSwapPorts } from './prepare-swap.js';

export interface PrivateSwapPolicy extends SwapRoutingPolicy {
  readonly chainId: Felt;
  /** Address that earns the fees. A proof must contain this address as its relayer. */
  readonly feeAddress: Felt;
  /**
   * Contract that receives the payout and swaps it. A proof must contain this contract as its
   * recipient.
   */
  readonly swapPool: Felt;
  /** Account that owns the swap pool. Simulations use this account as the sender. */
  readonly swapOwner: Felt;
  /** All served pools. Swaps start only from pools of the kind `swap_input`. */
  readonly pools: readonly NotePool[];
  /** Allowed output tokens. A token can be used while it has two independent prices. */
  readonly outputTokens: readonly PoolToken[];
  readonly payoutRule: PayoutRule;
  /** Gas of a note's three transactions if a private swap replaces the withdrawal. */
  readonly cycleGas: CycleGas;
  /**
   * Gas of swaps from a pool, learnt from receipts. @default none: costs are computed from
   * `cycleGas` only
   */
  readonly learntGas?: (pool: Felt) => GasUsed | undefined;
  /** Decides which roots are reserved for waiting deposits. @default none */
  readonly roots?: Pick<PoolTraffic, 'isWithheld'>;
}

/** Ports that a private swap uses. */
export interface PrivateSwapPorts extends AdmissionPorts {
  readonly poolReader: AdmissionPorts['poolReader'] & PrepareSwapPorts['poolReader'];
  readonly aggregator: SwapAggregator;
  readonly aggregatorBudget: Pick<UpstreamBudget, 'spend'>;
  readonly pins: SwapPins;
  readonly fillPins: Pick<FillSwapPins, 'complete'>;
  readonly quotes: QuoteRedemption;
  readonly submissions: Submissions;
  readonly clock: Clock;
}

export interface ProposedSwap extends SwapTerms {
  /** Caller of the swap. @default {@link UNNAMED_CALLER} */
  readonly caller?: Caller;
  readonly wbtcPool: Felt;
  /** Proof calldata, with or without its length felt. */
  readonly proofCalldata: Felts;
  /** Quote whose fee the proof pays. The quote is valid only for a swap of this note. */
  readonly quoteId?: string | undefined;
}

export interface PrivateSwapInput extends ProposedSwap, SubmissionWatch {
  /**
   * Maximum milliseconds to wait for the execution and the deposit of the output. If this time
   * passes first, the swap is returned as undecided.
   */
  readonly waitMs: number;
  /** Aborting ends the wait; the submission continues. */
  readonly signal?: AbortSignal;
}

/**
 * Outcome of a swap for the caller. Leaf and amount are null while the swap is undecided, and -1
 * and 0 if it REVERTED.
 */
export interface ExecutedPrivateSwap extends SwapOutcome {
  readonly submissionId: string;
  readonly answer: StandingAnswer;
  /**
   * Minimum output and tolerance of the swap. Null for an attempt of an older release, or an
   * attempt adopted from the chain.
   */
  readonly inForce: SwapInForce | null;
}

/** Minimum output and tolerance of the swap that fulfils the request. */
export interface SwapInForce {
  /** Minimum output in the transaction, in the output token's smallest unit. */
  readonly floor: bigint;
  /** Tolerance by which the minimum is below its quote, in millionths. */
  readonly slippagePpm: number;
}

const ROLE = 'swap_owner';
const PPM = 1_000_000;
/**
 * Seconds after which a rejected caller should retry. By then, the attempt that blocks the note may
 * have ended.
 */
const HOLDER_RETRY_AFTER_SECONDS = 5;

/** Withdraws a note to the swap pool and swaps it there. The output becomes a new note. */
export class ExecutePrivateSwap {
  /** Error codes of its API route. */
  static readonly throws = CODES_OF.privateSwap;

  readonly #admission: WithdrawalAdmission;
  readonly #relay: RelayPipeline;
  readonly #prepare: PrepareSwap;

  /**
   * @param limits resource bounds of the transaction, which come from the policy and not from an
   *   estimate
   */
  constructor(
    private readonly ports: PrivateSwapPorts,
    private readonly guards: RelayGuards,
    private readonly outcomes: SwapOutcomes,
    private readonly policy: PrivateSwapPolicy,
    limits: ResourceLimits,
  ) {
    const { chainId, feeAddress, pools, swapPool, cycleGas } = policy;
    this.#admission = new WithdrawalAdmission(ports, {
      chainId,
      feeAddress,
      pools,
      cycleGas,
      operation: 'private_swap',
      ...(policy.learntGas === undefined ? {} : { learntGas: policy.learntGas }),
      ...(policy.roots === undefined ? {} : { roots: policy.roots }),
      pool: poolSwaps(pools),
      recipient: recipientIs(swapPool),
      afterPairing: NOT_PINNED_OTHERWISE,
    });
    this.#relay = new RelayPipeline(this.#admission, ports.submissions, guards);
    const fairValues = new FairValues(ports.marketPrices, policy.outputTokens);
    const routing = new SwapRouting(ports.aggregator, fairValues, policy);
    this.#prepare = new PrepareSwap(ports, routing, this.#admission, policy, limits);
  }

  /**
   * Executes a private swap and returns its outcome.
   *
   * The swap passes the admission checks of withdrawals and uses the same key, so a note is either
   * withdrawn or swapped. If an equal request (same pool, public inputs and terms) is in flight or
   * has succeeded, its response is returned without another request to the aggregator. If a request
   * has a stricter minimum or tolerance than the swap in flight, it is rejected.
   *
   * The proof does not contain the terms of the swap, so any reader of the proof could swap the
   * note for their own benefit. Therefore the note is pinned to commitment and token before the
   * proof is sent to the node in a simulation, or published on chain. A swap whose terms differ
   * from the pin is never admitted. The pin also contains a minimum, which the first request fixes
   * permanently. Because a pin is permanent, all checks that do not reveal the proof run before it
   * is written.
   *
   * @throws an error of the terms, of the first failed check, of the aggregator, of the swap's
   *   simulation, or of a failed read. In these cases no transaction was sent, but the note may be
   *   pinned to these terms
   * @throws SubmissionRefused, SubmissionExpired if the attempt was accepted, but none of its
   *   transactions is on chain or can still be included
   */
  async execute({
    wbtcPool,
    proofCalldata,
    waitMs,
    signal,
    beforeSubmission,
    onSubmission,
    caller = UNNAMED_CALLER,
    quoteId,
    ...terms
  }: PrivateSwapInput): Promise<ExecutedPrivateSwap> {
    checkSwapTerms(terms, this.policy);
    const read = this.#admission.read(
      wbtcPool,
      proofCalldata,
      swapTermsText(terms),
      shownSwapTermsText(terms),
    );
    // Concurrent requests share an admission only if they cite the same quote, because a quote may
    // be binding for one request and not for another.
    const { submissionId, began } = await this.#relay.submit({
      read,
      role: ROLE,
      caller,
      poll: () => this.#poll(unwrap(read.request), terms, quoteId),
      beforeSubmission,
      prepare: (request) => this.#prepare.prepare(request, terms, { quoteId, caller }),
      rejection: (holder) => stricterThan(holder, terms),
      variant: quoteId ?? '',
    });
    await onSubmission?.(submissionId, began);
    const untilMs = this.ports.clock.monotonicMs() + waitMs;
    const answer = assertNotRejected(
      await this.ports.submissions.waitFor(submissionId, waitMs, signal),
    );
    const settled = await this.outcomes.settle(
      answer,
      ({ commitment }) => commitment === terms.newCommitment,
      untilMs,
      signal,
    );
    return { submissionId, ...settled, inForce: inForceOf(answer.attempt) };
  }

  /**
   * Runs all checks that do not reveal the proof, including the check of the fair value. Skips the
   * simulation, because it would reveal the proof of a note that is not pinned. Writes, sends and
   * redeems nothing.
   * @throws an error of the terms or the ledger, or Overloaded
   */
  async dryRun({
    wbtcPool,
    proofCalldata,
    caller = UNNAMED_CALLER,
    quoteId,
    ...terms
  }: ProposedSwap): Promise<DryRunReport> {
    checkSwapTerms(terms, this.policy);
    const read = this.#admission.read(
      wbtcPool,
      proofCalldata,
      swapTermsText(terms),
      shownSwapTermsText(terms),
    );
    const request = read.request?.known === true ? read.request.value : null;
    const evidence =
      request === null ? read : await this.#examine(read, request, terms, { quoteId, caller });
    const checks = this.#admission.checks.report(evidence);
    const isSound = checks.every(({ status }) => status === 'passed');
    const route =
      request !== null && isSound
        ? await settle(this.#prepare.route(request, terms, caller))
        : null;
    const report = route === null ? UNROUTED : routeReport(route);
    const nowMs = this.ports.clock.nowMs();
    return {
      admissible: isSound && report.status === 'passed',
      checks: [...checks, report, NOT_SIMULATED],
      ...(request !== null && route?.known === true
        ? { swap: swapAmounts(route.value, request.statement.fee, nowMs) }
        : {}),
    };
  }

  async #examine(
    read: AdmissionFacts,
    request: WithdrawalRequest,
    terms: SwapTerms,
    { quoteId, caller }: Pick<ProposedSwap, 'quoteId'> & { readonly caller: Caller },
  ): Promise<AdmissionFacts> {
    const { submissions } = this.ports;
    const last = await submissions.last(request.key);
    const [queue, gate, polled] = await Promise.all([
      settle(checkQueueCapacity(submissions, ROLE, last)),
      settle(this.guards.guard.acquire({ ...request, caller, role: ROLE })),
      this.#poll(request, terms, quoteId),
    ]);
    const known: AdmissionFacts = { ...read, last: ok(last), queue, gate, ...polled };
    return this.guards.slots.run(request.pool.address, caller, () =>
      this.#admission.examine(known, caller),
    );
  }

  async #poll(
    request: WithdrawalRequest,
    terms: SwapTerms,
    quoteId: string | undefined,
  ): Promise<AdmissionFacts> {
    const [pin, citation] = await Promise.all([
      settle(this.ports.pins.find(this.#prepare.noteOf(request))),
      settle(this.ports.quotes.poll(quoteId)),
    ]);
    return { citation, pin: pin.known ? ok(standingOf(pin.value, terms)) : pin };
  }
}

/** Returns minimum output and tolerance of the attempt; null if its row does not contain them. */
function inForceOf({ terms }: Attempt): SwapInForce | null {
  const bounds = readSwapBounds(terms?.bounds);
  return bounds === null
    ? null
    : { floor: bounds.minimumOut, slippagePpm: toleranceInForce(bounds) };
}

/**
 * Returns the error if the attempt in flight does not guarantee the requested terms; null if the
 * attempt guarantees them.
 */
function stricterThan(holder: Attempt, words: SwapTerms): StricterThanInFlight | null {
  const { id: submissionId, terms } = holder;
  const inForce = readSwapBounds(terms?.bounds);
  const retryAfterSeconds = HOLDER_RETRY_AFTER_SECONDS;
  if (inForce === null)
    return new StricterThanInFlight({ details: { submissionId }, retryAfterSeconds });
  if (!demandsMore(words, inForce)) return null;
  const minimum = String(inForce.minimumOut);
  const slippage = String(toleranceInForce(inForce) / PPM);
  return new StricterThanInFlight({
    details: { submissionId, minimum, slippage },
    retryAfterSeconds,
  });
}

/**
 * Check that the note has no pin with different terms. The check fails only for a valid proof, so
 * the pin is revealed only to a caller with a valid proof.
 */
const NOT_PINNED_OTHERWISE = check(
  'swap_pinned',
  SwapPinned.code,
  ['pin', 'pairingHolds'],
  ({ pin, pairingHolds }) =>
    pairingHolds && pin.kind === 'other_terms' ? pinnedTo(pin.pin) : null,
);

function poolSwaps(pools: readonly NotePool[]): WithdrawalCheck {
  return check('pool_swaps', PoolNotSwappable.code, ['pool'], ({ pool }) =>
    isSwappable(pool) ? null : notSwappable(pools),
  );
}

function recipientIs(swapPool: Felt): WithdrawalCheck {
  return check('recipient', RecipientNotSwapPool.code, ['request'], ({ request }) =>
    request.statement.recipient === swapPool
      ? null
      : new RecipientNotSwapPool({ details: { expected: swapPool } }),
  );
}
