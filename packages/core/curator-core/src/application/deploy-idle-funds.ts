import { CODES_OF } from '@sotto/facts';
import { publicRevertReason, type Clock, type Felt } from '@sotto/kernel';
import {
  simulationReverted,
  usedFri,
  isLive,
  type CallSimulator,
  type GasUsed,
  type LatestBlock,
  type Attempt,
  type BlockRef,
  type NextSubmission,
  type RepeatedSubmissions,
  type ResourceLimits,
  type Snapshots,
  type SubmissionAnswer,
  type Submissions,
  type WantedSubmission,
} from '@sotto/submission-core';
import {
  deployedSats,
  deploymentFingerprint,
  deploymentPurpose,
  deploymentSeries,
} from '../domain/deployment.js';
import { curatedVault, deploymentCalldata, methodOf, type CuratedVault } from '../domain/vault.js';
import { DeploymentExpired, DeploymentRefused, DeploymentReverted } from '../errors.js';
import type { VaultFunds } from '../ports/vault-funds.port.js';

/**
 * Resource bounds of a deployment. The specification has no gas figure for vaults. A swap uses 3 M
 * L2 gas. By this measure, Trident's three rounds of stake, supply, borrow and swap use about 30 M;
 * the L2 bound is three times this amount. Unused gas is not charged. At the minimum gas price the
 * curator needs 2.4 STRK for the L2 bound, compared with 28.8 STRK for a withdrawal. The L1 bounds
 * are those of withdrawals.
 */
export const VAULT_DEPLOYMENT_LIMITS: ResourceLimits = {
  l2Gas: 100_000_000n,
  l1Gas: 256n,
  l1DataGas: 20_480n,
  priceMultiplier: 3n,
};

export interface DeployIdleFundsInput {
  /** Name of the vault as sent by the caller, not yet validated. */
  readonly vaultId: string;
  /**
   * Maximum wait for the execution, in milliseconds. If this time passes first, the result is
   * "undecided".
   */
  readonly waitMs: number;
  /** Ends the wait for the execution, but never cancels the deployment. */
  readonly signal?: AbortSignal;
}

/** Outcome of a call that deploys a vault's idle funds. */
export type IdleFundsDeployment =
  | {
      readonly status: 'deployed';
      readonly submissionId: string;
      readonly transactionHash: Felt;
      readonly amountSats: bigint;
    }
  /** Nothing was sent. */
  | { readonly status: 'no_idle_funds' }
  /** It may be on chain or may still land. The hash is null while no transaction is signed. */
  | {
      readonly status: 'undecided';
      readonly submissionId: string;
      readonly transactionHash: Felt | null;
      readonly amountSats: bigint;
    };

/** Result of a simulation that deploys a vault's idle funds. */
export type IdleFundsTrial = { readonly method: string } & (
  | { readonly status: 'no_idle_funds' }
  /** A deployment is live: a request would return its outcome. */
  | { readonly status: 'in_flight'; readonly submissionId: string; readonly amountSats: bigint }
  | {
      readonly status: 'deployable';
      readonly amountSats: bigint;
      readonly gas: GasUsed;
      /** Cost of the simulated gas at present prices, in fri. */
      readonly costFri: bigint;
    }
);

export interface CuratorPolicy {
  readonly chainId: Felt;
  readonly vaults: readonly CuratedVault[];
  /**
   * Account of the curator. Each deployment is simulated as a transaction of this account before
   * anything is written.
   */
  readonly account: Felt;
  /** @default {@link VAULT_DEPLOYMENT_LIMITS} */
  readonly limits?: ResourceLimits;
}

export interface DeployIdleFundsPorts {
  readonly snapshots: Snapshots;
  readonly funds: VaultFunds;
  readonly simulator: CallSimulator;
  readonly latestBlock: Pick<LatestBlock, 'gasPrices'>;
  readonly submissions: Submissions;
  readonly repeated: RepeatedSubmissions;
  readonly clock: Clock;
}

interface TriedDeployment {
  readonly idleSats: bigint;
  readonly submission: WantedSubmission;
  readonly gas: GasUsed | undefined;
}

const ROLE = 'curator';

const NO_REASON = 'the node gives no reason';

/**
 * Poll interval while a deployment is in a block but not yet ACCEPTED_ON_L2, in milliseconds. With
 * this value, there are a few polls per block.
 */
const POLL_AGAIN_MS = 500;

/**
 * Deploys a vault's idle funds into its strategy. At most one deployment of a vault is live, on any
 * number of instances.
 *
 * Deployments of a vault are numbered, and the number is part of the ledger's key. A number is used
 * only when all lower numbers have succeeded. So 0…n-1 have succeeded, and n is the only key under
 * which an attempt can be live or be created:
 * - the ledger creates no attempt under a key that is live or has succeeded. Check and creation are
 *   one write, so two callers that both found n get the same attempt;
 * - if n has succeeded since a caller read it, the ledger rejects the caller's submission, and the
 *   caller gets the deployment that succeeded;
 * - a reorg reverts successes, the newest first in chain order. The numbers of these deployments
 *   are live again. The lowest of them is found, because numbers that are not final are read again
 *   each time ({@link RepeatedSubmissions}).
 *
 * After an attempt without success, n can be used again when the attempt's block is final. An
 * undecided deployment is live, so it is never repeated.
 *
 * Some seconds pass between a reorg on chain and its record in the ledger. A balance that the reorg
 * restores in this time is mistaken for a new balance. Then both deployments are executed, in the
 * sequence of their numbers: the second one moves funds that have arrived since, or reverts. All
 * moved funds stay in the vault's strategy.
 */
export class DeployIdleFunds {
  /** Error codes of the curator route. */
  static readonly throws = CODES_OF.curator;

  constructor(
    private readonly ports: DeployIdleFundsPorts,
    private readonly policy: CuratorPolicy,
  ) {}

  /**
   * Deploys the idle balance that was read, in sats. Funds that arrive later stay idle until the
   * next call.
   *
   * While a deployment is not executed, every call returns the outcome of this deployment. If a
   * deployment is in a block but not yet ACCEPTED_ON_L2, the call waits for this status and then
   * reads the vault again, so two consecutive calls do not return the same deployment. If the wait
   * times out, the call returns the outcome of the deployment.
   *
   * If the vault would revert the call (it is paused, or the account is not its owner), the
   * simulation fails and no gas is spent. The balance is read in the block of the previous
   * deployment or a later block.
   *
   * @throws VaultNotFound, NodeBehind, SimulationReverted, QueueFull, LedgerBehindChain,
   *   PreviousAttemptNotFinal after a revert that a reorg could still undo, or the error of a read
   *   or of the ledger; in all these cases nothing was sent.
   * @throws DeploymentReverted if the deployment is on chain and failed.
   * @throws DeploymentRefused, DeploymentExpired if the deployment was accepted but is not on chain
   *   and never will be.
   */
  async execute({ vaultId, waitMs, signal }: DeployIdleFundsInput): Promise<IdleFundsDeployment> {
    const vault = curatedVault(this.policy.vaults, vaultId);
    const untilMs = this.ports.clock.monotonicMs() + waitMs;
    const leftMs = (): number =>
      signal?.aborted === true ? 0 : Math.max(0, untilMs - this.ports.clock.monotonicMs());
    for (;;) {
      const next = await this.ports.repeated.next(
        deploymentSeries(this.policy.chainId, vault.address),
      );
      const { last } = next;
      const live = last !== null && isLive(last.state) ? last : null;
      if (live === null || leftMs() === 0 || !(await this.#isShown(live))) {
        const attempt = live ?? (await this.#open(vault, next));
        return attempt === null
          ? { status: 'no_idle_funds' }
          : deploymentOf(await this.ports.submissions.waitFor(attempt.id, leftMs(), signal));
      }
      await this.ports.clock.sleep(Math.min(leftMs(), POLL_AGAIN_MS), signal);
    }
  }

  /**
   * Simulates the deployment that {@link execute} would send now, without writing or sending.
   * @throws VaultNotFound, NodeBehind, SimulationReverted, or the error of a read.
   */
  async dryRun({ vaultId }: Pick<DeployIdleFundsInput, 'vaultId'>): Promise<IdleFundsTrial> {
    const vault = curatedVault(this.policy.vaults, vaultId);
    const { entrypoint: method } = methodOf(vault);
    const next = await this.ports.repeated.next(
      deploymentSeries(this.policy.chainId, vault.address),
    );
    const { last } = next;
    if (last !== null && isLive(last.state))
      return {
        status: 'in_flight',
        method,
        submissionId: last.id,
        amountSats: deployedSats(last),
      };
    const tried = await this.#tried(vault, next);
    if (tried === null) return { status: 'no_idle_funds', method };
    const { idleSats: amountSats, gas } = tried;
    if (gas === undefined) throw new Error('a call that an account sends uses gas');
    const costFri = usedFri(gas, await this.ports.latestBlock.gasPrices());
    return { status: 'deployable', method, amountSats, gas, costFri };
  }

  /** Returns true if a block contains the execution of this attempt. */
  async #isShown({ id }: Attempt): Promise<boolean> {
    const answer = await this.ports.submissions.find(id);
    return answer?.kind === 'executed';
  }

  /**
   * Returns the attempt that deploys the idle funds; another instance may have created this
   * attempt. Returns null if the vault has no idle funds.
   */
  async #open(vault: CuratedVault, next: NextSubmission): Promise<Attempt | null> {
    // Check the queue before reading the balance. While the ledger is behind its chain, a balance
    // may already have been deployed by a call that the ledger lacks.
    const rejection = await this.ports.submissions.checkQueueCapacity(ROLE);
    if (rejection !== null) throw rejection;
    const tried = await this.#tried(vault, next);
    if (tried === null) return null;
    const { attempt } = await this.ports.submissions.submit(tried.submission);
    return attempt;
  }

  /** Simulates the deployment of the idle funds. Returns null if the vault has no idle funds. */
  async #tried(
    vault: CuratedVault,
    { key, after }: NextSubmission,
  ): Promise<TriedDeployment | null> {
    const snapshot = await this.ports.snapshots.latest(after);
    const idleSats = await this.ports.funds.idle(vault.address, snapshot);
    if (idleSats === 0n) return null;
    const submission = deploymentOfAmount(vault, idleSats, snapshot, key, this.policy);
    const simulation = await this.ports.simulator.simulate(
      { ...submission.target, calldata: submission.calldata },
      this.policy.account,
    );
    if (!simulation.ok) throw simulationReverted(simulation.reason);
    return { idleSats, submission, gas: simulation.gas };
  }
}

/**
 * Builds the submission that deploys this amount of a vault's idle funds. The amount was read at
 * the given block.
 */
export function deploymentOfAmount(
  vault: CuratedVault,
  amountSats: bigint,
  { number }: Pick<BlockRef, 'number'>,
  key: string,
  { limits = VAULT_DEPLOYMENT_LIMITS }: Pick<CuratorPolicy, 'limits'>,
): WantedSubmission {
  const { entrypoint, calldata } = methodOf(vault);
  const fingerprint = deploymentFingerprint(amountSats, number);
  return {
    key,
    effect: fingerprint,
    fingerprint,
    ...deploymentPurpose(vault.address, amountSats),
    role: ROLE,
    target: { to: vault.address, entrypoint },
    calldata: deploymentCalldata(calldata, amountSats),
    limits,
    terms: null,
    // No nullifier prevents a second execution, which would move other funds than intended, or
    // revert.
    replayProtected: false,
  };
}

function deploymentOf(answer: SubmissionAnswer): IdleFundsDeployment {
  const { id: submissionId } = answer.attempt;
  switch (answer.kind) {
    case 'executed': {
      const { transactionHash, execution, revertReason } = answer;
      if (execution === 'SUCCEEDED')
        return {
          status: 'deployed',
          submissionId,
          transactionHash,
          amountSats: deployedSats(answer.attempt),
        };
      throw new DeploymentReverted({
        details: { transactionHash, reason: publicRevertReason(revertReason ?? NO_REASON) },
      });
    }
    case 'pending':
      return {
        status: 'undecided',
        submissionId,
        transactionHash: answer.transactionHash,
        amountSats: deployedSats(answer.attempt),
      };
    case 'rejected': {
      const details = { rejection: answer.code };
      throw answer.state === 'refused'
        ? new DeploymentRefused({ details })
        : new DeploymentExpired({ details });
    }
  }
}
