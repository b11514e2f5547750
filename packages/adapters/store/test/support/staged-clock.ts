/** Store clock that tests can set to any time, including an earlier time. */
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

/** Clock for tests, whose time is the same for stores that are opened at different times. */
export class SharedClock extends StagedClock {
  override nowMs(): number {
    return this.monotonicMs();
  }
}
