import type { Felt } from '@sotto/kernel';

/** So many of its newest roots a pool accepts. */
const KNOWN_ROOTS = 30;
/** Roots remembered of a pool: older ones are of no use. */
const MAX_REMEMBERED = 4 * KNOWN_ROOTS;

/**
 * Remembers after how many leaves a root stood, as far as it was seen. A root is made of its
 * leaves, so what was seen once stays true.
 */
export class RootWindow {
  readonly #leavesOf = new Map<Felt, Map<bigint, number>>();

  /** The pool's newest root. */
  observe(
    pool: Felt,
    { nextIndex, lastRoot }: { readonly nextIndex: number; readonly lastRoot: bigint },
  ): void {
    const roots = this.#leavesOf.get(pool) ?? new Map<bigint, number>();
    this.#leavesOf.set(pool, roots);
    roots.delete(lastRoot);
    roots.set(lastRoot, nextIndex);
    for (const root of roots.keys()) {
      if (roots.size <= MAX_REMEMBERED) break;
      roots.delete(root);
    }
  }

  hasSeen(pool: Felt, root: bigint): boolean {
    return this.#leavesOf.get(pool)?.has(root) ?? false;
  }

  /**
   * How many more leaves a known root outlives, at least. 0 for one that was not seen as the
   * newest: it may be the next to go.
   * @param nextIndex leaves that the pool has now
   */
  outlives(pool: Felt, root: bigint, nextIndex: number): number {
    const leaves = this.#leavesOf.get(pool)?.get(root);
    return leaves === undefined ? 0 : Math.max(0, KNOWN_ROOTS - 1 - (nextIndex - leaves));
  }
}
