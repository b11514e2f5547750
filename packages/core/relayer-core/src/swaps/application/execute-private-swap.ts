import { AGGREGATOR_ERRORS, codesOf, type ErrorCode } from '@sotto/facts';
import { UNNAMED_CALLER, type Caller, type Clock, type Felt, type Felts } from '@sotto/kernel';
import type { ResourceLimits, Submissions } from '@sotto/submission-core';
import type { CycleGas, GasUsed } from '../../fees/domain/fee.js';
import {
  PRIVATE_SWAP_ENTRYPOINT,
  amountToSwap,
  checkSwapTerms,
  privateSwapCalldata,
  readPrivateSwapCalldata,
  shownSwapTermsText,
  swapTermsText,
  type PayoutRule,
  type SwapTerms,
} from '../domain/private-swap.js';
import {
  isSwappable,
  notSwappable,
  type NotePool,
  type PoolToken,
} from '../../pools/domain/pool.js';
import { privateSwapReverted } from '../../relay/domain/revert-cause.js';
import { standingOf, type SwapPin, type SwappedNote } from '../domain/swap-pin.js';
import {
  CommitmentExists,
  CommitmentInProgress,
  PoolNotSwappable,
  RecipientNotSwapPool,
  SwapBelowFloor,
  SwapPinned,
} from '../../errors.js';
import type { SwapAggregator } from '../ports/swap-aggregator.port.js';
import type { SwapDeposits } from '../ports/swap-deposits.port.js';
import type { SwapPins } from '../ports/swap-pins.port.js';
import type {
  AdmissionFacts,
  WithdrawalRequest,
} from '../../withdrawals/application/admission-facts.js';
import { check, type Check } from '../../relay/application/check.js';
import { feeTooLow } from '../../withdrawals/application/checks.js';
import {
  WithdrawalAdmission,
  type AdmissionPorts,
} from '../../withdrawals/application/withdrawal-admission.js';
import { FairValues } from './fair-values.js';
import type { FillSwapPins } from './fill-swap-pins.js';
import { settle, ok, unwrap } from '../../relay/application/result.js';
import {
  RelayPipeline,
  checkQueueCapacity,
  type RelayGuards,
  type RelayedCall,
} from '../../relay/application/relay-pipeline.js';
import { assertNotRejected, type StandingAnswer } from '../../relay/application/submission-end.js';
import type { QuoteRedemption } from '../../fees/application/quote-redemption.js';
import type { DryRunReport } from '../../withdrawals/application/submit-withdrawal.js';
import type { SwapOutcome, SwapOutcomes } from './swap-outcomes.js';
import { NOT_SIMULATED, UNROUTED, routeReport } from './swap-dry-run.js';
import { SwapRouting, type RoutedSwap, type SwapRoutingPolicy } from './swap-routing.js';

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
}

/** What a private swap asks outside of itself. */
export interface PrivateSwapPorts extends AdmissionPorts {
  readonly aggregator: SwapAggregator;
  readonly pins: SwapPins;
  readonly fillPins: Pick<FillSwapPins, 'complete'>;
  readonly deposits: Pick<SwapDeposits, 'hasCommitment'>;
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

export interface PrivateSwapInput extends ProposedSwap {
  /** How long to wait for an execution and its deposit before the answer is "undecided". */
  readonly waitMs: number;
  /** Ends the wait, never the submission. */
  readonly signal?: AbortSignal;
  /**
   * Called with the submission's id, which may be an older one's, before its outcome is waited for.
   * An error that it rejects with is the answer; the submission goes on.
   * @default nothing is called
   */
  readonly onSubmission?: (submissionId: string) => Promise<void>;
}

/**
 * With an answer that is undecided, leaf and amount are null; with one that is REVERTED, they are
 * -1 and 0.
 */
export interface ExecutedPrivateSwap extends SwapOutcome {
  readonly submissionId: string;
  readonly answer: StandingAnswer;
  /** Null where it can't be read now. */
  readonly inForce: SwapInForce | null;
}

/** What bounds the swap that was sent. */
export interface SwapInForce {
  /** Least that may ever come out, in the output token's smallest unit. */
  readonly floor: bigint;
  /** The tolerance, in millionths of the quote; null where an earlier request sent the swap. */
  readonly slippagePpm: number | null;
}

const ROLE = 'swap_owner';

/**
 * Withdraws a note to the swap pool and has it swapped there into another token, which a new note
 * stands for.
 */
export class ExecutePrivateSwap {
  /** Codes of its errors. */
  static readonly throws = [
    'QUOTE_UNKNOWN',
    'QUOTE_EXPIRED',
    'QUOTE_USED',
    'QUOTE_MISMATCH',
    'POOL_NOT_SWAPPABLE',
    'SLIPPAGE_OUT_OF_RANGE',
    'COMMITMENT_INVALID',
    'COMMITMENT_EXISTS',
    'COMMITMENT_IN_PROGRESS',
    'SWAP_PINNED',
    'SWAP_PINS_INCOMPLETE',
    'OUTPUT_TOKEN_NOT_SUPPORTED',
    'RECIPIENT_NOT_SWAP_POOL',
    'NOTE_SWAPS_SUSPENDED',
    ...WithdrawalAdmission.throws,
    'NO_QUOTES_AVAILABLE',
    'QUOTE_EXPIRED_AT_AGGREGATOR',
    'SLIPPAGE_TOO_TIGHT',
    'PRICE_IMPACT_TOO_HIGH',
    'MINIMUM_NOT_MET',
    'SWAP_BELOW_FLOOR',
    'SWAP_BUILD_REJECTED',
    'SWAP_ROUTE_TOO_LONG',
    ...codesOf(AGGREGATOR_ERRORS),
  ] as const satisfies readonly ErrorCode[];

  readonly #admission: WithdrawalAdmission;
  readonly #relay: RelayPipeline;
  readonly #routing: SwapRouting;

  /** @param limits of the transaction's resources; the policy's, not an estimate. */
  constructor(
    private readonly ports: PrivateSwapPorts,
    private readonly guards: RelayGuards,
    private readonly outcomes: SwapOutcomes,
    private readonly policy: PrivateSwapPolicy,
    private readonly limits: ResourceLimits,
  ) {
    const { chainId, feeAddress, pools, swapPool, cycleGas } = policy;
    this.#admission = new WithdrawalAdmission(ports, {
      chainId,
      feeAddress,
      pools,
      cycleGas,
      operation: 'private_swap',
      ...(policy.learntGas === undefined ? {} : { learntGas: policy.learntGas }),
      pool: poolSwaps(pools),
      recipient: recipientIs(swapPool),
      afterPairing: NOT_PINNED_OTHERWISE,
    });
    this.#relay = new RelayPipeline(this.#admission, ports.submissions, guards);
    this.#routing = new SwapRouting(
      ports.aggregator,
      new FairValues(ports.marketPrices, policy.outputTokens),
      policy,
    );
  }

  /**
   * The answer to a private swap. It passes the admission checks of withdrawals and holds the same
   * key, so that a note is either withdrawn or swapped. A request whose equal (same pool, public
   * inputs and terms) is on its way or has succeeded gets that one's answer, without asking the
   * aggregator again.
   *
   * The proof does not bind the terms, so anyone who sees it could swap the note for himself. Its
   * note is pinned to commitment and token before anything shows the proof, to the node in a
   * simulation or on chain, and no swap on other terms is ever admitted. What the request can be
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
    onSubmission,
    caller = UNNAMED_CALLER,
    quoteId,
    ...terms
  }: PrivateSwapInput): Promise<ExecutedPrivateSwap> {
    checkSwapTerms(terms, this.policy);
    let inForce: SwapInForce | null = null;
    const read = this.#admission.read(
      wbtcPool,
      proofCalldata,
      swapTermsText(terms),
      shownSwapTermsText(terms),
    );
    const prepare = async (request: WithdrawalRequest): Promise<RelayedCall> => {
      const { call, ...prepared } = await this.#prepare(request, terms, quoteId);
      inForce = prepared;
      return call;
    };
    const look = (): Promise<AdmissionFacts> => this.#look(unwrap(read.request), terms, quoteId);
    // Where one quote binds another may not.
    const submissionId = await this.#relay.submit({
      read,
      role: ROLE,
      caller,
      look,
      prepare,
      variant: quoteId ?? '',
    });
    await onSubmission?.(submissionId);
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
    return {
      submissionId,
      ...settled,
      inForce: inForce ?? (await this.#pinned(unwrap(read.request))),
    };
  }

  /**
   * Sends a swap that has reverted once more, on the terms that its note is pinned to and above its
   * floor: every check is made again.
   * @param begin called right before the submission; nothing is sent where it resolves to false
   * @throws as {@link execute} does, where nothing was sent
   */
  async repeat(calldata: Felts, begin: () => Promise<boolean>): Promise<void> {
    const shown = readPrivateSwapCalldata(calldata);
    if (shown === null) throw new Error('the calldata is no private swap’s');
    // A pinned swap ends at its floor, whatever its tolerance is.
    const terms = {
      newCommitment: shown.newCommitment,
      outputToken: shown.outputToken,
      slippagePpm: 1,
    };
    const read = this.#admission.read(shown.wbtcPool, shown.proof, shownSwapTermsText(terms));
    const prepare = async (request: WithdrawalRequest): Promise<RelayedCall> => {
      const { call } = await this.#prepare(request, terms, undefined);
      if (!(await begin())) throw new BegunElsewhere();
      return call;
    };
    const look = (): Promise<AdmissionFacts> => this.#look(unwrap(read.request), terms, undefined);
    try {
      await this.#relay.submit({
        read,
        role: ROLE,
        caller: UNNAMED_CALLER,
        look,
        prepare,
        variant: 'again',
      });
    } catch (error) {
      if (!(error instanceof BegunElsewhere)) throw error;
    }
  }

  /** What bounds a swap that an earlier request sent; null where that can't be read now. */
  async #pinned(request: WithdrawalRequest): Promise<SwapInForce | null> {
    const pin = await settle(this.ports.pins.find(this.#noteOf(request)));
    return pin.known && pin.value !== null ? { floor: pin.value.floor, slippagePpm: null } : null;
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
        ? routeReport(await settle(this.#route(request, terms)))
        : UNROUTED;
    return {
      admissible: isSound && route.status === 'passed',
      checks: [...checks, route, NOT_SIMULATED],
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
    return this.guards.slots.run(request.pool.address, caller.name, () =>
      this.#admission.examine(known, caller),
    );
  }

  async #look(
    request: WithdrawalRequest,
    terms: SwapTerms,
    quoteId: string | undefined,
  ): Promise<AdmissionFacts> {
    const [pin, citation] = await Promise.all([
      settle(this.ports.pins.find(this.#noteOf(request))),
      settle(this.ports.quotes.look(quoteId)),
    ]);
    return { citation, pin: pin.known ? ok(standingOf(pin.value, terms)) : pin };
  }

  /**
   * The checked route of the swap at its fair value. Asks nothing that shows the proof, and writes
   * nothing.
   */
  async #route(
    { pool, statement, ...request }: WithdrawalRequest,
    terms: SwapTerms,
  ): Promise<RoutedSwap> {
    const { swapPool, payoutRule, pools } = this.policy;
    if (!isSwappable(pool)) throw notSwappable(pools);
    const { pins, fillPins, deposits, poolReader } = this.ports;
    await fillPins.complete();
    const [status, isKnown, pin] = await Promise.all([
      poolReader.poolStatus(pool.address),
      deposits.hasCommitment(terms.newCommitment),
      pins.find(this.#noteOf({ pool, statement, ...request })),
    ]);
    if (isKnown) throw new CommitmentExists();
    const sellAmount = amountToSwap(status, payoutRule, statement.fee);
    const { outputToken, slippagePpm, minAmountOut } = terms;
    const wanted = {
      sellToken: pool.token,
      buyToken: outputToken,
      sellAmount,
      taker: swapPool,
      slippagePpm,
      minAmountOut,
    };
    return this.#routing.route({ ...wanted, pinnedFloor: pin?.floor ?? null });
  }

  async #prepare(
    request: WithdrawalRequest,
    terms: SwapTerms,
    quoteId: string | undefined,
  ): Promise<SwapInForce & { readonly call: RelayedCall }> {
    const { pool, statement, calldata, key } = request;
    const { swapPool, swapOwner } = this.policy;
    const swap = await this.#route(request, terms);
    const target = { to: swapPool, entrypoint: PRIVATE_SWAP_ENTRYPOINT };
    const swapCalldata = privateSwapCalldata(pool.address, calldata, terms, swap);

    const { newCommitment, outputToken } = terms;
    const { floor } = await this.#pin({
      ...this.#noteOf(request),
      newCommitment,
      outputToken,
      floor: swap.floor,
    });
    // An equal request with a tighter tolerance was faster.
    if (swap.minimumOut < floor)
      throw new SwapBelowFloor({
        details: { offered: String(swap.minimumOut), floor: String(floor) },
      });
    const simulation = await this.ports.simulator.simulate(
      { ...target, calldata: swapCalldata },
      swapOwner,
    );
    if (!simulation.ok) throw privateSwapReverted(simulation.reason);
    const cost = await this.#admission.costOf(pool, simulation.gas);
    // A quote takes the place of the cost, as in the admission checks.
    const refusal = quoteId === undefined ? feeTooLow(statement.fee, cost.feeToken) : null;
    if (refusal !== null) throw refusal;
    if (quoteId !== undefined) await this.ports.quotes.redeem(quoteId, key);
    return {
      call: { target, calldata: swapCalldata, limits: this.limits, cost },
      floor,
      slippagePpm: swap.slippagePpm,
    };
  }

  /** The pin that stands then. @throws SwapPinned, CommitmentInProgress */
  async #pin(wanted: SwapPin): Promise<SwapPin> {
    const pinning = await this.ports.pins.pin(wanted);
    if (pinning.kind === 'commitment_taken') throw new CommitmentInProgress();
    if (pinning.kind === 'other_terms') throw pinnedTo(pinning.pin);
    return pinning.pin;
  }

  #noteOf({ pool, statement: { nullifierHash } }: WithdrawalRequest): SwappedNote {
    return { chainId: this.policy.chainId, pool: pool.address, nullifierHash };
  }
}

/** Another instance sends it. */
class BegunElsewhere extends Error {
  override readonly name = 'BegunElsewhere';
}

function pinnedTo({ newCommitment, outputToken }: SwapPin): SwapPinned {
  return new SwapPinned({
    details: { newCommitment: `0x${newCommitment.toString(16)}`, outputToken },
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
