import type { TestRunner } from '@sotto/kernel/testing';
import type { Hint, InstanceBus } from '../ports/instance-bus.port.js';

export interface InstanceBusHarness {
  /** Three instances that share a store and receive each other's notifications. */
  readonly instances: readonly [InstanceBus, InstanceBus, InstanceBus];
  stop(): Promise<void>;
}

/** Tests that apply to every `InstanceBus` while its connection is not interrupted. */
export function describeInstanceBusContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<InstanceBusHarness>,
): void {
  describe(`InstanceHints contract (${name})`, () => {
    let harness: InstanceBusHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(() => harness.stop());

    it('a notification reaches every other instance, but not the sending instance', async () => {
      const [a, b, c] = harness.instances;
      const [byA, byB, byC] = [a, b, c].map(heardBy);
      a.report({ kind: 'changed', id: 'first' });
      b.report({ kind: 'changed', id: 'second' });
      await byC?.until(2);
      await byA?.until(1);
      await byB?.until(1);
      expect(new Set(byC?.heard)).toEqual(
        new Set([
          { kind: 'changed', id: 'first' },
          { kind: 'changed', id: 'second' },
        ]),
      );
      expect(byA?.heard).toEqual([{ kind: 'changed', id: 'second' }]);
      expect(byB?.heard).toEqual([{ kind: 'changed', id: 'first' }]);
    });

    it('a notification reaches all listeners of an instance', async () => {
      const [a, b] = harness.instances;
      const [one, other] = [heardBy(b), heardBy(b)];
      a.report({ kind: 'work' });
      await one.until(1);
      await other.until(1);
      expect([one.heard, other.heard]).toEqual([[{ kind: 'work' }], [{ kind: 'work' }]]);
    });

    it.each<Hint>([
      { kind: 'work' },
      { kind: 'work', id: 'offered' },
      { kind: 'lanes' },
      { kind: 'changed', id: 'ended' },
    ])('a notification arrives as it was sent: %j', async (hint) => {
      const [a, b] = harness.instances;
      const byB = heardBy(b);
      a.report(hint);
      await byB.until(1);
      expect(byB.heard).toEqual([hint]);
    });

    it('a notification can contain the id of any attempt', async () => {
      const [a, b] = harness.instances;
      const byB = heardBy(b);
      const ids = [
        "it's",
        '$1; --',
        'ünï-çødé 名',
        ...Array.from({ length: 200 }, (_, index) => `id-${index}`),
      ];
      for (const id of ids) a.report({ kind: 'changed', id });
      await byB.until(ids.length);
      expect(byB.heard).toEqual(ids.map((id) => ({ kind: 'changed', id })));
    });
  });
}

interface Heard {
  readonly heard: readonly Hint[];
  /** Resolves when the listener has received this many notifications. */
  until(count: number): Promise<void>;
}

function heardBy(hints: InstanceBus): Heard {
  const heard: Hint[] = [];
  const waiting = new Set<() => void>();
  hints.hear((hint) => {
    heard.push(hint);
    for (const poll of waiting) poll();
  });
  return {
    heard,
    until: (count) =>
      new Promise((resolve) => {
        const poll = (): void => {
          if (heard.length >= count) resolve();
        };
        waiting.add(poll);
        poll();
      }),
  };
}
