import type { Felt } from '@sotto/kernel';
import type { TestRunner } from '@sotto/kernel/testing';
import type { ChainChange, ChainEvents } from '../ports/chain-events.port.js';

export interface ChainEventsHarness {
  readonly events: ChainEvents;
  readonly lane: Felt;
  /** Account of another party. */
  readonly stranger: Felt;
  /** Gives a receipt to a transaction of this account. */
  include(account: Felt): Promise<void>;
  /** Adds a block. */
  closeBlock(): Promise<void>;
  /** Undoes the newest block. */
  rollBack(): Promise<void>;
  /** Interrupts the messages, some of which may be lost. Resolves once they arrive again. */
  interrupt(): Promise<void>;
  stop(): Promise<void>;
}

/** Tests that apply to every `ChainEvents` while a node pushes. */
export function describeChainEventsContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<ChainEventsHarness>,
): void {
  describe(`ChainEvents contract (${name})`, () => {
    let harness: ChainEventsHarness;
    let heard: HeardChanges;
    beforeEach(async () => {
      harness = await start();
      heard = new HeardChanges(harness.events, [harness.lane]);
      await heard.next('gap');
    });
    afterEach(async () => {
      heard.close();
      await harness.stop();
    });

    it('reports progress of a transaction of our lane', async () => {
      await harness.include(harness.lane);
      await heard.next('transaction');
    });

    it('reports a newer block, and no transaction if none in it is ours', async () => {
      await harness.include(harness.stranger);
      await harness.closeBlock();
      await heard.next('head');
      expect(heard.since('gap')).not.toContain('transaction');
    });

    it('reports a rollback', async () => {
      await harness.closeBlock();
      await heard.next('head');
      await harness.rollBack();
      await heard.next('rollback');
    });

    it('reports that messages may be lost, and keeps reporting', async () => {
      await harness.interrupt();
      await heard.next('gap');
      await harness.include(harness.lane);
      await heard.next('transaction');
    });

    it('reports nothing to a closed subscription, and accepts a new one', async () => {
      heard.close();
      const before = heard.count;
      const again = new HeardChanges(harness.events, [harness.lane]);
      await again.next('gap');
      await harness.include(harness.lane);
      await again.next('transaction');
      expect(heard.count).toBe(before);
      again.close();
    });
  });
}

class HeardChanges {
  readonly #heard: ChainChange[] = [];
  readonly #waiting = new Set<() => void>();
  readonly close: () => void;
  #read = 0;

  constructor(events: ChainEvents, lanes: readonly Felt[]) {
    this.close = events.subscribe(lanes, (change) => {
      this.#heard.push(change);
      for (const look of this.#waiting) look();
    });
  }

  get count(): number {
    return this.#heard.length;
  }

  /** Resolves at the first such change that was not awaited yet. */
  next(change: ChainChange): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        const at = this.#heard.indexOf(change, this.#read);
        if (at === -1) return;
        this.#read = at + 1;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** Returns all changes after the last one of this kind. */
  since(change: ChainChange): readonly ChainChange[] {
    return this.#heard.slice(this.#heard.lastIndexOf(change) + 1);
  }
}
