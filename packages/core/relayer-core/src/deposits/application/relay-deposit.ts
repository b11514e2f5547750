import { CODES_OF } from '@sotto/facts';
import {
  KeyedMutex,
  UNNAMED_CALLER,
  type Caller,
  type Clock,
  type Felt,
  type Felts,
} from '@sotto/kernel';
import {
  isLive,
  usedFri,
  simulationReverted,
  type ResourceLimits,
  type Submissions,
  type CallSimulator,
  type LatestBlock,
} from '@sotto/submission-core';
import {
  DEPOSIT_ENTRYPOINT,
  checkDepositExpiry,
  checkDepositLayout,
  depositCalldata,
  depositFingerprint,
  depositKey,
  depositPurpose,
  type DepositTerms,
} from '../../pools/domain/deposit.js';
import {
  depositsOnTheWay,
  fundsRejection,
  leafRejection,
  rationRejection,
  type DepositFacts,
  type DepositLimits,
  type DepositName,
  type Traffic,
} from '../../pools/domain/deposit-traffic.js';
import { servedPool, type ServedPool } from '../../pools/domain/pool.js';
import {
  DepositExists,
  DepositInProgress,
  DepositQueued,
  DepositSignatureInvalid,
} from '../../deposit-errors.js';
import type { ConsentCheck } from '../ports/consent-check.port.js';
import type { PoolReader } from '../../pools/ports/pool-reader.port.js';
import type { DepositFunds } from './deposit-funds.js';
import type { DepositOutcome, DepositOutcomes } from './deposit-outcomes.js';
import type { DepositLosses } from './deposit-losses.js';
import { DepositorAccounts } from './depositor-accounts.js';
import type { NetworkRations } from './network-rations.js';
import type { PoolCircuitBreaker } from '../../circuit-breaker/application/pool-circuit-breaker.js';
import { QUEUED_RETRY_SECONDS, type PoolTraffic } from '../../pools/application/pool-traffic.js';
import type { SubmissionWatch } from '../../relay/application/submission-watch.js';
import { assertNotRejected, type StandingAnswer } from '../../relay/application/submission-end.js';

/**
 * Resource bounds of a deposit. A deposit is estimated to use 0.8 M L2 gas (specification,
 * "Limits"). The L2 bound also suffices for a deposit that completes a batch, and for pools that
 * hash in Cairo, such as those of the development stack. Unused gas is not charged. The L1 bounds
 * equal those of withdrawals.
 */
export const DEPOSIT_LIMITS: ResourceLimits = {
  l2Gas: 200_000_000n,
  l1Gas: 256n,
  l1DataGas: 20_480n,
  priceMultiplier: 3n,
};

const ROLE = 'relay';

export interface RelayDepositInput extends DepositTerms, SubmissionWatch {
  readonly poolAddress: Felt;
  /** @default {@link UNNAMED_CALLER} */
  readonly caller?: Caller;
  /**
   * Maximum wait for the execution and the leaf, in milliseconds. If this time passes first, the
   * response is "undecided".
   */
  readonly waitMs: number;
  /** Signal that ends the wait of the caller. The submission continues. */
  readonly signal?: AbortSignal;
}

/**
 * Response for a deposit. The leaf is null if the response is undecided, and -1 if the deposit is
 * REVERTED.
 */
export interface RelayedDeposit extends DepositOutcome {
  readonly submissionId: string;
  readonly answer: StandingAnswer;
}

interface DepositPolicy {
  readonly chainId: Felt;
  readonly pools: readonly ServedPool[];
  /** One of the accounts that send deposits, which is also the sender in simulations. */
  readonly relayAccount: Felt;
  readonly rations: DepositLimits;
  /** @default {@link DEPOSIT_LIMITS} */
  readonly limits?: ResourceLimits;
  /** Class hashes of accounts whose code the operator trusts. @default none */
  readonly knownAccountClasses?: readonly Felt[];
}

/** Ports on which a deposit depends. */
interface DepositPorts {
  readonly reader: Pick<PoolReader, 'depositFacts'>;
  readonly consents: ConsentCheck;
  readonly simulator: CallSimulator;
  readonly latestBlock: Pick<LatestBlock, 'gasPrices'>;
  readonly submissions: Submissions;
  readonly clock: Clock;
}

/** Guards that are shared with other use cases and between deposits. */
interface DepositGuards {
  readonly guard: PoolCircuitBreaker;
  readonly traffic: PoolTraffic;
  readonly funds: DepositFunds;
  readonly networks: NetworkRations;
  readonly losses: DepositLosses;
}

/** Submission that sends a deposit. `began` is true if this request created the submission. */
interface CarriedDeposit {
  readonly submissionId: string;
  readonly began: boolean;
}

interface DepositRequest extends DepositName {
  readonly beforeSubmission: SubmissionWatch['beforeSubmission'];
  readonly served: ServedPool;
  readonly terms: DepositTerms;
  readonly caller: Caller;
}

/**
 * Sends a user's deposit as the pool's relayer. Before this, verifies the user's consent to the
 * debit, which the pool itself does not check.
 */
export class RelayDeposit {
  /** Error codes of the API route for deposits. */
  static readonly throws = CODES_OF.deposit;

  readonly #turns = new KeyedMutex();
  readonly #accounts: DepositorAccounts;
  readonly #knownClasses: ReadonlySet<Felt>;

  constructor(
    private readonly ports: DepositPorts,
    private readonly guards: DepositGuards,
    private readonly outcomes: DepositOutcomes,
    private readonly policy: DepositPolicy,
  ) {
    this.#accounts = new DepositorAccounts(ports.consents, ports.clock);
    this.#knownClasses = new Set(policy.knownAccountClasses);
  }

  /**
   * Relays a deposit and returns its outcome: executed (with or without a revert) or undecided.
   *
   * If an equal deposit (same pool, commitment and depositor) is in flight or has succeeded, the
   * response is the outcome of that deposit, regardless of the signature. Otherwise the deposit
   * must pass these checks, in this sequence:
   *
   * - Layout and expiry are valid, and the commitment is not on chain.
   * - The pool has free leaves and accepts deposits, and the rations are not used up.
   * - The depositor's account is deployed.
   * - Balance and allowance cover this deposit and the depositor's deposits in flight.
   * - The account accepts the signature.
   * - The new leaf does not make the pool drop a root of an admitted withdrawal.
   * - A simulation succeeds.
   *
   * @throws the error of the first failed check, or of the read that a check needed; in these cases
   *   nothing was sent
   * @throws SubmissionRefused, SubmissionExpired if the attempt was accepted, but none of its
   *   transactions is on chain or can still be included
   */
  async execute({
    poolAddress,
    caller = UNNAMED_CALLER,
    waitMs,
    signal,
    beforeSubmission,
    onSubmission,
    ...terms
  }: RelayDepositInput): Promise<RelayedDeposit> {
    const served = servedPool(this.policy.pools, poolAddress);
    checkDepositLayout(terms);
    const { chainId } = this.policy;
    const request: DepositRequest = {
      beforeSubmission,
      served,
      terms,
      caller,
      pool: served.address,
      key: depositKey(chainId, served.address, terms.commitment),
      fingerprint: depositFingerprint(chainId, terms.depositor),
    };
    const untilMs = this.ports.clock.monotonicMs() + waitMs;
    const { submissionId, began } = (await this.#standing(request)) ?? (await this.#admit(request));
    await onSubmission?.(submissionId, began);
    const answer = assertNotRejected(
      await this.ports.submissions.waitFor(submissionId, waitMs, signal),
    );
    return { submissionId, ...(await this.outcomes.settle(answer, untilMs, signal)) };
  }

  /**
   * Returns the attempt of an equal deposit; null if no attempt uses the key.
   * @throws DepositInProgress, DepositExists if another depositor's attempt uses the key
   */
  async #standing({ key, fingerprint }: DepositName): Promise<CarriedDeposit | null> {
    const last = await this.ports.submissions.last(key);
    if (last === null || !(isLive(last.state) || last.state === 'succeeded')) return null;
    if (last.fingerprint === fingerprint) return { submissionId: last.id, began: false };
    throw isLive(last.state) ? new DepositInProgress() : new DepositExists();
  }

  async #admit(request: DepositRequest): Promise<CarriedDeposit> {
    const { served, terms } = request;
    const { submissions, reader, simulator, latestBlock, clock } = this.ports;
    checkDepositExpiry(terms, clock.nowMs());
    const full = await submissions.checkQueueCapacity(ROLE);
    if (full !== null) throw full;
    const { commitment, depositor } = terms;
    const facts = await reader.depositFacts({
      pool: served.address,
      token: served.token.address,
      commitment,
      depositor,
    });
    this.guards.traffic.window.observe(served.address, facts);
    await this.#judge(request, facts, await this.guards.traffic.now());
    await this.#checkConsent(request, facts);
    // Check the roots after the signature, because only a deposit with the owner's consent may
    // affect admitted withdrawals.
    await this.#checkRoom(request, facts, await this.guards.traffic.now());
    const call = { to: served.address, entrypoint: DEPOSIT_ENTRYPOINT };
    const calldata = depositCalldata(terms);
    const simulation = await simulator.simulate({ ...call, calldata }, this.policy.relayAccount);
    if (!simulation.ok) throw simulationReverted(simulation.reason);
    const { limits = DEPOSIT_LIMITS } = this.policy;
    const { gas = limits } = simulation;
    const costFri = usedFri(gas, await latestBlock.gasPrices());
    // Accept one deposit at a time. Then each deposit sees in the ledger the amounts and leaves
    // that the deposits before it reserved.
    return this.#turns.run('accept', () => this.#accept(request, facts, calldata, costFri));
  }

  async #accept(
    request: DepositRequest,
    facts: DepositFacts,
    calldata: Felts,
    costFri: bigint,
  ): Promise<CarriedDeposit> {
    const { key, fingerprint, served, terms, caller } = request;
    const { submissions, clock } = this.ports;
    const held = await this.#standing(request);
    if (held !== null) return held;
    const nowMs = clock.nowMs();
    checkDepositExpiry(terms, nowMs);
    const traffic = await this.guards.traffic.now();
    await this.#judge(request, facts, traffic, costFri);
    await this.#checkRoom(request, facts, traffic);
    await request.beforeSubmission?.();
    const submission = {
      key,
      effect: fingerprint,
      fingerprint,
      ...depositPurpose(served.address, terms.commitment),
      role: ROLE,
      target: { to: served.address, entrypoint: DEPOSIT_ENTRYPOINT },
      calldata,
      limits: this.policy.limits ?? DEPOSIT_LIMITS,
      terms: null,
      // If a call is executed twice, the second execution reverts, because a pool accepts each
      // commitment only once.
      replayProtected: true,
      sendWithinMs: terms.expiresAtMs - nowMs,
    } as const;
    const entry = { pool: served, kind: 'deposit', key, costFri: null } as const;
    const { kind, attempt } = await this.guards.guard.confirm(entry, () =>
      submissions.submit(submission),
    );
    if (kind === 'accepted') this.guards.networks.begun(caller, attempt.id);
    if (kind === 'conflict')
      throw isLive(attempt.state) ? new DepositInProgress() : new DepositExists();
    return { submissionId: attempt.id, began: kind === 'accepted' };
  }

  /** @param costFri cost of the deposit in fri; 0 before its simulation */
  async #judge(
    request: DepositRequest,
    facts: DepositFacts,
    traffic: Traffic,
    costFri = 0n,
  ): Promise<void> {
    const { guard, networks, losses, funds } = this.guards;
    const { rations } = this.policy;
    const rejection =
      leafRejection(facts, traffic, request.pool, rations) ??
      (await guard.peek(request.served, 'deposit')) ??
      rationRejection(traffic, request, rations, this.ports.clock.nowMs()) ??
      networks.rejection(request.caller, request.pool, traffic, facts.nextIndex) ??
      (await losses.rejection(request, request.caller, traffic, costFri)) ??
      fundsRejection(facts, await funds.taken(request, traffic.live, facts.denomination));
    if (rejection !== null) throw rejection;
  }

  /**
   * @throws DepositQueued if this leaf, together with the leaves in flight, would make the pool
   *   drop the root of an admitted withdrawal
   */
  async #checkRoom(
    { pool }: DepositName,
    { nextIndex }: DepositFacts,
    { live }: Traffic,
  ): Promise<void> {
    const { traffic } = this.guards;
    const leaves = depositsOnTheWay({ live }, pool).length + 1;
    if (await traffic.roomFor(leaves, live, pool, nextIndex)) return;
    traffic.wait(pool, leaves);
    throw new DepositQueued({ retryAfterSeconds: QUEUED_RETRY_SECONDS });
  }

  async #checkConsent(request: DepositRequest, facts: DepositFacts): Promise<void> {
    const { served, terms, caller } = request;
    const { commitment, expiresAtMs, depositor, signature } = terms;
    const { denomination, depositorClass } = facts;
    if (depositorClass === null) throw new Error('a deposit of no account was let through');
    const pool = served.address;
    const consent = {
      chainId: this.policy.chainId,
      pool,
      token: served.token.address,
      denomination,
      commitment,
      expiresAtMs,
    };
    const isKnownClass = this.#knownClasses.has(depositorClass);
    const signed = { consent, depositor, depositorClass, signature, isKnownClass };
    const isGiven = isKnownClass
      ? await this.ports.consents.isGiven(signed)
      : await this.#accounts.isGiven(signed, caller, async () =>
          this.#judge(request, facts, await this.guards.traffic.now()),
        );
    if (!isGiven) throw new DepositSignatureInvalid();
  }
}
