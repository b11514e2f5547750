import type { Felt } from '@sotto/kernel';
import type { RepeatedSubmissions } from './repeated-submissions.js';

/**
 * Keys of what comes next in series, each for one address, as the ledger had them when it was asked
 * last. What reads repeated calls back from the chain finds no number in them, and takes each for
 * the next one of its series.
 */
export class NextKeys {
  #keys: ReadonlyMap<Felt, string> = new Map();

  constructor(
    private readonly repeated: RepeatedSubmissions,
    private readonly seriesOf: (address: Felt) => string,
  ) {}

  /**
   * Asks the ledger. To be called before the submission engine starts; nothing is read back before.
   */
  async learn(addresses: readonly Felt[]): Promise<void> {
    const next = await Promise.all(
      addresses.map(async (address) => {
        const { key } = await this.repeated.next(this.seriesOf(address));
        return [address, key] as const;
      }),
    );
    this.#keys = new Map(next);
  }

  /** Undefined for an address that was not learnt. */
  of(address: Felt): string | undefined {
    return this.#keys.get(address);
  }
}
