/**
 * Stream of random numbers that depends only on the seed and the stream's name. Each choice of a
 * run has its own stream. So if a choice is added or removed, for example by the shrinker, other
 * choices do not change.
 */
export class Random {
  #state: number;

  constructor(name: string) {
    this.#state = hashed(name);
  }

  /** Returns a number in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Returns an integer from 0 (inclusive) to `end` (exclusive). */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }
}

/** Random streams of one seed, by name. */
export class Streams {
  readonly #streams = new Map<string, Random>();

  constructor(private readonly seed: string) {}

  of(name: string): Random {
    let stream = this.#streams.get(name);
    if (stream === undefined) {
      stream = new Random(`${this.seed}/${name}`);
      this.#streams.set(name, stream);
    }
    return stream;
  }
}

/**
 * Hashes a text with FNV-1a and a final mixing step. So two names that differ only in their last
 * characters have uncorrelated streams.
 */
function hashed(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
