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
  fundsRefusal,
  leafRefusal,
  rationRefusal,
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
 * A deposit is estimated at 0.8 M L2 gas (spec, Limits). The bound leaves room for one that makes a
 * batch, and for pools that hash in Cairo, as those of the development stack do; what is not used
 * is not charged. L1 as for withdrawals.
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
  /** How long to wait for an execution and its leaf before the answer is "undecided". */
  readonly waitMs: number;
  /** Ends the wait, never the submission. */
  readonly signal?: AbortSignal;
}

/** With an answer that is undecided the leaf is null; with one that is REVERTED it is -1. */
export interface RelayedDeposit extends DepositOutcome {
  readonly submissionId: string;
  readonly answer: StandingAnswer;
}

interface DepositPolicy {
  readonly chainId: Felt;
  readonly pools: readonly ServedPool[];
  /**
   * One of the accounts that deposits are sent from: they are tried as its transactions before
   * anything is written.
   */
  readonly relayAccount: Felt;
  readonly rations: DepositLimits;
  /** @default {@link DEPOSIT_LIMITS} */
  readonly limits?: ResourceLimits;
  /** Classes of accounts whose code the operator knows. @default none */
  readonly knownAccountClasses?: readonly Felt[];
}

/** What a deposit asks outside of itself. */
interface DepositPorts {
  readonly reader: Pick<PoolReader, 'depositFacts'>;
  readonly consents: ConsentCheck;
  readonly simulator: CallSimulator;
  readonly latestBlock: Pick<LatestBlock, 'gasPrices'>;
  readonly submissions: Submissions;
  readonly clock: Clock;
}

/** What deposits share with the other use cases, and with each other. */
interface DepositGuards {
  readonly guard: PoolCircuitBreaker;
  readonly traffic: PoolTraffic;
  readonly funds: DepositFunds;
  readonly networks: NetworkRations;
  readonly losses: DepositLosses;
}

/** The submission that carries a deposit, and whether this request has begun it. */
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
 * Puts a user's deposit on chain as the pool's relayer, with the user's consent to be debited,
 * which the pool itself does not ask for.
 */
export class RelayDeposit {
  /** Codes of the route that it stands behind. */
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
   * The answer to a deposit: executed (with or without a revert) or undecided. One whose equal
   * (same pool, commitment and depositor) is on its way or has succeeded gets that one's answer,
   * whatever its signature. All others pass, in this order: layout and expiry; the commitment is
   * not on chain; leaves are left, the pool is open and the rations are not used up; the depositor
   * is deployed; balance and allowance cover it beside the depositor's deposits on their way; the
   * account says that the signature is its own; its leaf pushes out no admitted root; a simulation.
   * @throws the error of the first check that fails, or of what kept it from being made; nothing
   *   was sent then.
   * @throws SubmissionRefused, SubmissionExpired when it was accepted but nothing of it is or can
   *   be on chain.
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
   * The attempt that is this very deposit; null when the key is free.
   * @throws DepositInProgress, DepositExists where it is another's
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
    // Only a deposit that its owner wants may withhold roots from withdrawals.
    await this.#checkRoom(request, facts, await this.guards.traffic.now());
    const call = { to: served.address, entrypoint: DEPOSIT_ENTRYPOINT };
    const calldata = depositCalldata(terms);
    const simulation = await simulator.simulate({ ...call, calldata }, this.policy.relayAccount);
    if (!simulation.ok) throw simulationReverted(simulation.reason);
    const { limits = DEPOSIT_LIMITS } = this.policy;
    const { gas = limits } = simulation;
    const costFri = usedFri(gas, await latestBlock.gasPrices());
    // One at a time from here on: what the one before it has taken is in the ledger when the next
    // one looks.
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
      // A pool has a commitment once.
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

  /** @param costFri of a deposit; 0 before it was simulated */
  async #judge(
    request: DepositRequest,
    facts: DepositFacts,
    traffic: Traffic,
    costFri = 0n,
  ): Promise<void> {
    const { guard, networks, losses, funds } = this.guards;
    const { rations } = this.policy;
    const refusal =
      leafRefusal(facts, traffic, request.pool, rations) ??
      (await guard.peek(request.served, 'deposit')) ??
      rationRefusal(traffic, request, rations, this.ports.clock.nowMs()) ??
      networks.refusal(request.caller, request.pool, traffic, facts.nextIndex) ??
      (await losses.refusal(request, request.caller, traffic, costFri)) ??
      fundsRefusal(facts, await funds.taken(request, traffic.live, facts.denomination));
    if (refusal !== null) throw refusal;
  }

  /**
   * @throws DepositQueued if this leaf, with those on their way, would push out the root of a
   *   withdrawal that was admitted
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
