/**
 * A stream of random numbers that depends on its name alone. Each choice of a run has a separate
 * stream, so adding or removing one choice (as the shrinker does) does not affect others.
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

  /** Returns an integer from 0 to below `end`. */
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

/** Named streams of one seed. */
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
 * FNV-1a with a final mix, so that names that differ only at the end yield uncorrelated streams.
 */
function hashed(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
