import { toFelt, u256FromHalves, type Felt } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import type { TaskGate, TaskReport } from '@sotto/keeper-core';
import { InMemoryTaskStore } from '@sotto/keeper-core/testing';
import { MarketPrices } from '@sotto/market-core';
import {
  FakeCallSimulator,
  FakeLatestBlock,
  InMemoryLedger,
  LedgerDriver,
  aSignedTransaction,
  took,
} from '@sotto/submission-core/testing';
import { FixedPrices } from '@sotto/market-core/testing';
import {
  SubmissionNotifier,
  SubmissionService,
  isLive,
  type Attempt,
  type BlockRef,
  type ExecutionStatus,
  type NonceConsumer,
  RepeatedSubmissions,
  type Submissions,
} from '@sotto/submission-core';
import {
  DeployDueFunds,
  DeployIdleFunds,
  type CuratedVault,
  type DeployIdleFundsInput,
  type DueFundsPolicy,
  type IdleFundsDeployment,
  type VaultFunds,
} from '../../src/index.js';
import { InMemoryVaultFunds } from '../../src/testing/index.js';

export const CHAIN_ID = toFelt('0x534e5f4d41494e');
export const CURATOR = toFelt('0xc0a');
export const sentinel: CuratedVault = { id: 'sentinel', address: toFelt('0x5e1') };
export const trident: CuratedVault = { id: 'trident', address: toFelt('0x731') };

export const duePolicy = {
  chainId: CHAIN_ID,
  account: CURATOR,
  wbtc: { symbol: 'WBTC', address: toFelt('0xbc'), decimals: 8 },
  // The gap between two checks may be ten times the interval, so a gap of a quarter of an hour is
  // allowed.
  intervalMs: 90_000,
  settleSeconds: 600,
  thresholdSats: 10_000n,
  costFactor: 20n,
  maxSatsPerCall: 1_000_000n,
  maxSatsPerDay: 2_500_000n,
  retry: { baseMs: 60_000, maxFailures: 3 },
} as const satisfies Omit<DueFundsPolicy, 'vaults'>;

interface Broadcast {
  readonly nonce: bigint;
  readonly hash: Felt;
  /** Execution status of the transaction; null until a block contains the transaction. */
  readonly execution: ExecutionStatus | null;
  /** Block that contains the transaction; null until a block contains it. */
  readonly block: BlockRef | null;
}

/**
 * Ports through which an instance reaches the ledger and the chain. A test may replace them by slow
 * ones.
 */
export interface InstanceParts {
  readonly vaults?: readonly CuratedVault[];
  readonly slowFunds?: (funds: VaultFunds) => VaultFunds;
  readonly slowSubmissions?: (submissions: Submissions) => Submissions;
}

/**
 * Test environment: the submission rules of production over an in-memory ledger, and a chain that
 * advances only when a test calls a method.
 */
export class VaultWorld {
  readonly clock = new ManualClock();
  readonly funds = new InMemoryVaultFunds();
  readonly simulator = new FakeCallSimulator();
  readonly prices = new FixedPrices([]);
  readonly latestBlock = new FakeLatestBlock();
  readonly store = new InMemoryTaskStore(this.clock);
  readonly ledger = new InMemoryLedger({ clock: this.clock });
  readonly subject: DeployIdleFunds;
  readonly #changes = new SubmissionNotifier();
  readonly #driver = new LedgerDriver(this.ledger);
  readonly #broadcasts = new Map<string, Broadcast>();
  readonly #ids: string[] = [];
  readonly #lease: Promise<void>;
  #nonce = 0n;

  constructor(parts: InstanceParts = {}) {
    this.#lease = this.#driver.lease();
    this.subject = this.anInstance(parts);
  }

  /**
   * Creates an instance that uses the same ledger and chain. The result represents another process,
   * or this process after a restart.
   */
  anInstance({
    vaults = [sentinel, trident],
    slowFunds = (funds) => funds,
    slowSubmissions = (kept) => kept,
  }: InstanceParts = {}): DeployIdleFunds {
    const submissions = slowSubmissions(this.#service());
    const repeated = new RepeatedSubmissions({
      lastAttempt: (key) => submissions.last(key),
      inclusionOf: (attempt) => this.ledger.inclusionOf(attempt),
    });
    return new DeployIdleFunds(
      {
        snapshots: this.funds.snapshots,
        funds: slowFunds(this.funds),
        simulator: this.simulator,
        latestBlock: this.latestBlock,
        submissions,
        repeated,
        clock: this.clock,
      },
      { chainId: CHAIN_ID, vaults, account: CURATOR },
    );
  }

  /** Creates a keeper task that represents another process on the same ledger and chain. */
  aKeeper(changes: Partial<DueFundsPolicy> = {}, parts: InstanceParts = {}): DeployDueFunds {
    const { vaults = [sentinel, trident], slowSubmissions = (kept) => kept } = parts;
    const submissions = slowSubmissions(this.#service());
    const { clock, store, latestBlock, simulator, funds } = this;
    const repeated = new RepeatedSubmissions({
      lastAttempt: (key) => submissions.last(key),
      inclusionOf: (attempt) => this.ledger.inclusionOf(attempt),
    });
    const marketPrices = new MarketPrices([this.prices], clock, {
      assets: ['WBTC', 'STRK'],
      limits: { maxAgeMs: 900_000_000, maxDeviationBps: 200, quorum: 1 },
      ttlMs: 1_000,
    });
    const observedAtMs = clock.nowMs();
    this.prices.set([
      { asset: 'WBTC', usdE8: 60_000n * 10n ** 8n, observedAtMs },
      { asset: 'STRK', usdE8: 10n ** 7n, observedAtMs },
    ]);
    return new DeployDueFunds(
      {
        snapshots: funds.snapshots,
        funds: (parts.slowFunds ?? ((each) => each))(funds),
        simulator,
        submissions,
        repeated,
        clock,
        store,
        latestBlock,
        marketPrices,
      },
      { ...duePolicy, vaults, ...changes },
    );
  }

  attend(by: DeployDueFunds, gate: TaskGate = { admit: async () => null }): Promise<TaskReport> {
    return by.attend('sentinel', gate);
  }

  deploy(
    input: Partial<DeployIdleFundsInput> = {},
    by: DeployIdleFunds = this.subject,
  ): Promise<IdleFundsDeployment> {
    return by.execute({ vaultId: 'sentinel', waitMs: 0, ...input });
  }

  /** Returns all accepted attempts, oldest first. */
  async attempts(): Promise<readonly Attempt[]> {
    const all = await Promise.all(this.#ids.map((id) => this.ledger.attemptById(id)));
    return all.filter((attempt) => attempt !== null);
  }

  /** Returns the deployments that have not ended and may still be included in a block. */
  async live(): Promise<readonly Attempt[]> {
    return (await this.attempts()).filter(({ state }) => isLive(state));
  }

  /** Returns the only deployment that has not ended. Fails if there is not exactly one. */
  async theLive(): Promise<Attempt> {
    const [attempt, ...others] = await this.live();
    if (attempt === undefined || others.length > 0)
      throw new Error('there is not exactly one live deployment');
    return attempt;
  }

  /** Returns the amount of the deployment, in sats. */
  async amountOf({ id }: Attempt): Promise<bigint> {
    const calldata = await this.ledger.calldata(id);
    if (calldata === null) throw new Error('the calldata is not stored');
    return u256FromHalves(calldata.at(0), calldata.at(1));
  }

  /** Signs and broadcasts the attempt. */
  async send(attempt: Attempt): Promise<void> {
    await this.#lease;
    const transaction = aSignedTransaction(attempt.id);
    const nonce = this.#nonce;
    this.#nonce += 1n;
    await this.#driver.store(attempt, nonce, transaction);
    this.#broadcasts.set(attempt.id, {
      nonce,
      hash: transaction.hash,
      execution: null,
      block: null,
    });
    this.#changes.changed(attempt.id);
  }

  /**
   * Includes the attempt in a block that executes it as the vault would: an amount above the idle
   * balance reverts. The block is not yet recorded in the ledger.
   */
  async include(attempt: Attempt, forced?: ExecutionStatus): Promise<void> {
    const broadcast = this.#sent(attempt);
    const amountSats = await this.amountOf(attempt);
    const { to } = attempt.target;
    const execution = amountSats > this.funds.idleSats(to) ? 'REVERTED' : (forced ?? 'SUCCEEDED');
    const block = this.funds.add(to, execution === 'SUCCEEDED' ? -amountSats : 0n);
    this.#broadcasts.set(attempt.id, { ...broadcast, execution, block });
  }

  /** Records in the ledger that the attempt is in the pre-confirmed block. */
  async show(attempt: Attempt, execution: ExecutionStatus = 'SUCCEEDED'): Promise<void> {
    const { nonce, hash } = this.#sent(attempt);
    const seen = { execution, revertReason: execution === 'REVERTED' ? 'paused' : null };
    await this.ledger.apply({ type: 'observe', lane: LedgerDriver.lane, nonce, hash, seen });
    this.#changes.changed(attempt.id);
  }

  /** Records the result of {@link include} in the ledger. */
  async settle(attempt: Attempt, reason = 'Insufficient idle'): Promise<void> {
    const { nonce, hash, execution, block } = this.#sent(attempt);
    if (execution === null || block === null) throw new Error('no block contains it');
    await this.#driver.settle(
      nonce,
      took(hash, { execution, block, revertReason: execution === 'REVERTED' ? reason : null }),
    );
    this.#changes.changed(attempt.id);
  }

  /** Performs all steps that are missing until the attempt is settled in the ledger. */
  async land(attempt: Attempt, forced?: ExecutionStatus, reason?: string): Promise<void> {
    if (!this.#broadcasts.has(attempt.id)) await this.send(attempt);
    if (!this.isIncluded(attempt)) await this.include(attempt, forced);
    await this.settle(attempt, reason);
  }

  /** Consumes the nonce with a transaction that the ledger does not know. */
  async consume(nonce: bigint, consumer: NonceConsumer): Promise<void> {
    await this.#lease;
    if (nonce === 0n) await this.#driver.introduce(nonce);
    await this.#driver.import(nonce);
    await this.#driver.settle(nonce, consumer);
  }

  /** Makes the block of the attempt ACCEPTED_ON_L1 and records this in the ledger. */
  async finalize(attempt: Attempt): Promise<void> {
    await this.#driver.finalize(this.#sent(attempt).nonce);
    this.#changes.changed(attempt.id);
  }

  /**
   * Removes the attempt's block by a reorg, on the chain and in the ledger, so the funds are idle
   * again.
   */
  async rollBack(attempt: Attempt): Promise<void> {
    await this.undoOnChain(attempt);
    await this.#driver.reopen(this.#sent(attempt).nonce);
    this.#changes.changed(attempt.id);
  }

  /** Removes the attempt's block from the chain by a reorg. The ledger does not know this yet. */
  async undoOnChain(attempt: Attempt): Promise<void> {
    const broadcast = this.#sent(attempt);
    const amountSats = await this.amountOf(attempt);
    if (broadcast.execution === 'SUCCEEDED') this.funds.add(attempt.target.to, amountSats);
    this.#broadcasts.set(attempt.id, { ...broadcast, execution: null, block: null });
  }

  /** Ends the attempt in the ledger before any transaction was signed for it. */
  async end({ id, key, attempt }: Attempt, to: 'refused' | 'expired', code: string): Promise<void> {
    await this.ledger.apply({
      type: 'end_waiting',
      attempt: { key, attempt },
      to,
      code,
      notBeforeMs: 0,
    });
    this.#changes.changed(id);
  }

  /** Returns the attempts that ended in a block which a reorg could still remove, newest first. */
  async unfinal(): Promise<readonly Attempt[]> {
    const ended = (await this.attempts()).filter(
      ({ transactionHash, isFinal }) => transactionHash !== null && !isFinal,
    );
    return ended.toSorted((a, b) => ((b.nonce ?? 0n) < (a.nonce ?? 0n) ? -1 : 1));
  }

  isSent({ id }: Attempt): boolean {
    return this.#broadcasts.has(id);
  }

  isIncluded({ id }: Attempt): boolean {
    return (this.#broadcasts.get(id)?.execution ?? null) !== null;
  }

  hashOf(attempt: Attempt): Felt {
    return this.#sent(attempt).hash;
  }

  #sent({ id }: Attempt): Broadcast {
    const broadcast = this.#broadcasts.get(id);
    if (broadcast === undefined) throw new Error('it was not sent');
    return broadcast;
  }

  #service(): SubmissionService {
    const newId = (): string => {
      const id = `deployment-${this.#ids.length + 1}`;
      this.#ids.push(id);
      return id;
    };
    return new SubmissionService(
      this.ledger,
      this.#changes,
      () => {},
      this.clock,
      { answerAt: 'preconfirmed', deadlineMs: 600_000, maxWaitingPerRole: 200, newId },
      () => {},
    );
  }
}

/** Runs pending work until it waits for a step that the test controls. */
export async function untilIdle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
