/** Store clock that tests set to any time, including an earlier one. */
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

/** Staged clock for stores that are opened at different times: they agree on the time. */
export class SharedClock extends StagedClock {
  override nowMs(): number {
    return this.monotonicMs();
  }
}
