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
import { check, type Check } from '../../withdrawals/application/check.js';
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
  /** Earns the fees: what a proof must name as its relayer. */
  readonly feeAddress: Felt;
  /** Receives the payout and swaps it: what a proof must name as its recipient. */
  readonly swapPool: Felt;
  /**
   * The account that owns the swap pool: swaps are tried as its transactions before anything is
   * written.
   */
  readonly swapOwner: Felt;
  /** All that are served: swaps start from those of the kind `swap_input`. */
  readonly pools: readonly NotePool[];
  /** The tokens that may be swapped into, as long as they have two independent prices. */
  readonly outputTokens: readonly PoolToken[];
  readonly payoutRule: PayoutRule;
  /** With the swap in the place of the withdrawal. */
  readonly cycleGas: CycleGas;
  /** What receipts of swaps from a pool say. @default `cycleGas` alone is known */
  readonly learntGas?: (pool: Felt) => GasUsed | undefined;
  /** Roots that make way for deposits that wait. @default none does */
  readonly roots?: Pick<PoolTraffic, 'isWithheld'>;
}

/** What a private swap asks outside of itself. */
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
  /** @default {@link UNNAMED_CALLER} */
  readonly caller?: Caller;
  readonly wbtcPool: Felt;
  /** Proof calldata, with or without its length felt. */
  readonly proofCalldata: Felts;
  /** The quote whose fee the proof goes by. It serves this one note's swap. */
  readonly quoteId?: string | undefined;
}

export interface PrivateSwapInput extends ProposedSwap, SubmissionWatch {
  /** How long to wait for an execution and its deposit before the answer is "undecided". */
  readonly waitMs: number;
  /** Ends the wait, never the submission. */
  readonly signal?: AbortSignal;
}

/**
 * With an answer that is undecided, leaf and amount are null; with one that is REVERTED, they are
 * -1 and 0.
 */
export interface ExecutedPrivateSwap extends SwapOutcome {
  readonly submissionId: string;
  readonly answer: StandingAnswer;
  /** Null for an attempt that an earlier release accepted, or that was adopted from the chain. */
  readonly inForce: SwapInForce | null;
}

/** Bounds of the swap that answers the request. */
export interface SwapInForce {
  /** Minimum in the transaction, in the output token's smallest unit. */
  readonly floor: bigint;
  /** Tolerance that the minimum leaves below its quote, in millionths. */
  readonly slippagePpm: number;
}

const ROLE = 'swap_owner';
const PPM = 1_000_000;
/** Time after which the attempt that holds a note may have ended. */
const HOLDER_RETRY_AFTER_SECONDS = 5;

/**
 * Withdraws a note to the swap pool and has it swapped there into another token, which a new note
 * stands for.
 */
export class ExecutePrivateSwap {
  /** Codes of the route that it stands behind. */
  static readonly throws = CODES_OF.privateSwap;

  readonly #admission: WithdrawalAdmission;
  readonly #relay: RelayPipeline;
  readonly #prepare: PrepareSwap;

  /** @param limits of the transaction's resources; the policy's, not an estimate. */
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
   * The answer to a private swap. It passes the admission checks of withdrawals and holds the same
   * key, so that a note is either withdrawn or swapped. A request whose equal (same pool, public
   * inputs and terms) is on its way or has succeeded gets that one's answer, without asking the
   * aggregator again. One that demands more than the swap in flight guarantees is rejected.
   *
   * The proof does not bind the terms, so anyone who sees it could swap the note for himself. Its
   * note is pinned to commitment and token before anything shows the proof, to the node in a
   * simulation or on chain, and no swap on other terms is ever admitted. The pin holds a minimum as
   * well, which the request that writes it fixes for good. What the request can be
   * refused for without showing it comes before: a pin is for good.
   * @throws an error of the terms, of the first check that fails, of the aggregator, of the swap's
   *   simulation, or of a read that failed;
   *   nothing was sent then, and the note is pinned to these terms at most.
   * @throws SubmissionRefused, SubmissionExpired when it was accepted but nothing of it is or can
   *   be on chain.
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
    // A quote that is binding for one request may not be for another.
    const { submissionId, began } = await this.#relay.submit({
      read,
      role: ROLE,
      caller,
      look: () => this.#look(unwrap(read.request), terms, quoteId),
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
   * Judges a swap as far as it can be without showing its proof: up to its fair value. The
   * simulation would show it, and is left out, since nothing is pinned. Writes, sends and uses up
   * nothing. @throws an error of the terms or the ledger, or Overloaded
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
    const [queue, gate, looked] = await Promise.all([
      settle(checkQueueCapacity(submissions, ROLE, last)),
      settle(this.guards.guard.acquire({ ...request, caller, role: ROLE })),
      this.#look(request, terms, quoteId),
    ]);
    const known: AdmissionFacts = { ...read, last: ok(last), queue, gate, ...looked };
    return this.guards.slots.run(request.pool.address, caller, () =>
      this.#admission.examine(known, caller),
    );
  }

  async #look(
    request: WithdrawalRequest,
    terms: SwapTerms,
    quoteId: string | undefined,
  ): Promise<AdmissionFacts> {
    const [pin, citation] = await Promise.all([
      settle(this.ports.pins.find(this.#prepare.noteOf(request))),
      settle(this.ports.quotes.look(quoteId)),
    ]);
    return { citation, pin: pin.known ? ok(standingOf(pin.value, terms)) : pin };
  }
}

/** Bounds of the attempt; null if its row has none. */
function inForceOf({ terms }: Attempt): SwapInForce | null {
  const bounds = readSwapBounds(terms?.bounds);
  return bounds === null
    ? null
    : { floor: bounds.minimumOut, slippagePpm: toleranceInForce(bounds) };
}

/** Refusal of words that the attempt in flight does not guarantee; null if it guarantees them. */
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

/** Reveals the pin only to a caller whose proof holds. */
const NOT_PINNED_OTHERWISE = check(
  'swap_pinned',
  SwapPinned.code,
  ['pin', 'pairingHolds'],
  ({ pin, pairingHolds }) =>
    pairingHolds && pin.kind === 'other_terms' ? pinnedTo(pin.pin) : null,
);

function poolSwaps(pools: readonly NotePool[]): Check {
  return check('pool_swaps', PoolNotSwappable.code, ['pool'], ({ pool }) =>
    isSwappable(pool) ? null : notSwappable(pools),
  );
}

function recipientIs(swapPool: Felt): Check {
  return check('recipient', RecipientNotSwapPool.code, ['request'], ({ request }) =>
    request.statement.recipient === swapPool
      ? null
      : new RecipientNotSwapPool({ details: { expected: swapPool } }),
  );
}
