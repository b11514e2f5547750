import { readProofCalldata, type ProofCalldata } from '@sotto/groth16/layout';
import {
  UNNAMED_CALLER,
  widestOf,
  tryCatch,
  settle,
  ok,
  unwrap,
  type Caller,
  type Felt,
  type Felts,
  type Result,
} from '@sotto/kernel';
import { cycleCost, swapOutputFee, swapOutputGas, type CycleGas } from '../../fees/domain/fee.js';
import { friToFeeToken, type MarketPrices } from '@sotto/market-core';
import type {
  GasUsed,
  CallSimulator,
  SimulatedCall,
  SimulationResult,
  LatestBlock,
} from '@sotto/submission-core';
import { servedPool, type NotePool } from '../../pools/domain/pool.js';
import { leafToken } from '../../pools/domain/swap-leaf.js';
import { NO_CITATION } from '../../fees/domain/quote-citation.js';
import {
  WITHDRAW_ENTRYPOINT,
  readStatement,
  withdrawalAsked,
  withdrawalKey,
} from '../../pools/domain/withdrawal.js';
import { BatchOutOfBounds } from '../../errors.js';
import type { PoolReader, WithdrawalFacts } from '../../pools/ports/pool-reader.port.js';
import type { ProofVerifier } from '../ports/proof-verifier.port.js';
import type { PoolTraffic } from '../../pools/application/pool-traffic.js';
import { RememberedRefusals } from '../../relay/application/remembered-refusals.js';
import type { AdmissionFacts, WithdrawalCost, WithdrawalRequest } from './admission-facts.js';
import { AdmissionChecks } from './admission-checks.js';
import { withdrawalChecks, type CheckTerms } from './checks.js';

export interface AdmissionPolicy extends CheckTerms {
  readonly pools: readonly NotePool[];
  readonly cycleGas: CycleGas;
  /** What receipts say of a pool; undefined before the first. @default `cycleGas` alone is known */
  readonly learntGas?: (pool: Felt) => GasUsed | undefined;
  /** Roots that make way for deposits that wait. @default none does */
  readonly roots?: Pick<PoolTraffic, 'isWithheld'>;
  /**
   * An account that may send withdrawals: they are simulated as its transactions, which returns
   * their gas.
   * @default they are simulated without an account
   */
  readonly triedAs?: Felt;
}

/** What admission asks outside of itself. */
export interface AdmissionPorts {
  readonly poolReader: Pick<PoolReader, 'withdrawalFacts'>;
  readonly proofVerifier: ProofVerifier;
  readonly simulator: CallSimulator;
  readonly latestBlock: Pick<LatestBlock, 'gasPrices' | 'number'>;
  readonly marketPrices: MarketPrices;
}

/** Gathers, in stages of rising cost, the facts that the admission checks of a withdrawal use. */
export class WithdrawalAdmission {
  readonly checks: AdmissionChecks;
  readonly refusals: RememberedRefusals;

  constructor(
    private readonly ports: AdmissionPorts,
    private readonly policy: AdmissionPolicy,
  ) {
    this.checks = new AdmissionChecks(withdrawalChecks(policy));
    this.refusals = new RememberedRefusals(ports.latestBlock);
  }

  /**
   * What the request itself says, without any quote cited. Stops at the first thing that can't be
   * read, so that junk costs next to nothing.
   * @param furtherTerms what the request fixes beside the withdrawal: part of its fingerprint
   * @param shownTerms what its call on chain shows of these
   */
  read(
    poolAddress: Felt,
    calldata: Felts,
    furtherTerms: readonly string[] = [],
    shownTerms: readonly string[] = furtherTerms,
  ): AdmissionFacts {
    const pool = tryCatch(() => servedPool(this.policy.pools, poolAddress));
    if (!pool.known) return { pool };
    const proof = tryCatch(() => readProofCalldata(calldata));
    if (!proof.known) return { pool, proof };
    const request = tryCatch(() =>
      this.#understand(pool.value, proof.value, furtherTerms, shownTerms),
    );
    return { pool, proof, request, citation: ok(NO_CITATION) };
  }

  /**
   * What the pairing check alone says of a request that could be read: nothing is asked outside of
   * the process.
   * @throws what kept the proof from being read
   */
  async pair(evidence: AdmissionFacts, caller = UNNAMED_CALLER): Promise<AdmissionFacts> {
    return { ...evidence, pairingHolds: await this.#pairing(evidence, caller) };
  }

  /**
   * What the pairing check and the chain say of a request that could be read. The pairing comes
   * first: a proof that does not hold costs no word to the node. Pool, gas prices and market prices
   * are read in one tick, so that a batching client makes one round trip of them. The simulation,
   * the only read that makes the node work and shows it the proof, comes last: it is left out if a
   * check has failed (root, nullifier, fee), and if no admission check uses it.
   * @param simulated called with what is simulated, as that begins
   */
  async examine(
    evidence: AdmissionFacts,
    caller = UNNAMED_CALLER,
    simulated: (call: SimulatedCall) => void = () => undefined,
  ): Promise<AdmissionFacts> {
    const { request } = evidence;
    if (request?.known !== true) return evidence;
    const { pairingHolds = await this.#pairing(evidence, caller) } = evidence;
    const judged = { ...evidence, pairingHolds };
    if (!pairingHolds.known || !pairingHolds.value) return judged;
    const { pool, statement, calldata } = request.value;
    const facts = this.ports.poolReader.withdrawalFacts(pool.address, statement);
    const [read, costs] = await Promise.all([settle(facts), settle(this.#costs(pool, facts))]);
    const chain = read.known ? ok(this.#withoutOldRoots(request.value, read.value)) : read;
    const costWith = (gas: GasUsed | undefined): Result<WithdrawalCost> =>
      costs.known ? ok(costs.value(gas)) : costs;
    const known = { ...judged, chain, cost: costWith(undefined) };
    const isRefused = this.checks.refusal({ ...known, cost: leastCost(known.cost) }) !== null;
    if (this.policy.afterPairing !== undefined || isRefused) return known;

    const call = { to: pool.address, entrypoint: WITHDRAW_ENTRYPOINT, calldata };
    const simulating = this.#simulate(call);
    simulated(call);
    const simulation = await simulating;
    return { ...known, cost: costWith(gasOf(simulation)), simulation };
  }

  /**
   * What the relayer spends on a note of the pool, now. All reads start in the tick of the call.
   * @param withdrawal gas of its withdrawal; undefined if only the estimate is known
   * @throws LeafUnknown, OutputTokenNotSupported, PriceUnavailable, or the error of a read
   */
  async costOf(pool: NotePool, withdrawal: GasUsed | undefined): Promise<WithdrawalCost> {
    return (await this.#costs(pool))(withdrawal);
  }

  /**
   * Reads prices, and returns the cost for the gas of a withdrawal.
   * @param facts name the leaf of a swap output; its fee is paid in that leaf's token
   */
  async #costs(
    pool: NotePool,
    facts?: Promise<Pick<WithdrawalFacts, 'leaf'>>,
  ): Promise<(withdrawal: GasUsed | undefined) => WithdrawalCost> {
    const [gasPrices, pricesIn, known] = await Promise.all([
      this.ports.latestBlock.gasPrices(),
      this.ports.marketPrices.forFees(),
      pool.kind === 'swap_output' ? facts : undefined,
    ]);
    const isSwapOutput = pool.kind === 'swap_output';
    const token = isSwapOutput ? leafToken(pool, known?.leaf ?? null) : pool.token;
    const gas = isSwapOutput ? swapOutputGas(this.policy.cycleGas) : this.policy.cycleGas;
    const prices = pricesIn(token.symbol);
    const costWith = (step: GasUsed | undefined) => cycleCost(gas, gasPrices, step).totalFri;
    const assumed = this.policy.learntGas?.(pool.address);
    const assumedFri = costWith(assumed);
    return (used) => {
      const fri = used === undefined ? assumedFri : costWith(used);
      const cost = friToFeeToken(fri, prices, token.decimals);
      const feeToken = isSwapOutput ? swapOutputFee(cost) : cost;
      return { ...prices, fri, assumedFri, token, feeToken };
    };
  }

  #withoutOldRoots(
    { pool: { address }, statement: { root } }: WithdrawalRequest,
    facts: WithdrawalFacts,
  ): WithdrawalFacts {
    const { roots } = this.policy;
    const isWithheld = roots?.isWithheld(address, root, facts.nextIndex) === true;
    return isWithheld ? { ...facts, rootKnown: false } : facts;
  }

  async #pairing({ proof }: AdmissionFacts, caller: Caller): Promise<Result<boolean>> {
    return settle(this.ports.proofVerifier.holds(unwrap(proof).proof, widestOf(caller)));
  }

  /**
   * Simulates a lane's transaction, which returns its gas. If the node accepts no transaction of
   * that account now (its nonce has just moved, or a replica returns an old one), that says nothing
   * about the withdrawal: it is then simulated as a call without an account.
   */
  async #simulate(call: SimulatedCall): Promise<Result<SimulationResult>> {
    const asLane = await settle(this.ports.simulator.simulate(call, this.policy.triedAs));
    const isOfAccount =
      this.policy.triedAs !== undefined &&
      !asLane.known &&
      asLane.failure.kind === 'upstream_failed';
    return isOfAccount ? settle(this.ports.simulator.simulate(call)) : asLane;
  }

  #understand(
    pool: NotePool,
    { felts, proof }: ProofCalldata,
    furtherTerms: readonly string[],
    shownTerms: readonly string[],
  ): WithdrawalRequest {
    const statement = readStatement(proof.publicInputs);
    if (pool.kind === 'swap_output' && statement.batchSize !== 1)
      throw new BatchOutOfBounds({ details: { expected: 1 } });
    const key = withdrawalKey(this.policy.chainId, pool.address, statement.nullifierHash);
    const asked = withdrawalAsked(pool.address, statement, furtherTerms, shownTerms);
    const shown = withdrawalAsked(pool.address, statement, shownTerms);
    return { pool, calldata: felts, statement, key, asked, shown };
  }
}

/** A simulation may find less gas than estimates: a fee below half is refused without one. */
function leastCost(cost: Result<WithdrawalCost>): Result<WithdrawalCost> {
  return cost.known ? ok({ ...cost.value, feeToken: cost.value.feeToken / 2n }) : cost;
}

/**
 * What a simulation says of gas; undefined where it reverted, failed, was left out, or was no
 * transaction.
 */
function gasOf(simulation: Result<SimulationResult> | undefined): GasUsed | undefined {
  return simulation?.known === true && simulation.value.ok ? simulation.value.gas : undefined;
}
