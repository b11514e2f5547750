import { publicRevertReason, type Clock, type Felt } from '@sotto/kernel';
import { isLive, type Attempt, type ResourceLimits, type SubmissionAnswer, type Submissions } from '@sotto/submission-core';
import { deployedSats, deploymentFingerprint, deploymentKey } from '../domain/deployment.js';
import { firstNotPassed } from '../domain/first-number.js';
import { curatedVault, deploymentCalldata, methodOf, type CuratedVault } from '../domain/vault.js';
import { DeploymentExpired, DeploymentRefused, DeploymentReverted } from '../errors.js';
import type { VaultFunds } from '../ports/vault-funds.port.js';

/**
 * The specification gives no figure for vaults. Its swap takes 3 M L2 gas; Trident's three rounds of stake, supply, borrow and swap come to
 * about 30 M by that measure, and the bound is three times as much. What is not used is not charged, and at the floor price the curator needs
 * 2.4 STRK for it instead of a withdrawal's 28.8. L1 as for withdrawals.
 */
export const VAULT_DEPLOYMENT_LIMITS: ResourceLimits = { l2Gas: 100_000_000n, l1Gas: 256n, l1DataGas: 20_480n, priceMultiplier: 3n };

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
  | { readonly status: 'deployed'; readonly submissionId: string; readonly transactionHash: Felt; readonly amountSats: bigint }
  /** Nothing was sent. */
  | { readonly status: 'no_idle_funds' }
  /** It may be on chain, or come, or not; the hash is null while no transaction is signed. */
  | { readonly status: 'undecided'; readonly submissionId: string; readonly transactionHash: Felt | null; readonly amountSats: bigint };

export interface CuratorPolicy {
  readonly chainId: Felt;
  readonly vaults: readonly CuratedVault[];
  /** @default {@link VAULT_DEPLOYMENT_LIMITS} */
  readonly limits?: ResourceLimits;
}

const NO_REASON = 'the node gives no reason';

/** How often is looked whether a deployment that a block shows already is accepted: a few times per block. */
const LOOK_AGAIN_MS = 500;

/**
 * Moves what lies idle in a vault into its strategy. At most one deployment of a vault is live, on any number of instances.
 *
 * Deployments of a vault are numbered, and the number is part of the ledger's key. A number is used only when all below it have succeeded,
 * so those that have succeeded are always 0…n-1, and n is the only key that can be live or be opened:
 * - the ledger opens nothing under a key that is live or has succeeded, in one write, so two callers who both found n get one attempt;
 * - a caller who found n too early, because it has succeeded since, is refused there as well, and meets that deployment;
 * - nobody can find a number that is too high, since success is read from rows at ACCEPTED_ON_L2, which never change again.
 * An attempt that ended without success leaves n open for a further one. What is undecided is live, so it is never repeated.
 *
 * Which number is next is found in the ledger by doubling and halving, which takes a handful of reads after a restart. In memory is only the
 * number found last: it can be too low, which costs a few reads, and never too high.
 */
export class DeployIdleFunds {
  /** Of each vault, a number below which every deployment has succeeded. */
  readonly #reached = new Map<Felt, number>();

  constructor(
    private readonly funds: VaultFunds,
    private readonly submissions: Submissions,
    private readonly clock: Clock,
    private readonly policy: CuratorPolicy,
  ) {}

  /**
   * Deploys all that is idle, in sats, as read before; what arrives after that read stays idle for the next call. While a deployment is not
   * executed, every call gets its answer. One that a block shows but that is not at ACCEPTED_ON_L2 yet is waited for, and the vault is looked at
   * anew, so that one deployment is not told twice to those who call one after the other; when the wait is over, its answer is told all the same.
   * The call is not simulated: what the vault can refuse (it is paused, the account is not its owner) costs the gas of a revert, and nobody but
   * the service's operator pays that.
   * @throws VaultNotFound, or the fault of a read or of the ledger; nothing was sent then.
   * @throws DeploymentReverted when it is on chain and failed.
   * @throws DeploymentRefused, DeploymentExpired when it was accepted but nothing of it is or can be on chain.
   */
  async execute({ vaultId, waitMs, signal }: DeployIdleFundsInput): Promise<IdleFundsDeployment> {
    const vault = curatedVault(this.policy.vaults, vaultId);
    const untilMs = this.clock.nowMs() + waitMs;
    const leftMs = (): number => (signal?.aborted === true ? 0 : Math.max(0, untilMs - this.clock.nowMs()));
    for (;;) {
      const generation = await this.#generation(vault);
      const last = await this.submissions.last(this.#key(vault, generation));
      const live = last !== null && isLive(last.state) ? last : null;
      if (live === null || leftMs() === 0 || !(await this.#isShown(live))) {
        const attempt = live ?? (await this.#open(vault, generation));
        return attempt === null ? { status: 'no_idle_funds' } : told(await this.submissions.waitFor(attempt.id, leftMs(), signal));
      }
      await this.clock.sleep(Math.min(leftMs(), LOOK_AGAIN_MS), signal);
    }
  }

  /** The number of the vault's next deployment, or of the one that is live. */
  async #generation(vault: CuratedVault): Promise<number> {
    const generation = await firstNotPassed(this.#reached.get(vault.address) ?? 0, async (number) => {
      const attempt = await this.submissions.last(this.#key(vault, number));
      return attempt?.state === 'succeeded';
    });
    this.#reached.set(vault.address, generation);
    return generation;
  }

  /** Whether a block shows its execution already. */
  async #isShown({ id }: Attempt): Promise<boolean> {
    const answer = await this.submissions.find(id);
    return answer?.kind === 'executed';
  }

  /** The attempt that deploys what is idle, whoever has opened it; null when nothing is. */
  async #open(vault: CuratedVault, generation: number): Promise<Attempt | null> {
    const idle = await this.funds.idle(vault.address);
    if (idle.idleSats === 0n) return null;
    const { entrypoint, calldata } = methodOf(vault);
    const { attempt } = await this.submissions.submit({
      key: this.#key(vault, generation),
      fingerprint: deploymentFingerprint(idle),
      role: 'curator',
      target: { to: vault.address, entrypoint },
      calldata: deploymentCalldata(calldata, idle.idleSats),
      limits: this.policy.limits ?? VAULT_DEPLOYMENT_LIMITS,
      terms: null,
    });
    return attempt;
  }

  #key({ address }: CuratedVault, generation: number): string {
    return deploymentKey(this.policy.chainId, address, generation);
  }
}

function told(answer: SubmissionAnswer): IdleFundsDeployment {
  const { id: submissionId, fingerprint } = answer.attempt;
  switch (answer.kind) {
    case 'executed': {
      const { transactionHash, execution, revertReason } = answer;
      if (execution === 'SUCCEEDED') return { status: 'deployed', submissionId, transactionHash, amountSats: deployedSats(fingerprint) };
      throw new DeploymentReverted({ details: { transactionHash, reason: publicRevertReason(revertReason ?? NO_REASON) } });
    }
    case 'undecided':
      return { status: 'undecided', submissionId, transactionHash: answer.transactionHash, amountSats: deployedSats(fingerprint) };
    case 'ended': {
      const details = { refusal: answer.code };
      throw answer.state === 'refused' ? new DeploymentRefused({ details }) : new DeploymentExpired({ details });
    }
  }
}
