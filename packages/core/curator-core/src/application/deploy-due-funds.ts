import {
  attemptsSince,
  longestGapMs,
  RepeatedTask,
  skipped,
  skippedFor,
  type KeeperTask,
  type RepeatedTaskPorts,
  type RetryPolicy,
  type TaskGate,
  type TaskReport,
} from '@sotto/keeper-core';
import type { Felt } from '@sotto/kernel';
import { friToFeeToken, type MarketPrices, type PoolToken } from '@sotto/market-core';
import type { Snapshot } from '@sotto/submission-core';
import { deployedSats, deploymentSeries } from '../domain/deployment.js';
import {
  dueDeployment,
  settledSats,
  withSighting,
  type DueDeploymentLimits,
  type Sighting,
} from '../domain/due-deployment.js';
import { curatedVault, type CuratedVault } from '../domain/vault.js';
import {
  deploymentOfAmount,
  type CuratorPolicy,
  type DeployIdleFundsPorts,
} from './deploy-idle-funds.js';

export interface DueFundsPolicy extends CuratorPolicy, DueDeploymentLimits {
  /** WBTC, the ERC-20 token of the vaults' idle funds. */
  readonly wbtc: PoolToken;
  /**
   * Pause between the end of one check and the start of the next, in milliseconds. Suggested value:
   * 30,000.
   */
  readonly intervalMs: number;
  /**
   * Time for which funds must be idle before they are deployed, in seconds of block time. Suggested
   * value: 600. If a vault deploys its own deposits, it does so in the deposit's block.
   */
  readonly settleSeconds: number;
  readonly retry: RetryPolicy;
}

export interface DueFundsPorts extends DeployIdleFundsPorts, RepeatedTaskPorts {
  readonly submissions: DeployIdleFundsPorts['submissions'];
  readonly marketPrices: Pick<MarketPrices, 'forFeesIn'>;
}

const DAY_MS = 86_400_000;
const MS_PER_SECOND = 1_000;
/**
 * Number of recent deployments whose receipts are used to estimate the cost of the next deployment.
 */
const LEARNT_FROM = 3;

/**
 * Deploys a vault's idle funds when they have been idle for the settle time and are worth the gas.
 * The keys are those of {@link DeployIdleFunds}, so this task finds a deployment that was requested
 * manually, and a manual request finds a deployment of this task. Observed balances are in memory
 * only: a restart, or a gap between checks, restarts the settle time.
 */
export class DeployDueFunds implements KeeperTask {
  /** Kinds of the submissions that this task sends. */
  static readonly kinds: readonly string[] = ['deploy_idle_funds'];

  readonly name = 'curator';
  readonly kinds = DeployDueFunds.kinds;
  readonly intervalMs: number;
  readonly #series: RepeatedTask;
  /**
   * Observed balances per vault. `number` is the number of the vault's next deployment when the
   * balances were observed.
   */
  readonly #seen = new Map<Felt, { readonly number: number; readonly seen: readonly Sighting[] }>();

  constructor(
    private readonly ports: DueFundsPorts,
    private readonly policy: DueFundsPolicy,
  ) {
    const { intervalMs, account, retry } = policy;
    this.intervalMs = intervalMs;
    this.#series = new RepeatedTask(this.name, ports, { role: 'curator', account, retry });
  }

  async subjects(): Promise<readonly string[]> {
    return this.policy.vaults.map(({ id }) => id);
  }

  async attend(subject: string, gate: TaskGate): Promise<TaskReport> {
    try {
      return await this.#attend(curatedVault(this.policy.vaults, subject), gate);
    } catch (error) {
      return skippedFor(error, this.ports.clock.nowMs());
    }
  }

  async #attend(vault: CuratedVault, gate: TaskGate): Promise<TaskReport> {
    const { clock, submissions, funds } = this.ports;
    const series = deploymentSeries(this.policy.chainId, vault.address);
    const turn = await this.#series.turn(vault.id, series);
    if ('outcome' in turn) return turn;
    const {
      next: { number, key },
      at: snapshot,
    } = turn;
    const idleSats = await funds.idle(vault.address, snapshot);
    const seen = this.#noteStatus(vault.address, number, idleSats, snapshot);
    if (idleSats < this.policy.thresholdSats || idleSats === 0n)
      return skipped('BELOW_THRESHOLD', { idleSats: String(idleSats) });
    const sinceMs = clock.nowMs() - DAY_MS;
    const earlier = await attemptsSince(
      submissions,
      { series, next: number },
      sinceMs,
      LEARNT_FROM,
    );
    const learntFri = earlier
      .slice(0, LEARNT_FROM)
      .reduce((most, { gasPaidFri }) => max(most, gasPaidFri ?? 0n), 0n);
    const due = dueDeployment(
      {
        idleSats,
        settledSats: settledSats(seen, this.policy.settleSeconds),
        costSats: await this.#inSats(learntFri),
        deployedTodaySats: earlier
          .filter(({ endedAtMs }) => (endedAtMs ?? 0) > sinceMs)
          .reduce((sum, attempt) => sum + deployedSats(attempt), 0n),
      },
      this.policy,
    );
    if ('reason' in due) return skipped(due.reason, { idleSats: String(idleSats) });

    const { amountSats } = due;
    const submission = deploymentOfAmount(vault, amountSats, snapshot, key, this.policy);
    const simulated = await this.#series.costOf({
      ...submission.target,
      calldata: submission.calldata,
    });
    if ('outcome' in simulated) return simulated;
    const costFri = max(learntFri, simulated.costFri);
    // There are no receipts of previous deployments before the first deployment, so check the
    // simulated cost too.
    if (amountSats < this.policy.costFactor * (await this.#inSats(costFri)))
      return skipped('BELOW_THRESHOLD', { idleSats: String(idleSats) });
    const denied = await gate.admit(costFri);
    if (denied !== null) return skipped(denied);
    const { kind, attempt } = await submissions.submit(submission);
    return kind === 'accepted'
      ? {
          outcome: 'acted',
          submissionId: attempt.id,
          details: { amountSats: String(amountSats), costFri: String(costFri) },
        }
      : skipped('IN_FLIGHT', { submissionId: attempt.id });
  }

  /**
   * Records the balance. If a deployment of the vault has succeeded since the previous observation,
   * the earlier observations are dropped.
   */
  #noteStatus(
    vault: Felt,
    number: number,
    sats: bigint,
    { timestamp }: Snapshot,
  ): readonly Sighting[] {
    const { settleSeconds, intervalMs } = this.policy;
    const limits = { settleSeconds, longestGapSeconds: longestGapMs(intervalMs) / MS_PER_SECOND };
    const before = this.#seen.get(vault);
    const earlier = before?.number === number ? before.seen : [];
    const seen = withSighting(earlier, { sats, timestamp }, limits);
    this.#seen.set(vault, { number, seen });
    return seen;
  }

  async #inSats(fri: bigint): Promise<bigint> {
    const { symbol, decimals } = this.policy.wbtc;
    return fri === 0n
      ? 0n
      : friToFeeToken(fri, await this.ports.marketPrices.forFeesIn(symbol), decimals);
  }
}

function max(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}
