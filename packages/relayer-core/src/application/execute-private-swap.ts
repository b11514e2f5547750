import { createHash } from 'node:crypto';
import type { Clock, Felt, Felts } from '@sotto/kernel';
import type { ResourceLimits, Submissions } from '@sotto/submission-core';
import { UNNAMED_CALLER, type Caller } from '../domain/caller.js';
import type { CycleGas } from '../domain/fee.js';
import {
  PRIVATE_SWAP_CYCLE_GAS,
  PRIVATE_SWAP_ENTRYPOINT,
  amountToSwap,
  checkSwapTerms,
  privateSwapCalldata,
  shownSwapTermsText,
  swapTermsText,
  type PayoutRule,
  type SwapTerms,
} from '../domain/private-swap.js';
import type { PoolToken, ServedPool } from '../domain/pool.js';
import { privateSwapReverted } from '../domain/simulated-revert.js';
import { CommitmentInProgress, PoolNotSwappable, RecipientNotSwapPool } from '../errors.js';
import type { PoolStatusReader } from '../ports/pool-status-reader.port.js';
import type { SwapAggregator } from '../ports/swap-aggregator.port.js';
import type { WithdrawalRequest } from './admission/evidence.js';
import { rung, type Rung } from './admission/rung.js';
import { WithdrawalAdmission, type AdmissionPorts } from './admission/withdrawal-admission.js';
import type { ExclusiveClaims } from './exclusive-claims.js';
import { FairValues } from './fair-values.js';
import { ProofRelay, type RelayGuards, type RelayedCall } from './proof-relay.js';
import { standing, type StandingAnswer } from './submission-end.js';
import { WITHDRAWAL_LIMITS } from './submit-withdrawal.js';
import type { SwapOutcome, SwapOutcomes } from './swap-outcomes.js';
import { SwapRouting, type RoutedSwap, type SwapRoutingPolicy } from './swap-routing.js';

export interface PrivateSwapPolicy extends SwapRoutingPolicy {
  readonly chainId: Felt;
  /** Earns the fees: what a proof must name as its relayer. */
  readonly feeAddress: Felt;
  /** Receives the payout and swaps it: what a proof must name as its recipient. */
  readonly swapPool: Felt;
  /** The account that owns the swap pool: swaps are tried as its transactions before anything is written. */
  readonly swapOwner: Felt;
  /** All that are served: swaps start from those of the kind `swap_input`. */
  readonly pools: readonly ServedPool[];
  /** The tokens that may be swapped into, as long as they have two independent prices. */
  readonly outputTokens: readonly PoolToken[];
  readonly payoutRule: PayoutRule;
  /** @default {@link PRIVATE_SWAP_CYCLE_GAS} */
  readonly cycleGas?: CycleGas;
}

/** What a private swap asks outside of itself. */
export interface PrivateSwapPorts extends AdmissionPorts {
  readonly poolStatusReader: PoolStatusReader;
  readonly aggregator: SwapAggregator;
  readonly submissions: Submissions;
  readonly clock: Clock;
}

/** What private swaps share with withdrawals, and with each other. */
export interface PrivateSwapGuards extends RelayGuards {
  /** Of new commitments. */
  readonly claims: ExclusiveClaims;
}

export interface PrivateSwapInput extends SwapTerms {
  /** @default {@link UNNAMED_CALLER} */
  readonly caller?: Caller;
  readonly wbtcPool: Felt;
  /** Proof calldata, with or without its length felt. */
  readonly proofCalldata: Felts;
  /** How long to wait for an execution and its deposit before the answer is "undecided". */
  readonly waitMs: number;
  /** Ends the wait, never the submission. */
  readonly signal?: AbortSignal;
}

/** With an answer that is undecided, leaf and amount are null; with one that is REVERTED, they are -1 and 0. */
export interface ExecutedPrivateSwap extends SwapOutcome {
  readonly submissionId: string;
  readonly answer: StandingAnswer;
  /** Null where the swap had been sent by an earlier request. */
  readonly inForce: SwapInForce | null;
}

/** What bounds a swap that was sent. */
export type SwapInForce = Pick<RoutedSwap, 'floor' | 'slippagePpm'>;

/** Withdraws a note to the swap pool and has it swapped there into another token, which a new note stands for. */
export class ExecutePrivateSwap {
  readonly #admission: WithdrawalAdmission;
  readonly #relay: ProofRelay;
  readonly #routing: SwapRouting;

  /** @param limits of the transaction's resources; the policy's, not an estimate. @default those of a withdrawal */
  constructor(
    private readonly ports: PrivateSwapPorts,
    private readonly guards: PrivateSwapGuards,
    private readonly outcomes: SwapOutcomes,
    private readonly policy: PrivateSwapPolicy,
    private readonly limits: ResourceLimits = WITHDRAWAL_LIMITS,
  ) {
    const { chainId, feeAddress, pools, swapPool, cycleGas = PRIVATE_SWAP_CYCLE_GAS } = policy;
    this.#admission = new WithdrawalAdmission(ports, {
      chainId,
      feeAddress,
      pools,
      cycleGas,
      pool: poolSwaps(pools),
      recipient: recipientIs(swapPool),
    });
    this.#relay = new ProofRelay(this.#admission, ports.submissions, guards);
    this.#routing = new SwapRouting(ports.aggregator, new FairValues(ports.marketPrices, policy.outputTokens), policy);
  }

  /**
   * The answer to a private swap. It goes through the ladder of withdrawals and holds the same key, so that a note is either withdrawn
   * or swapped. A request whose equal (same pool, public inputs and terms) is on its way or has succeeded gets that one's answer, without
   * asking the aggregator again.
   * @throws a fault of the terms, of the first rung that fails, of the aggregator, of the swap's simulation, or of a read that failed;
   *   nothing was sent or written then.
   * @throws SubmissionRefused, SubmissionExpired when it was accepted but nothing of it is or can be on chain.
   */
  async execute({
    wbtcPool,
    proofCalldata,
    waitMs,
    signal,
    caller = UNNAMED_CALLER,
    ...terms
  }: PrivateSwapInput): Promise<ExecutedPrivateSwap> {
    checkSwapTerms(terms, this.policy);
    let inForce: SwapInForce | null = null;
    const submissionId = await this.#relay.carry({
      read: this.#admission.read(wbtcPool, proofCalldata, swapTermsText(terms), shownSwapTermsText(terms)),
      role: 'swap_owner',
      caller,
      prepare: async (request) => {
        const { call, routed } = await this.#prepare(request, terms);
        inForce = { floor: routed.floor, slippagePpm: routed.slippagePpm };
        return call;
      },
    });
    const untilMs = this.ports.clock.monotonicMs() + waitMs;
    const answer = standing(await this.ports.submissions.waitFor(submissionId, waitMs, signal));
    const settled = await this.outcomes.settle(answer, ({ commitment }) => commitment === terms.newCommitment, untilMs, signal);
    return { submissionId, ...settled, inForce };
  }

  async #prepare(
    { pool, statement, calldata, key }: WithdrawalRequest,
    terms: SwapTerms,
  ): Promise<{ readonly call: RelayedCall; readonly routed: RoutedSwap }> {
    const { swapPool, swapOwner, payoutRule } = this.policy;
    const sellAmount = amountToSwap(await this.ports.poolStatusReader.poolStatus(pool.address), payoutRule, statement.fee);
    const { outputToken, slippagePpm, minAmountOut } = terms;
    const wanted = { sellToken: pool.token, buyToken: outputToken, sellAmount, taker: swapPool, slippagePpm, minAmountOut };
    const routed = await this.#routing.route(wanted);
    const target = { to: swapPool, entrypoint: PRIVATE_SWAP_ENTRYPOINT };
    const swapCalldata = privateSwapCalldata(pool.address, calldata, terms, routed);
    const simulation = await this.ports.simulator.simulate({ ...target, calldata: swapCalldata }, swapOwner);
    if (!simulation.ok) throw privateSwapReverted(simulation.reason);
    // The simulation sees what is on chain; of two swaps that are both on their way only a claim tells one.
    if (!(await this.guards.claims.take(commitmentClaim(swapPool, terms.newCommitment), key))) throw new CommitmentInProgress();
    return { call: { target, calldata: swapCalldata, limits: this.limits }, routed };
  }
}

/** The name that a swap holds while its commitment may become a leaf. Hashed: names are kept in the open. */
function commitmentClaim(swapPool: Felt, commitment: bigint): string {
  return `commitment|${createHash('sha256')
    .update(`${swapPool}|0x${commitment.toString(16)}`)
    .digest('hex')}`;
}

function poolSwaps(pools: readonly ServedPool[]): Rung {
  const allowed = pools.filter(({ kind }) => kind === 'swap_input').map(({ address }) => address);
  return rung('pool_swaps', PoolNotSwappable.code, ['pool'], ({ pool }) =>
    pool.kind === 'swap_input' ? null : new PoolNotSwappable({ details: { allowed: allowed.join(', ') } }),
  );
}

function recipientIs(swapPool: Felt): Rung {
  return rung('recipient', RecipientNotSwapPool.code, ['request'], ({ request }) =>
    request.statement.recipient === swapPool ? null : new RecipientNotSwapPool({ details: { expected: swapPool } }),
  );
}
