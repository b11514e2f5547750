import type { Felt } from '@sotto/kernel';
import type { MachineDependencies } from '../dependencies.js';

/** One small request in so long. */
const COMPARE_EVERY_MS = 10_000;

/**
 * Compares the node's chain with the ledger's while the machine runs: an address may lead to
 * another chain, or to a development chain that was started again. What that one says would be
 * taken for a rollback, and what is in flight be sent there.
 */
export class OwnChain {
  #genesisHash: Felt | null = null;
  #comparedAtMs = 0;
  #isElsewhere = false;

  constructor(private readonly deps: Pick<MachineDependencies, 'reader' | 'clock' | 'logger'>) {}

  /** The node serves another chain than the ledger's, as the last comparison showed. */
  get isElsewhere(): boolean {
    return this.#isElsewhere;
  }

  /** The ledger is bound to the chain of this first block. */
  bound(genesisHash: Felt): void {
    this.#genesisHash = genesisHash;
    this.#comparedAtMs = this.deps.clock.monotonicMs();
  }

  /**
   * Once in ten seconds, and each time while the node is elsewhere. A node that does not show its
   * first block changes nothing. Rejects with a `DomainError` when it can't answer.
   */
  async compare(): Promise<void> {
    const { reader, clock, logger } = this.deps;
    const isDue = clock.monotonicMs() - this.#comparedAtMs >= COMPARE_EVERY_MS;
    if (this.#genesisHash === null || !(isDue || this.#isElsewhere)) return;
    const genesisHash = await reader.blockHash(0);
    this.#comparedAtMs = clock.monotonicMs();
    if (genesisHash === null) return;
    const isElsewhere = genesisHash !== this.#genesisHash;
    if (isElsewhere && !this.#isElsewhere)
      logger.error(
        {},
        'the node serves another chain than the ledger’s: nothing is sent or settled',
      );
    if (!isElsewhere && this.#isElsewhere)
      logger.info({}, 'the node serves the ledger’s chain again');
    this.#isElsewhere = isElsewhere;
  }
}
