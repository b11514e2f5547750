import type { Caller, Clock, Felt, Felts } from '@sotto/kernel';
import {
  isLive,
  type CallSimulator,
  type SimulationResult,
  type Submissions,
} from '@sotto/submission-core';
import {
  DEPOSIT_ENTRYPOINT,
  depositFingerprint,
  depositKey,
  type DepositTerms,
} from '../../pools/domain/deposit.js';
import {
  depositsOnTheWay,
  notIncluded,
  pendingDeposits,
  type DepositLimits,
  type DepositName,
  type LiveCall,
} from '../../pools/domain/deposit-traffic.js';
import type { ServedPool } from '../../pools/domain/pool.js';
import { DepositExists, DepositInProgress, DepositQueued } from '../../deposit-errors.js';
import type { ConsentCheck } from '../ports/consent-check.port.js';
import type { PoolReader } from '../../pools/ports/pool-reader.port.js';
import { QUEUED_RETRY_SECONDS, type PoolTraffic } from '../../pools/application/pool-traffic.js';
import { DepositChecks, type CheckGuards, type DepositEvidence } from './deposit-checks.js';
import type { ReadDeposit } from './deposit-funds.js';
import { DepositorAccounts } from './depositor-accounts.js';

export interface DepositPolicy {
  readonly chainId: Felt;
  readonly pools: readonly ServedPool[];
  /** One of the accounts that send deposits, which is also the sender in simulations. */
  readonly relayAccount: Felt;
  readonly rations: DepositLimits;
  /** Class hashes of accounts whose code the operator trusts. @default none */
  readonly knownAccountClasses?: readonly Felt[];
}

/** Ports on which the admission of a deposit depends. */
export interface AdmissionPorts {
  readonly reader: Pick<PoolReader, 'depositFacts'>;
  readonly consents: ConsentCheck;
  readonly simulator: CallSimulator;
  readonly submissions: Submissions;
  readonly clock: Clock;
}

/** Guards that are shared with other use cases and between deposits. */
export interface AdmissionGuards extends CheckGuards {
  readonly traffic: PoolTraffic;
}

/** Request with its values in the ledger. The signature is null in a dry run without one. */
export interface DepositRequest<Signature extends Felts | null = Felts> extends DepositName {
  readonly served: ServedPool;
  readonly terms: Omit<DepositTerms, 'signature'> & { readonly signature: Signature };
  readonly caller: Caller;
}

/** Deposit of the same commitment and depositor that is in flight or has succeeded. */
export interface StandingDeposit {
  readonly submissionId: string;
  readonly began: false;
}

/** Reads and checks of a deposit that need other systems, shared by the deposit and its dry run. */
export class DepositAdmission {
  readonly checks: DepositChecks;
  readonly accounts: DepositorAccounts;
  readonly #knownClasses: ReadonlySet<Felt>;

  constructor(
    private readonly ports: AdmissionPorts,
    private readonly guards: AdmissionGuards,
    private readonly policy: DepositPolicy,
  ) {
    this.checks = new DepositChecks(guards, policy.rations, ports.clock);
    this.accounts = new DepositorAccounts(ports.consents, ports.clock);
    this.#knownClasses = new Set(policy.knownAccountClasses);
  }

  request<Signature extends Felts | null>(
    served: ServedPool,
    terms: DepositRequest<Signature>['terms'],
    caller: Caller,
  ): DepositRequest<Signature> {
    const { chainId } = this.policy;
    return {
      served,
      terms,
      caller,
      pool: served.address,
      key: depositKey(chainId, served.address, terms.commitment),
      fingerprint: depositFingerprint(chainId, terms.depositor),
    };
  }

  /**
   * Returns the attempt of an equal deposit; null if no attempt uses the key.
   * @throws DepositInProgress, DepositExists if another depositor's attempt uses the key
   */
  async standing({ key, fingerprint }: DepositName): Promise<StandingDeposit | null> {
    const last = await this.ports.submissions.last(key);
    if (last === null || !(isLive(last.state) || last.state === 'succeeded')) return null;
    if (last.fingerprint === fingerprint) return { submissionId: last.id, began: false };
    throw isLive(last.state) ? new DepositInProgress() : new DepositExists();
  }

  /**
   * Reads pool and depositor at one block. The depositor's deposits in flight are read first, so
   * that deposits which the block contains already are not subtracted twice.
   */
  async read(request: DepositRequest<Felts | null>): Promise<ReadDeposit> {
    const { served, terms } = request;
    const pending = pendingDeposits(await this.guards.traffic.live(), request);
    const facts = await this.ports.reader.depositFacts({
      pool: served.address,
      token: served.token.address,
      commitment: terms.commitment,
      depositor: terms.depositor,
      pending,
    });
    this.guards.traffic.window.observe(served.address, facts);
    return { facts, pending };
  }

  /** Adds the ledger's present traffic to what was read. */
  async evidence(
    request: DepositRequest<Felts | null>,
    read: ReadDeposit,
    costFri = 0n,
  ): Promise<DepositEvidence> {
    return { request, read, traffic: await this.guards.traffic.now(), costFri };
  }

  /**
   * Returns true if the depositor's account accepts the signature.
   * @param recheck called right before an account of an unknown class is called
   * @throws the errors of {@link DepositorAccounts.isGiven}
   */
  async isConsentGiven(
    { served, terms, caller }: DepositRequest,
    { facts }: ReadDeposit,
    recheck: () => Promise<void>,
  ): Promise<boolean> {
    const { commitment, expiresAtMs, depositor, signature } = terms;
    const { denomination, depositorClass } = facts;
    if (depositorClass === null) throw new Error('a deposit of no account was let through');
    const consent = {
      chainId: this.policy.chainId,
      pool: served.address,
      token: served.token.address,
      denomination,
      commitment,
      expiresAtMs,
    };
    const isKnownClass = this.isKnown(depositorClass);
    const signed = { consent, depositor, depositorClass, signature, isKnownClass };
    return isKnownClass
      ? this.ports.consents.isGiven(signed)
      : this.accounts.isGiven(signed, caller, recheck);
  }

  /** True if the operator trusts the code of this class. */
  isKnown(depositorClass: Felt): boolean {
    return this.#knownClasses.has(depositorClass);
  }

  /**
   * Returns the error if this leaf, together with the leaves in flight, would make the pool drop
   * the root of an admitted withdrawal. Null otherwise.
   */
  async roomRejection({ request, read, traffic }: DepositEvidence): Promise<DepositQueued | null> {
    const { live } = traffic;
    const { facts } = read;
    const leaves = this.#leaves(request.pool, notIncluded(live, facts));
    return (await this.guards.traffic.roomFor(leaves, live, request.pool, facts.nextIndex))
      ? null
      : new DepositQueued({ retryAfterSeconds: QUEUED_RETRY_SECONDS });
  }

  /** Reserves roots for the deposit, and rejects it, if {@link roomRejection} returns an error. */
  async checkRoom(evidence: DepositEvidence): Promise<void> {
    const rejection = await this.roomRejection(evidence);
    if (rejection === null) return;
    const { request, read, traffic } = evidence;
    const leaves = this.#leaves(request.pool, notIncluded(traffic.live, read.facts));
    this.guards.traffic.wait(request.pool, leaves);
    throw rejection;
  }

  #leaves(pool: Felt, live: readonly LiveCall[]): number {
    return depositsOnTheWay({ live }, pool).length + 1;
  }

  async simulate(
    { served }: Pick<DepositRequest, 'served'>,
    calldata: Felts,
  ): Promise<SimulationResult> {
    const call = { to: served.address, entrypoint: DEPOSIT_ENTRYPOINT, calldata };
    return this.ports.simulator.simulate(call, this.policy.relayAccount);
  }
}
