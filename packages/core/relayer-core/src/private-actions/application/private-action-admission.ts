import {
  UNNAMED_CALLER,
  ok,
  settle,
  tryCatch,
  unwrap,
  type Caller,
  type Clock,
  type Felt,
  type Felts,
  type Result,
} from '@sotto/kernel';
import type { MarketPrices, PoolToken } from '@sotto/market-core';
import {
  usedFri,
  type CallSimulator,
  type GasUsed,
  type LatestBlock,
  type SimulationResult,
} from '@sotto/submission-core';
import { AdmissionChecks } from '../../relay/application/admission-checks.js';
import { servedPool, type PrivacyPool } from '../../pools/domain/pool.js';
import {
  APPLY_ACTIONS_ENTRYPOINT,
  effectsOf,
  readApplyActions,
} from '../../pools/domain/apply-actions-call.js';
import type { PrivateActionCost, PrivateActionFeeMode } from '../domain/private-action-cost.js';
import { privateActionKey, privateActionRequested } from '../../pools/domain/private-action-key.js';
import { encodeOutsideCalls, type SignedOutsideCalls } from '../domain/outside-execution.js';
import { packPayload } from '../../pools/domain/private-action-payload.js';
import {
  factsRejections,
  messageHash,
  readProofFacts,
  type PoseidonHash,
} from '../domain/proof-facts.js';
import { sponsorOf, type SponsorKey } from '../domain/sponsors.js';
import type { PrivacyPoolFacts, PrivacyPoolReader } from '../ports/privacy-pool-reader.port.js';
import { privateActionChecks, type PrivateActionTerms } from './private-action-checks.js';
import type {
  ActionFee,
  Facts,
  PrivateActionFacts,
  PrivateActionRequest,
  Promised,
  ReadPool,
} from './private-action-facts.js';
import type { PromisedFees } from './promised-fees.js';

/** Ports that the admission of private actions uses. */
export interface PrivateActionPorts {
  readonly pools: PrivacyPoolReader;
  readonly simulator: CallSimulator;
  readonly latestBlock: Pick<LatestBlock, 'gasPrices'>;
  readonly marketPrices: Pick<MarketPrices, 'forFees'>;
}

export interface PrivateActionPolicy extends PrivateActionTerms {
  /** Privacy pools that are served. */
  readonly pools: readonly PrivacyPool[];
  readonly strk: PoolToken;
  readonly sponsors: readonly SponsorKey[];
  readonly poseidon: PoseidonHash;
  /** Fact that every proof of this network contains. */
  readonly configHash: Felt;
  /** Programs that the network accepts; null to leave this check to the node. */
  readonly programHashes: readonly Felt[] | null;
  /** Account as which transactions are simulated. */
  readonly triedAs: Felt;
  /** Gas of one transaction, as learnt from receipts or as the profile assumes it. */
  readonly gas: (pool: Felt) => GasUsed;
}

/** Request for private actions. */
export interface PrivateActionInput {
  readonly poolAddress: Felt;
  /** Calldata of `apply_actions`. */
  readonly calldata: Felts;
  readonly proofFacts: Felts;
  /** Decoded proof; empty if the request has none. */
  readonly proof: Uint8Array;
  /** @default default */
  readonly feeMode?: PrivateActionFeeMode;
  /** Key of the sponsor, for sponsored requests. @default none */
  readonly sponsorKey?: string;
  /** Calls of the user's account that run before the actions. @default none */
  readonly outsideCalls?: SignedOutsideCalls;
  /** @default {@link UNNAMED_CALLER} */
  readonly caller?: Caller;
}

/**
 * Number of blocks that a transaction may need from its admission until it is included. The machine
 * itself signs nothing in the last five blocks.
 */
const MARGIN_BLOCKS = 10;

/** Reads the facts on which the checks of private actions depend, in stages of increasing cost. */
export class PrivateActionAdmission {
  readonly checks: AdmissionChecks<Facts>;

  constructor(
    private readonly ports: PrivateActionPorts,
    private readonly promised: Pick<PromisedFees, 'find'>,
    clock: Pick<Clock, 'nowMs'>,
    readonly policy: PrivateActionPolicy,
  ) {
    this.checks = new AdmissionChecks(privateActionChecks(policy, clock));
  }

  /** Parses the request. Makes no call to another process. */
  read(input: PrivateActionInput): PrivateActionFacts {
    const { poolAddress, calldata, proofFacts, feeMode = 'default', sponsorKey } = input;
    const pool = tryCatch(() => servedPool(this.policy.pools, poolAddress));
    if (!pool.known) return { pool };
    const call = tryCatch(() => readApplyActions(calldata));
    const proof = tryCatch(() => readProofFacts(proofFacts));
    const sponsor = tryCatch(() =>
      feeMode === 'default' ? null : sponsorOf(this.policy.sponsors, sponsorKey),
    );
    const read = { pool, call, proof, sponsor };
    if (!call.known || !proof.known) return read;
    const { chainId, feeAddress } = this.policy;
    const effects = effectsOf(call.value.actions, feeAddress);
    const { address } = pool.value;
    const { outsideCalls = null } = input;
    const request: PrivateActionRequest = {
      pool: pool.value,
      call: call.value,
      facts: proof.value,
      effects,
      payload: {
        calldata,
        facts: proofFacts,
        proof: input.proof,
        outsideExecution: outsideCalls === null ? null : encodeOutsideCalls(outsideCalls),
      },
      outsideCalls,
      feeMode,
      fee: feeOf(effects.fees, pool.value.tokens),
      key: privateActionKey(chainId, address, effects.writeOnceAddresses),
      requested: privateActionRequested(address, call.value.actionFelts, proofFacts),
    };
    return { ...read, request: ok(request) };
  }

  /**
   * Adds the state of the pool, the cost and the simulation of the whole transaction to a parsed
   * request. Pool, gas prices and market prices are read in the same tick. The simulation comes
   * last and is skipped if a check has failed, because it is expensive and runs contracts that the
   * caller chose.
   */
  async examine(
    evidence: PrivateActionFacts,
    caller: Caller = UNNAMED_CALLER,
  ): Promise<PrivateActionFacts> {
    if (evidence.request?.known !== true) return evidence;
    const request = evidence.request.value;
    const [chain, costs] = await Promise.all([
      settle(this.poolOf(request)),
      settle(this.#costs(request)),
    ]);
    const promised = ok(this.promiseFor(request, caller));
    const costWith = (gas: GasUsed): Result<PrivateActionCost> => {
      if (!costs.known) return costs;
      return chain.known ? ok(costs.value(gas, chain.value)) : chain;
    };
    const { address } = request.pool;
    const assumed = costWith(this.policy.gas(address));
    const known = { ...evidence, chain, promised, cost: assumed };
    if (this.checks.rejection({ ...known, cost: leastCost(assumed) }) !== null || !chain.known)
      return known;
    const calldata = this.#packed(request, chain.value);
    const simulation = await settle(this.#simulate(address, calldata));
    const gas =
      simulation.known && simulation.value.ok && simulation.value.gas !== undefined
        ? simulation.value.gas
        : this.policy.gas(address);
    return { ...known, calldata: ok(calldata), simulation, cost: costWith(gas) };
  }

  /**
   * Reads the pool, and compares the request's proof facts with it. Rejects with the error of the
   * reader.
   */
  async poolOf({
    pool,
    facts,
    call,
    effects,
  }: Pick<PrivateActionRequest, 'pool' | 'facts' | 'call' | 'effects'>): Promise<ReadPool> {
    const { poseidon, configHash, programHashes } = this.policy;
    const read = await this.ports.pools.facts(pool.address, {
      baseBlockNumber: facts.baseBlock.number,
      addresses: effects.writeOnceAddresses,
    });
    const { actionFelts } = call;
    const message = { pool: pool.address, poolClass: read.classHash, actionFelts };
    return {
      ...read,
      rejections: factsRejections(facts, {
        ...read,
        messageHash: messageHash(message, poseidon),
        configHash,
        programHashes,
        marginBlocks: MARGIN_BLOCKS,
      }),
    };
  }

  /** Packs the calldata of the attempt: the request's payload with the pool's present fee. */
  #packed({ payload }: PrivateActionRequest, { feeFri }: Pick<PrivacyPoolFacts, 'feeFri'>): Felts {
    const token = this.policy.strk.address;
    return packPayload({
      ...payload,
      poolFee: feeFri === 0n ? null : { token, amountFri: feeFri },
    });
  }

  async #simulate(to: Felt, calldata: Felts): Promise<SimulationResult> {
    const call = { to, entrypoint: APPLY_ACTIONS_ENTRYPOINT, calldata };
    return this.ports.simulator.simulate(call, this.policy.triedAs);
  }

  async #costs({
    pool,
    fee,
  }: PrivateActionRequest): Promise<
    (gas: GasUsed, chain: Pick<PrivacyPoolFacts, 'feeFri'>) => PrivateActionCost
  > {
    const [gasPrices, pricesIn] = await Promise.all([
      this.ports.latestBlock.gasPrices(),
      this.ports.marketPrices.forFees(),
    ]);
    const token = pool.tokens.find(({ address }) => address === fee?.token) ?? this.policy.strk;
    const prices = pricesIn(token.symbol);
    return (gas, { feeFri }) => ({
      ...prices,
      token,
      gasFri: usedFri(gas, gasPrices),
      poolFeeFri: feeFri,
    });
  }

  /** Returns the promise of this fee to the caller's network; null if there is none. */
  promiseFor({ pool, fee, feeMode }: PrivateActionRequest, caller: Caller): Promised | null {
    if (fee === null) return null;
    const use = { pool: pool.address, token: fee.token, feeMode };
    return this.promised.find(caller, use, fee.amount);
  }
}

/**
 * Returns the cost with half the gas. A simulation may find less gas than the estimate, so before
 * the simulation only a fee below this cost is rejected.
 */
function leastCost(cost: Result<PrivateActionCost>): Result<PrivateActionCost> {
  return cost.known ? ok({ ...cost.value, gasFri: cost.value.gasFri / 2n }) : cost;
}

/** Returns the sum of the payments in the first token that is served; null if there is none. */
function feeOf(fees: readonly ActionFee[], served: readonly PoolToken[]): ActionFee | null {
  const token = fees.find((fee) => served.some(({ address }) => address === fee.token))?.token;
  if (token === undefined) return null;
  const own = fees.filter((fee) => fee.token === token);
  return { token, amount: own.reduce((sum, { amount }) => sum + amount, 0n) };
}

/** Returns the parsed request. @throws the error of the first part that could not be parsed */
export function requestOf(evidence: PrivateActionFacts): PrivateActionRequest {
  return unwrap(evidence.request);
}
