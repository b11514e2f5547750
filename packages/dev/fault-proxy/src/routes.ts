import { z } from 'zod';
import type { Call } from './json-rpc.js';

const Index = z.int().nonnegative();
const Method = z.string().min(1);

/**
 * Rule that selects a target for each HTTP request, as a load balancer before several replicas
 * does. The proxy's first target has number 0, and replicas have the next numbers.
 *
 * - `fixed`: one target for all requests.
 * - `alternate`: each target in turn.
 * - `random`: a random target; equal seeds select equal sequences.
 * - `by-method`: `target` for requests with a call of one of the methods, `otherwise` for other
 *   requests.
 */
export const Route = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('fixed'), target: Index }),
  z.strictObject({ kind: z.literal('alternate') }),
  z.strictObject({ kind: z.literal('random'), seed: z.int() }),
  z.strictObject({
    kind: z.literal('by-method'),
    method: z.union([Method, z.array(Method).min(1)]),
    target: Index,
    otherwise: Index,
  }),
]);
export type Route = z.infer<typeof Route>;

/** Selects the target of each request by the current route. */
export class Router<T> {
  #choose: (calls: readonly Call[]) => number = () => 0;

  #targets: readonly T[];

  constructor(first: T) {
    this.#targets = [first];
  }

  get targets(): readonly T[] {
    return this.#targets;
  }

  /** @returns the number of the target */
  add(target: T): number {
    this.#targets = [...this.#targets, target];
    return this.#targets.length - 1;
  }

  /** @throws RangeError if a target does not exist */
  follow(route: Route): void {
    const named = route.kind === 'by-method' ? [route.target, route.otherwise] : [];
    for (const index of route.kind === 'fixed' ? [route.target] : named) this.#at(index);
    this.#choose = chooser(route, () => this.#targets.length);
  }

  next(calls: readonly Call[]): T {
    return this.#at(this.#choose(calls));
  }

  #at(index: number): T {
    const target = this.#targets[index];
    if (target === undefined) throw new RangeError(`there is no target ${index}`);
    return target;
  }
}

function chooser(route: Route, count: () => number): (calls: readonly Call[]) => number {
  switch (route.kind) {
    case 'fixed':
      return () => route.target;
    case 'alternate': {
      let turns = -1;
      return () => (turns = (turns + 1) % count());
    }
    case 'random': {
      const random = mulberry32(route.seed);
      return () => Math.floor(random() * count());
    }
    case 'by-method': {
      const methods = [route.method].flat();
      return (calls) =>
        calls.some(({ method }) => methods.includes(method)) ? route.target : route.otherwise;
    }
  }
}

/** Returns a generator of numbers in [0, 1). Source: Tommy Ettinger's mulberry32, public domain. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
