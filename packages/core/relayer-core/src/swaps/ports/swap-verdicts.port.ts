/**
 * Whether a swap that met too bad a price is tried again: `again` belongs to the one that begins
 * the next try, `over` to everybody.
 */
export interface SwapVerdict {
  readonly kind: 'again' | 'over';
  readonly decidedAtMs: number;
}

/**
 * What was decided about reverted swaps: once for each attempt and for good, in all instances.
 * Rejects with a `DomainError` when the store can't answer.
 */
export abstract class SwapVerdicts {
  /**
   * Writes the verdict unless there is one. Resolves to that which stands afterwards, and whether
   * it is this one.
   */
  abstract decide(
    attemptId: string,
    verdict: SwapVerdict,
  ): Promise<{ readonly standing: SwapVerdict; readonly isOurs: boolean }>;
  abstract find(attemptId: string): Promise<SwapVerdict | null>;
  /**
   * Swaps that have reverted since then, are the last attempt of their key and have no verdict yet:
   * ids of attempts, the oldest ends first.
   */
  abstract undecided(endedSinceMs: number, limit: number): Promise<readonly string[]>;
}
