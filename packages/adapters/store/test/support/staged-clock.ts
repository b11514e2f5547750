/**
 * A store that is opened with it takes for the time whatever a test says, also an earlier one than
 * before.
 */
export class StagedClock {
  #ms = 0;

  nowMs(): number {
    return 0;
  }

  monotonicMs(): number {
    return this.#ms;
  }

  set(ms: number): void {
    this.#ms = ms;
  }
}

/** The same for stores that are opened at different times: they agree on what time it is. */
export class SharedClock extends StagedClock {
  override nowMs(): number {
    return this.monotonicMs();
  }
}
