import type { Felt } from '@sotto/kernel';
import {
  SimulationReverted,
  type Attempt,
  type GasPrices,
  type Ledger,
  type Revalidator,
  type GasUsed,
  type CallSimulator,
  type LatestBlock,
} from '@sotto/submission-core';
import { CostExceedsQuote } from '../../errors.js';
import {
  SwapBelowFloor,
  signedMinimum,
  MAX_SLIPPAGE_PPM,
  readSwapBounds,
  type FairValues,
} from '@sotto/market-core';
import { cycleCost } from '../../fees/domain/fee.js';
import { costExceedsQuote } from '../../fees/domain/quote-ceiling.js';
import type { NotePool } from '../../pools/domain/pool.js';
import { privateSwapReverted } from '../../relay/domain/revert-cause.js';
import { spentNote } from '../../pools/domain/withdrawal.js';
import {
  PRIVATE_SWAP_ENTRYPOINT,
  readPrivateSwapCalldata,
} from '../../pools/domain/private-swap-call.js';
import { ROUTER_ENTRYPOINT, soldAmount } from '../domain/sold-amount.js';
import type { SwapPins } from '../ports/swap-pins.port.js';
import type { PrivateSwapPolicy } from './execute-private-swap.js';

export interface SwapRevalidatorPorts {
  readonly ledger: Pick<Ledger, 'calldata'>;
  readonly pins: Pick<SwapPins, 'find'>;
  readonly simulator: CallSimulator;
  readonly fairValues: Pick<FairValues, 'of'>;
  readonly latestBlock: Pick<LatestBlock, 'gasPrices'>;
}

export interface SwapRevalidatorPolicy extends Pick<PrivateSwapPolicy, 'cycleGas' | 'learntGas'> {
  readonly chainId: Felt;
  readonly swapOwner: Felt;
  readonly pools: readonly NotePool[];
  readonly routers: readonly Felt[];
  readonly maxPriceImpactBps: number;
}

/**
 * Terms that are assumed for an attempt of an older release, which did not store the terms. Such an
 * attempt is limited only by the pin and the fair value.
 */
const UNKNOWN_WORDS = { slippagePpm: MAX_SLIPPAGE_PPM, quotedAmount: 0n } as const;

/**
 * Decides right before signing whether a swap may still be sent.
 *
 * The whole transaction is simulated on the pre-confirmed block. The minimum is compared with all
 * limits at current prices, and the cost with the cost assumed at admission. A revert on chain
 * would publish the proof, and any caller could then make the note unspendable. If the node can't
 * simulate, or a price is missing, the attempt waits: it is never sent unchecked. Attempts that are
 * already broadcast and attempts that are not swaps are ignored.
 */
export class SwapRevalidator implements Revalidator {
  constructor(
    private readonly ports: SwapRevalidatorPorts,
    private readonly policy: SwapRevalidatorPolicy,
  ) {}

  async rejectionOf(attempt: Attempt): Promise<string | null> {
    const { target, state, role } = attempt;
    const isSwap = role === 'swap_owner' && target.entrypoint === PRIVATE_SWAP_ENTRYPOINT;
    const note = spentNote(attempt);
    // Skip broadcast attempts: the pre-confirmed block may already include their effects, so a
    // simulation would fail.
    if (!isSwap || note === null || state !== 'accepted') return null;

    const { ledger, pins, simulator, fairValues, latestBlock } = this.ports;
    const { chainId, swapOwner, pools, routers, maxPriceImpactBps } = this.policy;
    const calldata = await ledger.calldata(attempt.id);
    const shown = calldata === null ? null : readPrivateSwapCalldata(calldata);
    const pool = pools.find(({ address }) => address === shown?.wbtcPool);
    if (calldata === null || shown === null || pool === undefined || pool.kind === 'swap_output')
      throw new Error('calldata of a waiting swap is missing or unreadable');
    const [pin, prices, simulation] = await Promise.all([
      pins.find({ chainId, ...note }),
      latestBlock.gasPrices(),
      simulator.simulate({ ...target, calldata }, swapOwner, {
        at: 'pre_confirmed',
        watch: ROUTER_ENTRYPOINT,
      }),
    ]);
    if (!simulation.ok) return privateSwapReverted(simulation.reason).code;
    // A swap that needs more gas than its resource bound would revert, which would publish the
    // proof.
    if ((simulation.gas?.l2Gas ?? 0n) > attempt.limits.l2Gas) return CostExceedsQuote.code;
    const tooDear = this.#tooDear(attempt, pool, simulation.gas, prices);
    if (tooDear !== null) return tooDear.code;
    const { outputToken, minimumOut } = shown;
    const sale = { routers, sellToken: pool.token.address, buyToken: outputToken };
    const sold = soldAmount(simulation.watched ?? [], sale);
    if (sold === null) return SimulationReverted.code;
    const words = readSwapBounds(attempt.terms?.bounds) ?? UNKNOWN_WORDS;
    const least = signedMinimum({
      pinnedMinimum: pin?.floor ?? null,
      words,
      quotedAmount: words.quotedAmount,
      fair: await fairValues.of(pool.token, sold, outputToken),
      maxPriceImpactBps,
    });
    return minimumOut < least ? SwapBelowFloor.code : null;
  }

  /**
   * Returns the error if the swap costs far more than assumed at admission. A cost up to the cost
   * that new quotes assume at current gas prices is also allowed, because a quote remains binding
   * when gas prices change.
   */
  #tooDear(
    { terms }: Attempt,
    pool: NotePool,
    used: GasUsed | undefined,
    prices: GasPrices,
  ): CostExceedsQuote | null {
    const { cycleGas, learntGas } = this.policy;
    const friWith = (swap: GasUsed | undefined): bigint =>
      cycleCost(cycleGas, prices, swap).totalFri;
    const learntFri = friWith(learntGas?.(pool.address));
    const admittedFri = terms?.costFri ?? 0n;
    const assumedFri = admittedFri > learntFri ? admittedFri : learntFri;
    return costExceedsQuote({ fri: used === undefined ? assumedFri : friWith(used), assumedFri });
  }
}
