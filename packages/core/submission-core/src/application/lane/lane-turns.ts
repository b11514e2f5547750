import { KeyedMutex } from '@sotto/kernel';

/** A lane's work, one piece after another. */
export class LaneTurns {
  #turns = { mutex: new KeyedMutex(), underway: 0 };

  /** Nothing would have to wait. */
  get isIdle(): boolean {
    return this.#turns.underway === 0;
  }

  /** Rejects as the work does. */
  run(work: () => Promise<void>): Promise<void> {
    const turns = this.#turns;
    turns.underway += 1;
    return turns.mutex.run('', work).finally(() => {
      turns.underway -= 1;
    });
  }

  /**
   * What is under way may never end: the lane goes on without it, and whatever it still writes is
   * compared with the rows.
   */
  giveUp(): void {
    this.#turns = { mutex: new KeyedMutex(), underway: 0 };
  }
}
