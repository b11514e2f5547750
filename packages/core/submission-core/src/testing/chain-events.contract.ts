import type { Felt } from '@sotto/kernel';
import type { TestRunner } from '@sotto/kernel/testing';
import type { ChainChange, ChainEvents } from '../ports/chain-events.port.js';

export interface ChainEventsHarness {
  readonly events: ChainEvents;
  readonly lane: Felt;
  /** Account of another party. */
  readonly stranger: Felt;
  /** Includes a transaction of this account, so that it has a receipt. */
  include(account: Felt): Promise<void>;
  /** Adds a block to the chain. */
  closeBlock(): Promise<void>;
  /** Undoes the newest block. */
  rollBack(): Promise<void>;
  /** Interrupts the push connection; messages may be lost. Resolves once messages arrive again. */
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

    it('reports a transaction of a watched lane', async () => {
      await harness.include(harness.lane);
      await heard.next('transaction');
    });

    it('reports a new block, and no transaction if the block contains no transaction of a watched lane', async () => {
      await harness.include(harness.stranger);
      await harness.closeBlock();
      await heard.next('head');
      expect(heard.since('gap')).not.toContain('transaction');
    });

    it('reports a rollback of blocks', async () => {
      await harness.closeBlock();
      await heard.next('head');
      await harness.rollBack();
      await heard.next('rollback');
    });

    it('reports a gap when messages may have been lost, and reports changes after the gap', async () => {
      await harness.interrupt();
      await heard.next('gap');
      await harness.include(harness.lane);
      await heard.next('transaction');
    });

    it('reports no changes to a closed subscription, and accepts a new subscription afterwards', async () => {
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
      for (const poll of this.#waiting) poll();
    });
  }

  get count(): number {
    return this.#heard.length;
  }

  /**
   * Resolves at the next change of this kind. A change that an earlier call has returned is not
   * returned again.
   */
  next(change: ChainChange): Promise<void> {
    return new Promise((resolve) => {
      const poll = (): void => {
        const at = this.#heard.indexOf(change, this.#read);
        if (at === -1) return;
        this.#read = at + 1;
        this.#waiting.delete(poll);
        resolve();
      };
      this.#waiting.add(poll);
      poll();
    });
  }

  /** Returns all changes that arrived after the last change of kind `change`. */
  since(change: ChainChange): readonly ChainChange[] {
    return this.#heard.slice(this.#heard.lastIndexOf(change) + 1);
  }
}
