import type { Logger } from '@sotto/kernel';

/** Row of another process that has the store open. */
export interface OtherProcess {
  readonly id: string;
  /** Time at which the process last renewed its row, as Unix time in ms. */
  readonly seenAtMs: bigint;
  /** Hash of the process's network profile; null if the process did not state it. */
  readonly profile: string | null;
}

/** Logs once for each other running process that its network profile differs from ours. */
export class ProfileWatch {
  /**
   * Processes with another profile, by name: the first renewal time that was read, or null once the
   * difference was logged.
   */
  #different: ReadonlyMap<string, bigint | null> = new Map();

  constructor(
    /** Hash of this process's network profile; null to compare no profiles. */
    private readonly profile: string | null,
    private readonly logger: Logger,
  ) {}

  /**
   * Compares the profiles of the other processes. The row of a killed process stays for a while and
   * is never renewed, so a difference is logged only after a renewal.
   */
  compare(others: readonly OtherProcess[]): void {
    const { profile } = this;
    if (profile === null) return;
    const different = others.filter((other) => other.profile !== null && other.profile !== profile);
    this.#different = new Map(different.map((other) => [other.id, this.#firstSeen(other)]));
  }

  #firstSeen({ id, seenAtMs, profile }: OtherProcess): bigint | null {
    const firstMs = this.#different.get(id);
    if (firstMs === undefined || firstMs === seenAtMs) return seenAtMs;
    if (firstMs !== null)
      this.logger.error(
        { instance: id, profile, ours: this.profile },
        'another instance has another network profile: the settings of the instances disagree',
      );
    return null;
  }
}
