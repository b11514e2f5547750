import type { Caller, Felt, UpstreamBudget } from '@sotto/kernel';
import {
  simulationReverted,
  type ResourceLimits,
  type GasUsed,
  type CallSimulator,
} from '@sotto/submission-core';
import { CommitmentExists, CommitmentInProgress, SwapPinned } from '../../errors.js';
import { costExceedsQuote } from '../../fees/domain/quote-ceiling.js';
import type { QuoteRedemption } from '../../fees/application/quote-redemption.js';
import { isSwappable, notSwappable, type NotePool } from '../../pools/domain/pool.js';
import type { PoolReader } from '../../pools/ports/pool-reader.port.js';
import type { RelayedCall } from '../../withdrawals/application/relay-pipeline.js';
import { privateSwapReverted } from '../../relay/domain/revert-cause.js';
import type { WithdrawalRequest } from '../../withdrawals/application/admission-facts.js';
import { feeTooLow } from '../../withdrawals/application/checks.js';
import type { WithdrawalAdmission } from '../../withdrawals/application/withdrawal-admission.js';
import { amountToSwap, type PayoutRule, type SwapTerms } from '../domain/private-swap.js';
import {
  PRIVATE_SWAP_ENTRYPOINT,
  privateSwapCalldata,
} from '../../pools/domain/private-swap-call.js';
import {
  promisedMinimum,
  swapBoundsText,
  type RoutedSwap,
  type SwapRouting,
  type SwapRoutingPolicy,
} from '@sotto/market-core';
import { ROUTER_ENTRYPOINT, soldAmount } from '../domain/sold-amount.js';
import type { SwapPin, SwappedNote } from '../../pools/domain/swap-pin.js';
import type { SwapPins } from '../ports/swap-pins.port.js';
import type { FillSwapPins } from './fill-swap-pins.js';

export interface PrepareSwapPorts {
  readonly poolReader: Pick<PoolReader, 'poolStatus' | 'hasCommitment'>;
  readonly simulator: CallSimulator;
  readonly pins: SwapPins;
  readonly fillPins: Pick<FillSwapPins, 'complete'>;
  readonly quotes: Pick<QuoteRedemption, 'redeem'>;
  /** Limits the requests to the aggregator that private swaps may cause. */
  readonly aggregatorBudget: Pick<UpstreamBudget, 'spend'>;
}

export interface PrepareSwapPolicy extends Pick<SwapRoutingPolicy, 'routers'> {
  readonly chainId: Felt;
  /** Contract that receives the payout and swaps it. */
  readonly swapPool: Felt;
  /** Account that owns the swap pool. Simulations use this account as the sender. */
  readonly swapOwner: Felt;
  readonly pools: readonly NotePool[];
  readonly payoutRule: PayoutRule;
}

/** Caller of a swap, and the quote that the caller cites. */
export interface SwapOrigin {
  readonly caller: Caller;
  readonly quoteId: string | undefined;
}

/** Result of simulating a swap. */
interface TriedSwap {
  readonly calldata: RelayedCall['calldata'];
  /** Amount that the swap pool sold, including accrued yield, in the sold token's smallest unit. */
  readonly sold: bigint;
  readonly gas: GasUsed | undefined;
}

/** Builds the call of an admitted swap. */
export class PrepareSwap {
  constructor(
    private readonly ports: PrepareSwapPorts,
    private readonly routing: Pick<SwapRouting, 'route'>,
    private readonly admission: Pick<WithdrawalAdmission, 'costOf'>,
    private readonly policy: PrepareSwapPolicy,
    private readonly limits: ResourceLimits,
  ) {}

  /**
   * Finds the route for the amount that the pool's status predicts. Does not reveal the proof and
   * writes nothing. Rejects with Overloaded, before any read, if the caller may not cause a request
   * to the aggregator now.
   */
  async route(request: WithdrawalRequest, terms: SwapTerms, caller: Caller): Promise<RoutedSwap> {
    const { pool, statement } = request;
    const { payoutRule, pools, swapPool } = this.policy;
    if (!isSwappable(pool)) throw notSwappable(pools);
    this.ports.aggregatorBudget.spend(caller);
    const { pins, fillPins, poolReader } = this.ports;
    await fillPins.complete();
    const [status, isKnown, pin] = await Promise.all([
      poolReader.poolStatus(pool.address),
      poolReader.hasCommitment(swapPool, terms.newCommitment),
      pins.find(this.noteOf(request)),
    ]);
    if (isKnown) throw new CommitmentExists();
    const expected = amountToSwap(status, payoutRule, statement.fee);
    return this.#routeOf(request, terms, expected, pin?.floor ?? null);
  }

  /**
   * Pins the note and simulates the swap. If the amount sold in the simulation differs from the
   * expected amount, the swap is quoted and simulated again, so that the signed minimum includes
   * accrued yield. The pin is written first, because the simulation reveals the proof to the node.
   */
  async prepare(
    request: WithdrawalRequest,
    terms: SwapTerms,
    { quoteId, caller }: SwapOrigin,
  ): Promise<RelayedCall> {
    const { pool, statement, key } = request;
    let swap = await this.route(request, terms, caller);
    const { newCommitment, outputToken, slippagePpm, minAmountOut } = terms;
    const { floor } = await this.#pin({
      ...this.noteOf(request),
      newCommitment,
      outputToken,
      floor: promisedMinimum(terms, swap.plausibleAmount),
    });
    let tried = await this.#try(request, terms, swap);
    // The minimum is too low if an equal request has pinned a higher minimum since this request
    // read the pin.
    if (tried.sold !== swap.sellAmount || swap.minimumOut < floor) {
      swap = await this.#routeOf(request, terms, tried.sold, floor);
      tried = await this.#try(request, terms, swap);
    }
    const cost = await this.admission.costOf(pool, tried.gas);
    const rejection =
      quoteId === undefined ? feeTooLow(statement.fee, cost.feeToken) : costExceedsQuote(cost);
    if (rejection !== null) throw rejection;
    if (quoteId !== undefined) await this.ports.quotes.redeem(quoteId, key);
    const { minimumOut, quotedAmount } = swap;
    return {
      target: this.#target,
      calldata: tried.calldata,
      limits: this.limits,
      cost,
      bounds: swapBoundsText({ minimumOut, quotedAmount, slippagePpm, minAmountOut }),
    };
  }

  noteOf({ pool, statement: { nullifierHash } }: WithdrawalRequest): SwappedNote {
    return { chainId: this.policy.chainId, pool: pool.address, nullifierHash };
  }

  get #target(): RelayedCall['target'] {
    return { to: this.policy.swapPool, entrypoint: PRIVATE_SWAP_ENTRYPOINT };
  }

  #routeOf(
    { pool }: WithdrawalRequest,
    { outputToken, slippagePpm, minAmountOut }: SwapTerms,
    sellAmount: bigint,
    pinnedFloor: bigint | null,
  ): Promise<RoutedSwap> {
    if (!isSwappable(pool)) throw notSwappable(this.policy.pools);
    return this.routing.route({
      sellToken: pool.token,
      buyToken: outputToken,
      sellAmount,
      taker: this.policy.swapPool,
      slippagePpm,
      minAmountOut,
      pinnedFloor,
    });
  }

  /**
   * Simulates the whole transaction on the pre-confirmed block. @throws the error that corresponds
   * to the revert reason
   */
  async #try(
    { pool, calldata: proof }: WithdrawalRequest,
    terms: SwapTerms,
    swap: RoutedSwap,
  ): Promise<TriedSwap> {
    if (!isSwappable(pool)) throw notSwappable(this.policy.pools);
    const { swapOwner, routers } = this.policy;
    const calldata = privateSwapCalldata(pool.address, proof, terms, swap);
    const simulation = await this.ports.simulator.simulate(
      { ...this.#target, calldata },
      swapOwner,
      { at: 'pre_confirmed', watch: ROUTER_ENTRYPOINT },
    );
    if (!simulation.ok) throw privateSwapReverted(simulation.reason);
    const sale = { routers, sellToken: pool.token.address, buyToken: terms.outputToken };
    const sold = soldAmount(simulation.watched ?? [], sale);
    if (sold === null) throw simulationReverted('the simulation shows no sale at a known router');
    return { calldata, sold, gas: simulation.gas };
  }

  /**
   * Pins the note. Returns the pin that the note has afterwards. @throws SwapPinned,
   * CommitmentInProgress
   */
  async #pin(wanted: SwapPin): Promise<SwapPin> {
    const pinning = await this.ports.pins.pin(wanted);
    if (pinning.kind === 'commitment_taken') throw new CommitmentInProgress();
    if (pinning.kind === 'other_terms') throw pinnedTo(pinning.pin);
    return pinning.pin;
  }
}

/** Returns the error that contains the terms of the note's pin. */
export function pinnedTo({ newCommitment, outputToken }: SwapPin): SwapPinned {
  return new SwapPinned({
    details: { newCommitment: `0x${newCommitment.toString(16)}`, outputToken },
  });
}
