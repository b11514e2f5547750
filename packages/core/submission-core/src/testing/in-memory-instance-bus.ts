import type { Hint, InstanceBus } from '../ports/instance-bus.port.js';

/**
 * Notifications between instances in one process. Each call of `instance()` creates one instance.
 */
export class InMemoryInstanceBus {
  readonly #instances = new Map<symbol, ((hint: Hint) => void)[]>();

  instance(): InstanceBus {
    const me = Symbol('instance');
    const listeners: ((hint: Hint) => void)[] = [];
    this.#instances.set(me, listeners);
    return {
      report: (hint) => {
        for (const [other, heard] of this.#instances)
          if (other !== me) for (const hear of heard) queueMicrotask(() => hear(hint));
      },
      hear: (listener) => void listeners.push(listener),
    };
  }
}
