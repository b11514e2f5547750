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
import {
  MAX_RECIPIENT_GAS_FRI,
  RECIPIENT_GAS_USE,
  recipientGasTerms,
  splitRecipientGas,
  withRecipientGas,
} from '../../pools/domain/recipient-gas.js';
import { requireOffered, type RecipientGasOffer } from '../../fees/domain/recipient-gas-offer.js';
import { friToFeeToken, type MarketPrices } from '@sotto/market-core';
import {
  usedFri,
  type GasUsed,
  type CallSimulator,
  type SimulatedCall,
  type SimulationResult,
  type LatestBlock,
} from '@sotto/submission-core';
import { servedPool, type NotePool } from '../../pools/domain/pool.js';
import { leafToken } from '../../pools/domain/swap-leaf.js';
import { NO_CITATION } from '../../fees/domain/quote-citation.js';
import {
  WITHDRAW_ENTRYPOINT,
  readStatement,
  withdrawalRequested,
  withdrawalKey,
} from '../../pools/domain/withdrawal.js';
import { BatchOutOfBounds, RecipientGasUnavailable } from '../../errors.js';
import type { PoolReader, WithdrawalFacts } from '../../pools/ports/pool-reader.port.js';
import type { ProofVerifier } from '../ports/proof-verifier.port.js';
import type { PoolTraffic } from '../../pools/application/pool-traffic.js';
import { RememberedRejections } from '../../relay/application/remembered-rejections.js';
import type {
  AdmissionFacts,
  Facts,
  WithdrawalCost,
  WithdrawalRequest,
} from './admission-facts.js';
import { AdmissionChecks } from '../../relay/application/admission-checks.js';
import { withdrawalChecks, type CheckTerms } from './checks.js';

export interface AdmissionPolicy extends CheckTerms {
  readonly pools: readonly NotePool[];
  readonly cycleGas: CycleGas;
  /**
   * Returns the gas of a pool's withdrawals, learnt from receipts; undefined before the first
   * receipt.
   * @default no learnt gas: costs are computed from `cycleGas` only
   */
  readonly learntGas?: (pool: Felt) => GasUsed | undefined;
  /** STRK that a withdrawal may give to its recipient. @default none */
  readonly recipientGas?: RecipientGasOffer;
  /** Decides which roots are reserved for waiting deposits. @default none */
  readonly roots?: Pick<PoolTraffic, 'isWithheld'>;
  /**
   * Account that may send withdrawals. With this account as the sender, simulations return the gas
   * of the transaction.
   * @default simulation without an account
   */
  readonly triedAs?: Felt;
}

/** Seconds after which an account that lacked STRK may have been funded. */
const SHORT_RETRY_SECONDS = 60;

/** Ports that the admission uses. */
export interface AdmissionPorts {
  readonly poolReader: Pick<PoolReader, 'withdrawalFacts'>;
  readonly proofVerifier: ProofVerifier;
  readonly simulator: CallSimulator;
  readonly latestBlock: Pick<LatestBlock, 'gasPrices' | 'number'>;
  readonly marketPrices: MarketPrices;
}

/** Reads the facts that the admission checks of a withdrawal need, in stages of increasing cost. */
export class WithdrawalAdmission {
  readonly checks: AdmissionChecks<Facts>;
  readonly rejections: RememberedRejections;

  constructor(
    private readonly ports: AdmissionPorts,
    private readonly policy: AdmissionPolicy,
  ) {
    this.checks = new AdmissionChecks(withdrawalChecks(policy));
    this.rejections = new RememberedRejections(ports.latestBlock);
  }

  /**
   * Parses the request, without its quote. Stops at the first unreadable part, so that a malformed
   * request costs almost nothing.
   * @param furtherTerms terms that the request fixes in addition to the withdrawal, and that its
   *   fingerprint covers
   * @param shownTerms subset of `furtherTerms` that the request's call shows on chain
   * @param recipientGasFri STRK that the transaction gives to the proof's recipient, in fri
   */
  read(
    poolAddress: Felt,
    calldata: Felts,
    furtherTerms: readonly string[] = [],
    shownTerms: readonly string[] = furtherTerms,
    recipientGasFri = 0n,
  ): AdmissionFacts {
    const pool = tryCatch(() => servedPool(this.policy.pools, poolAddress));
    if (!pool.known) return { pool };
    const proof = tryCatch(() => readProofCalldata(calldata));
    if (!proof.known) return { pool, proof };
    const request = tryCatch(() =>
      this.#understand(
        pool.value,
        proof.value,
        [...furtherTerms, ...recipientGasTerms(recipientGasFri)],
        [...shownTerms, ...recipientGasTerms(recipientGasFri)],
        recipientGasFri,
      ),
    );
    return { pool, proof, request, citation: ok(NO_CITATION) };
  }

  /**
   * Checks that a new withdrawal may give this amount of STRK to its recipient.
   * @throws RecipientGasNotOffered
   */
  requireOffered(recipientGasFri: bigint): void {
    requireOffered(recipientGasFri, this.policy.recipientGas);
  }

  /**
   * Adds the result of the pairing check to a parsed request. Makes no call to another process.
   * @throws the error of parsing the proof
   */
  async pair(evidence: AdmissionFacts, caller = UNNAMED_CALLER): Promise<AdmissionFacts> {
    return { ...evidence, pairingHolds: await this.#pairing(evidence, caller) };
  }

  /**
   * Adds the result of the pairing check and the state of the chain to a parsed request.
   *
   * The pairing check comes first, so that the node is not queried for an invalid proof. Pool, gas
   * prices and market prices are read in the same tick, so a batching client needs one round trip.
   * The simulation comes last, because it is expensive for the node and shows the proof to the
   * node. The simulation is skipped if a check has failed (root, nullifier, fee), or if no
   * admission check uses its result.
   *
   * @param simulated called with the simulated call when its simulation starts
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
    const { pool, statement, calldata, recipientGasFri } = request.value;
    const facts = this.ports.poolReader.withdrawalFacts(pool.address, statement);
    const [read, costs] = await Promise.all([
      settle(facts),
      settle(this.#costs(pool, recipientGasFri, facts)),
    ]);
    const chain = read.known ? ok(this.#withoutOldRoots(request.value, read.value)) : read;
    const costWith = (gas: GasUsed | undefined): Result<WithdrawalCost> =>
      costs.known ? ok(costs.value(gas)) : costs;
    const known = { ...judged, chain, cost: costWith(undefined) };
    const isRefused = this.checks.rejection({ ...known, cost: leastCost(known.cost) }) !== null;
    if (this.policy.afterPairing !== undefined || isRefused) return known;

    const call = { to: pool.address, entrypoint: WITHDRAW_ENTRYPOINT, calldata };
    const simulating = this.#simulate(call);
    simulated(call);
    const simulation = await simulating;
    return { ...known, cost: costWith(gasOf(simulation)), simulation };
  }

  /**
   * Returns the current cost of withdrawing a note of the pool. All reads start in the tick of the
   * call.
   * @param withdrawal gas of the withdrawal; undefined if only the estimate is known
   * @throws LeafUnknown, OutputTokenNotSupported, PriceUnavailable, or the error of a failed read
   */
  async costOf(pool: NotePool, withdrawal: GasUsed | undefined): Promise<WithdrawalCost> {
    return (await this.#costs(pool, 0n))(withdrawal);
  }

  /**
   * Reads prices, and returns a function from the gas of a withdrawal to its cost.
   * @param recipientGasFri STRK that the withdrawal gives to its recipient, in fri
   * @param facts facts that contain the leaf of a swap output; the fee is paid in the token of this
   *   leaf
   */
  async #costs(
    pool: NotePool,
    recipientGasFri: bigint,
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
    const transferFri = recipientGasFri === 0n ? 0n : usedFri(RECIPIENT_GAS_USE, gasPrices);
    const assumedFri = costWith(assumed) + transferFri;
    const inToken = (fri: bigint): bigint => friToFeeToken(fri, prices, token.decimals);
    const recipientGas = inToken(recipientGasFri);
    return (used) => {
      // The gas of a simulation includes the transfer.
      const fri = used === undefined ? assumedFri : costWith(used);
      const cost = inToken(fri) + recipientGas;
      const feeToken = isSwapOutput ? swapOutputFee(cost) : cost;
      return { ...prices, fri, assumedFri, token, feeToken, recipientGas };
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
   * Simulates the call as a transaction of a lane, so that the simulation returns the gas. The node
   * may currently reject every transaction of the lane's account, because the account's nonce has
   * just changed or a replica returns an old nonce. Such a rejection does not concern the
   * withdrawal, so the call is then simulated without an account.
   */
  async #simulate(call: SimulatedCall): Promise<Result<SimulationResult>> {
    const simulated = await this.#simulateOnce(call);
    const { withdrawal, recipientGas } = splitRecipientGas(call.calldata);
    if (recipientGas === null || !simulated.known || simulated.value.ok) return simulated;
    // The transfer fails only if the simulating account lacks the STRK. The caller is not the cause
    // then, so the withdrawal is simulated without the transfer.
    const plain = await this.#simulateOnce({ ...call, calldata: withdrawal });
    return plain.known && plain.value.ok
      ? {
          known: false,
          failure: new RecipientGasUnavailable({ retryAfterSeconds: SHORT_RETRY_SECONDS }),
        }
      : plain;
  }

  async #simulateOnce(call: SimulatedCall): Promise<Result<SimulationResult>> {
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
    recipientGasFri: bigint,
  ): WithdrawalRequest {
    const statement = readStatement(proof.publicInputs);
    if (pool.kind === 'swap_output' && statement.batchSize !== 1)
      throw new BatchOutOfBounds({ details: { expected: 1 } });
    const key = withdrawalKey(this.policy.chainId, pool.address, statement.nullifierHash);
    const requested = withdrawalRequested(pool.address, statement, furtherTerms, shownTerms);
    const shown = withdrawalRequested(pool.address, statement, shownTerms);
    const { recipientGas: offer } = this.policy;
    // A lower maximum of today does not matter here: a repeated request gets the first response.
    if (offer === undefined || recipientGasFri > MAX_RECIPIENT_GAS_FRI)
      this.requireOffered(recipientGasFri);
    const { recipient } = statement;
    // The recipient is always the proof's, so that a caller can direct STRK to no other address.
    const calldata =
      recipientGasFri === 0n || offer === undefined
        ? felts
        : withRecipientGas(felts, { token: offer.token, recipient, amountFri: recipientGasFri });
    return { pool, calldata, recipientGasFri, statement, key, requested, shown };
  }
}

/**
 * Returns half the estimated cost. A simulation may find less gas than the estimate. Therefore,
 * before the simulation, only a fee below half the estimated cost is rejected.
 */
function leastCost(cost: Result<WithdrawalCost>): Result<WithdrawalCost> {
  return cost.known ? ok({ ...cost.value, feeToken: cost.value.feeToken / 2n }) : cost;
}

/**
 * Returns the gas of a simulation. Undefined if the simulation reverted, failed or was skipped, or
 * if it simulated a call without a transaction.
 */
function gasOf(simulation: Result<SimulationResult> | undefined): GasUsed | undefined {
  return simulation?.known === true && simulation.value.ok ? simulation.value.gas : undefined;
}
