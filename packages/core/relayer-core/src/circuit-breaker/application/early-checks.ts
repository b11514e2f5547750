import type { Clock, Felt, Logger } from '@sotto/kernel';
import type { CallTarget } from '@sotto/submission-core';
import { DEPOSIT_ENTRYPOINT } from '../../pools/domain/deposit.js';
import { guardProblem, type GuardProblem } from '../../pools/domain/contract-class.js';
import type { ContractClasses } from '../../pools/ports/contract-classes.port.js';
import { WITHDRAW_ENTRYPOINT } from '../../pools/domain/withdrawal.js';
import { BUDGET_WINDOW_MS } from '../domain/money.js';
import { isAttacked } from '../domain/user-losses.js';
import type { SettlementWindow } from './settlement-window.js';

/** Guard contract in the network profile, with the class hash that the profile requires. */
export interface PinnedGuard {
  readonly address: Felt;
  readonly classHash: Felt;
}

export interface EarlyCheckPolicy {
  readonly guard: PinnedGuard;
  /**
   * Pools that insert a deposit into their Merkle tree before they transfer the deposit's money.
   */
  readonly guardedDeposits: ReadonlySet<Felt>;
}

/**
 * Decides which calls are preceded by a call of the guard contract. A guard call adds a small cost
 * to each success and saves a large part of each revert's cost. So withdrawals are guarded only
 * while a pool is attacked.
 */
export class EarlyChecks {
  #isUsable = false;
  #problem: GuardProblem | null = null;
  #found: Felt | null = null;

  constructor(
    private readonly classes: Pick<ContractClasses, 'hashesAt'>,
    private readonly view: Pick<SettlementWindow, 'now'>,
    private readonly clock: Pick<Clock, 'nowMs'>,
    private readonly logger: Logger,
    private readonly policy: EarlyCheckPolicy,
  ) {}

  /**
   * Returns true if a read has shown that the deployed guard contract has the class that the
   * profile requires.
   */
  isUsable(): boolean {
    return this.#isUsable;
  }

  /**
   * Returns the problem of the guard contract. Returns null if the guard has the class that the
   * profile requires, and as long as its class was not read.
   */
  problem(): GuardProblem | null {
    return this.#problem;
  }

  /**
   * Returns the guard's address, its actual class hash and the required class hash, for logs and
   * status.
   */
  details(): Readonly<Record<string, string>> {
    const { address: guard, classHash: pinned } = this.policy.guard;
    return { guard, pinned, ...(this.#found === null ? {} : { found: this.#found }) };
  }

  /**
   * Compares the class at the guard's address with the class that the profile requires. Rejects
   * with a `DomainError` if the node is unavailable; in this case the last result does not change.
   */
  async execute(): Promise<void> {
    const { address, classHash } = this.policy.guard;
    const [found = null] = await this.classes.hashesAt([address]);
    this.#found = found;
    const problem = guardProblem(classHash, found);
    if (problem !== this.#problem && problem !== null)
      this.logger.error(
        { problem, ...this.details() },
        'the guard of the network profile is not used: its contract is not the pinned one',
      );
    if (problem === null && !this.#isUsable)
      this.logger.info(this.details(), 'the guard of the network profile has the pinned class');
    this.#problem = problem;
    this.#isUsable = problem === null;
  }

  /**
   * Returns true if a guard call must precede the given call at present. Rejects with the error of
   * the store if the losses of a pool can't be read.
   */
  async precede({ to: pool, entrypoint }: CallTarget): Promise<boolean> {
    if (!this.#isUsable) return false;
    if (entrypoint === DEPOSIT_ENTRYPOINT) return this.policy.guardedDeposits.has(pool);
    if (entrypoint !== WITHDRAW_ENTRYPOINT) return false;
    const { ended } = await this.view.now();
    const afterMs = this.clock.nowMs() - BUDGET_WINDOW_MS;
    return isAttacked(ended.of(pool, 'relay').filter(({ endedAtMs }) => endedAtMs > afterMs));
  }
}
