import type { Felt } from '@sotto/kernel';
import type { Attempt, Submissions } from '@sotto/submission-core';
import { deploymentKey } from '../domain/deployment.js';
import { firstNotPassed } from '../domain/first-number.js';

/**
 * Deployments below the found number that are looked at once more: far more than a vault has in the
 * time of a rollback.
 */
const LOOK_BACK = 8;

/**
 * Finds in the ledger which deployment of a vault is the next, by doubling and halving: a handful
 * of reads after a restart. In memory is only below which number all have succeeded for good
 * (ACCEPTED_ON_L1): it can be too low, which costs a few reads, and never too high.
 */
export class Generations {
  /** Of each vault. */
  readonly #final = new Map<Felt, number>();

  constructor(
    private readonly submissions: Pick<Submissions, 'last'>,
    private readonly chainId: Felt,
  ) {}

  /** The number of the vault's next deployment, or of the lowest one that is live. */
  async next(vault: Felt): Promise<number> {
    const start = this.#final.get(vault) ?? 0;
    const found = await firstNotPassed(
      start,
      async (number) => (await this.last(vault, number))?.state === 'succeeded',
    );
    return this.#lowestOpen(vault, start, found);
  }

  last(vault: Felt, generation: number): Promise<Attempt | null> {
    return this.submissions.last(deploymentKey(this.chainId, vault, generation));
  }

  /**
   * While the ledger takes back the outcomes of a rollback one by one, a deployment may still count
   * as succeeded whose forerunner does not.
   */
  async #lowestOpen(vault: Felt, start: number, found: number): Promise<number> {
    let lowest = found;
    for (let number = found - 1; number >= start && found - number <= LOOK_BACK; number -= 1) {
      const attempt = await this.last(vault, number);
      if (attempt?.state !== 'succeeded') {
        lowest = number;
      } else if (attempt.isFinal) {
        // What is final has forerunners that are: their blocks are older.
        this.#final.set(vault, number + 1);
        return lowest;
      }
    }
    return lowest;
  }
}
