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
 * The specification gives no figure for vaults. Its swap takes 3 M L2 gas; Trident's three rounds
 * of stake, supply, borrow and swap come to about 30 M by that measure, and the bound is three
 * times as much. What is not used is not charged, and at the floor price the curator needs 2.4 STRK
 * for it instead of a withdrawal's 28.8. L1 as for withdrawals.
 */
export const VAULT_DEPLOYMENT_LIMITS: ResourceLimits = {
  l2Gas: 100_000_000n,
  l1Gas: 256n,
  l1DataGas: 20_480n,
  priceMultiplier: 3n,
};

export interface DeployIdleFundsInput {
  /** Name of the vault, as it came. */
  readonly vaultId: string;
  /** How long to wait for an execution before the answer is "undecided". */
  readonly waitMs: number;
  /** Ends the wait, never the deployment. */
  readonly signal?: AbortSignal;
}

/** What became of a vault's idle funds. */
export type IdleFundsDeployment =
  | {
      readonly status: 'deployed';
      readonly submissionId: string;
      readonly transactionHash: Felt;
      readonly amountSats: bigint;
    }
  /** Nothing was sent. */
  | { readonly status: 'no_idle_funds' }
  /** It may be on chain, or come, or not; the hash is null while no transaction is signed. */
  | {
      readonly status: 'undecided';
      readonly submissionId: string;
      readonly transactionHash: Felt | null;
      readonly amountSats: bigint;
    };

/** Simulated deployment of a vault's idle funds. */
export type IdleFundsTrial = { readonly method: string } & (
  | { readonly status: 'no_idle_funds' }
  /** A deployment is live: a request gets its answer. */
  | { readonly status: 'in_flight'; readonly submissionId: string; readonly amountSats: bigint }
  | {
      readonly status: 'deployable';
      readonly amountSats: bigint;
      readonly gas: GasUsed;
      /** Cost of the gas at present prices. */
      readonly costFri: bigint;
    }
);

export interface CuratorPolicy {
  readonly chainId: Felt;
  readonly vaults: readonly CuratedVault[];
  /**
   * The curator's account: deployments are tried as its transactions before anything is written.
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
 * How often is looked whether a deployment that a block shows already is accepted: a few times per
 * block.
 */
const LOOK_AGAIN_MS = 500;

/**
 * Moves what lies idle in a vault into its strategy. At most one deployment of a vault is live, on
 * any number of instances.
 *
 * Deployments of a vault are numbered, and the number is part of the ledger's key. A number is used
 * only when all below it have succeeded, so those that have succeeded are 0…n-1, and n is the only
 * key that can be live or be opened:
 * - the ledger opens nothing under a key that is live or has succeeded, in one write, so two
 *   callers who both found n get one attempt;
 * - a caller who found n too early, because it has succeeded since, is refused there as well, and
 *   meets that deployment;
 * - a rollback takes successes back, the newest first in the chain's order. Their numbers are live
 *   again, and the lowest of them is found:
 *   what is not final is read again each time ({@link RepeatedSubmissions}).
 * An attempt that ended without success leaves n open for a further one, once its block is final.
 * What is undecided is live, so it is never repeated.
 *
 * Between a rollback on the chain and its record in the ledger lie seconds, in which a balance that
 * has come back is taken for a new one. Both deployments land then, in this order, and the second
 * one moves what has arrived since, or reverts: what they move stays in the vault's strategy.
 */
export class DeployIdleFunds {
  /** Codes of the route that it stands behind. */
  static readonly throws = CODES_OF.curator;

  constructor(
    private readonly ports: DeployIdleFundsPorts,
    private readonly policy: CuratorPolicy,
  ) {}

  /**
   * Deploys all that is idle, in sats, as read before; what arrives after that read stays idle for
   * the next call. While a deployment is not executed, every call gets its answer. One that a block
   * shows but that is not at ACCEPTED_ON_L2 yet is waited for, and the vault is read again, so that
   * two calls in a row do not get the same deployment; when the wait is over, its answer is
   * returned all the same. What the vault would refuse (it is paused, the account is not its owner)
   * shows in a simulation, before it costs gas. The balance is read no earlier than in the block
   * that holds the deployment before.
   * @throws VaultNotFound, NodeBehind, SimulationReverted, QueueFull, LedgerBehindChain,
   *   PreviousAttemptNotFinal after a revert that a rollback could still undo, or the error of a
   *   read or of the ledger; nothing was sent then.
   * @throws DeploymentReverted when it is on chain and failed.
   * @throws DeploymentRefused, DeploymentExpired when it was accepted but nothing of it is or can
   *   be on chain.
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
      await this.ports.clock.sleep(Math.min(leftMs(), LOOK_AGAIN_MS), signal);
    }
  }

  /**
   * Simulates the deployment that {@link execute} would send now. It writes and sends nothing.
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

  /** Whether a block shows its execution already. */
  async #isShown({ id }: Attempt): Promise<boolean> {
    const answer = await this.ports.submissions.find(id);
    return answer?.kind === 'executed';
  }

  /** The attempt that deploys what is idle, from any instance; null when nothing is idle. */
  async #open(vault: CuratedVault, next: NextSubmission): Promise<Attempt | null> {
    // Before the balance is read: one that was read while the ledger was behind may have been
    // deployed since.
    const refusal = await this.ports.submissions.checkQueueCapacity(ROLE);
    if (refusal !== null) throw refusal;
    const tried = await this.#tried(vault, next);
    if (tried === null) return null;
    const { attempt } = await this.ports.submissions.submit(tried.submission);
    return attempt;
  }

  /** Simulates the deployment of the idle funds; null if there are none. */
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

/** The submission that deploys so much of a vault, as read at this block. */
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
    // No nullifier: executed twice it moves other funds than those that it was meant for, or
    // reverts.
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
      const details = { refusal: answer.code };
      throw answer.state === 'refused'
        ? new DeploymentRefused({ details })
        : new DeploymentExpired({ details });
    }
  }
}
