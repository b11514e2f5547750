import type { Felt } from '@sotto/kernel';

/** Number of roots that a pool accepts: the newest root and the roots before it. */
const KNOWN_ROOTS = 30;
/**
 * Maximum number of roots that are stored per pool. The pool no longer accepts roots that are older
 * than these.
 */
const MAX_REMEMBERED = 4 * KNOWN_ROOTS;

/**
 * Stores the number of leaves at each observed root. A root is computed from the leaves, so the
 * number of leaves for a root never changes.
 */
export class RootWindow {
  readonly #leavesOf = new Map<Felt, Map<bigint, number>>();

  /** Records the pool's newest root. */
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
   * Returns the minimum number of leaves that the pool can add before it drops the root. Returns 0
   * for a root that was never observed as the newest root, because the pool may drop it next.
   * @param nextIndex current number of leaves of the pool
   */
  outlives(pool: Felt, root: bigint, nextIndex: number): number {
    const leaves = this.#leavesOf.get(pool)?.get(root);
    return leaves === undefined ? 0 : Math.max(0, KNOWN_ROOTS - 1 - (nextIndex - leaves));
  }
}
