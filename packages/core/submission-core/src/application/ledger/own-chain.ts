import type { Felt } from '@sotto/kernel';
import type { MachineDependencies } from '../dependencies.js';

/**
 * Interval at which the node's chain is compared with the ledger's chain, in ms. A comparison costs
 * one small request.
 */
const COMPARE_EVERY_MS = 10_000;

/**
 * Compares the node's chain with the ledger's chain while the machine runs. The node's address may
 * begin to serve another chain, or a restarted development chain. The machine would mistake the
 * responses of that node for a rollback, and would send transactions in flight to it.
 */
export class OwnChain {
  #genesisHash: Felt | null = null;
  #comparedAtMs = 0;
  #isElsewhere = false;

  constructor(private readonly deps: Pick<MachineDependencies, 'reader' | 'clock' | 'logger'>) {}

  /** True if the node served a chain other than the ledger's at the last comparison. */
  get isElsewhere(): boolean {
    return this.#isElsewhere;
  }

  /** Sets the first block of the chain that the ledger is bound to. */
  bound(genesisHash: Felt): void {
    this.#genesisHash = genesisHash;
    this.#comparedAtMs = this.deps.clock.monotonicMs();
  }

  /**
   * Compares at most every ten seconds, and at every call while the node is on another chain. If
   * the node does not return its first block, the previous result remains.
   * @throws DomainError if the node can't answer
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
