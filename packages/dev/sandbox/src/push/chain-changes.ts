import type { AcceptedBlock, Inclusion } from '../engine/block.js';
import type { Chain } from '../engine/chain.js';

/** Change of a chain that is pushed to subscribers. */
export type ChainChange =
  | { readonly kind: 'head'; readonly number: number }
  | {
      readonly kind: 'receipt';
      readonly inclusion: Inclusion;
      readonly finality: 'PRE_CONFIRMED' | 'ACCEPTED_ON_L2';
      readonly block: { readonly number: number; readonly hash: bigint | undefined };
    }
  /** Undone blocks, oldest first; at least one. */
  | { readonly kind: 'reorg'; readonly undone: readonly Numbered[] };

type Numbered = Pick<AcceptedBlock, 'number' | 'hash'>;

/** Maximum number of past blocks that a subscription may start with. */
export const MOST_BLOCKS_BACK = 1024;

/** Detects the changes of a chain since the previous call. */
export class ChainChanges {
  /** Newest blocks whose heads were reported, oldest first. */
  #known: Numbered[];
  #preConfirmed = new Set<Inclusion>();

  constructor(private readonly chain: Chain) {
    this.#known = [chain.latest];
    this.#preConfirmed = new Set(chain.open.inclusions);
  }

  read(): readonly ChainChange[] {
    return [...this.#undone(), ...this.#closed(), ...this.#executed()];
  }

  *#undone(): Iterable<ChainChange> {
    const { chain } = this;
    const stands = ({ number, hash }: Numbered): boolean =>
      number <= chain.latest.number && chain.accepted(number).hash === hash;
    const firstUndone = this.#known.findIndex((block) => !stands(block));
    if (firstUndone === -1) return;
    yield { kind: 'reorg', undone: this.#known.splice(firstUndone) };
  }

  *#closed(): Iterable<ChainChange> {
    const { chain } = this;
    // Blocks up to the newest reported one are not pushed again.
    const newest = this.#known.at(-1)?.number ?? chain.latest.number;
    for (let number = newest + 1; number <= chain.latest.number; number += 1) {
      const block = chain.accepted(number);
      this.#known.push({ number, hash: block.hash });
      yield { kind: 'head', number };
      for (const inclusion of block.inclusions)
        yield { kind: 'receipt', inclusion, finality: 'ACCEPTED_ON_L2', block };
    }
    this.#known = this.#known.slice(-MOST_BLOCKS_BACK);
  }

  *#executed(): Iterable<ChainChange> {
    const { open } = this.chain;
    for (const inclusion of open.inclusions) {
      if (this.#preConfirmed.has(inclusion)) continue;
      const block = { number: open.number, hash: undefined };
      yield { kind: 'receipt', inclusion, finality: 'PRE_CONFIRMED', block };
    }
    this.#preConfirmed = new Set(open.inclusions);
  }
}
