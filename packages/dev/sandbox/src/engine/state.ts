/** Read access to contract storage and nonces after one block of the chain. */
export interface StateReader {
  storage(address: bigint, key: string): bigint;
  nonce(address: bigint): bigint;
  /** Returns the class that replaced the contract's first class; 0n if no class did. */
  replacedClass(address: bigint): bigint;
  /** Returns the names of all slots of a contract that were written at any time. */
  names(address: bigint): ReadonlySet<string>;
}

/** Storage slot with its value after a change. */
export interface StorageChange {
  readonly address: bigint;
  readonly key: string;
  readonly value: bigint;
}

type Slots<T> = Map<bigint, Map<string, T>>;

function slot<T>(slots: Slots<T>, address: bigint, key: string): T | undefined {
  return slots.get(address)?.get(key);
}

function put<T>(slots: Slots<T>, address: bigint, key: string, value: T): void {
  const known = slots.get(address);
  if (known === undefined) slots.set(address, new Map([[key, value]]));
  else known.set(key, value);
}

/** First character of the keys under which the engine stores values among a contract's slots. */
const RESERVED = '\u0000';

/** Key of an account's nonce. No contract model can use this key by accident. */
const NONCE_KEY = `${RESERVED}nonce`;

/** Key of the hash of the class that replaced a contract's first class. */
const CLASS_KEY = `${RESERVED}class`;

function namesIn(slots: Slots<unknown>, address: bigint): readonly string[] {
  return [...(slots.get(address)?.keys() ?? [])].filter((key) => !key.startsWith(RESERVED));
}

/**
 * Set of changes on top of another state. The parent state does not change until {@link
 * Overlay.mergeInto}. A reverted execution, a call or a simulation discards its overlay.
 */
export class Overlay implements StateReader {
  readonly #slots: Slots<bigint> = new Map();

  constructor(private readonly parent: StateReader) {}

  storage(address: bigint, key: string): bigint {
    return slot(this.#slots, address, key) ?? this.parent.storage(address, key);
  }

  nonce(address: bigint): bigint {
    return slot(this.#slots, address, NONCE_KEY) ?? this.parent.nonce(address);
  }

  replacedClass(address: bigint): bigint {
    return slot(this.#slots, address, CLASS_KEY) ?? this.parent.replacedClass(address);
  }

  names(address: bigint): ReadonlySet<string> {
    return new Set([...namesIn(this.#slots, address), ...this.parent.names(address)]);
  }

  setStorage(address: bigint, key: string, value: bigint): void {
    put(this.#slots, address, key, value);
  }

  setNonce(address: bigint, nonce: bigint): void {
    put(this.#slots, address, NONCE_KEY, nonce);
  }

  replaceClass(address: bigint, classHash: bigint): void {
    put(this.#slots, address, CLASS_KEY, classHash);
  }

  mergeInto(target: Overlay): void {
    for (const { address, key, value } of this.#entries()) put(target.#slots, address, key, value);
  }

  /** Returns the number of storage slots whose value differs from the value in the parent state. */
  countChangedSlots(): number {
    let changed = 0;
    for (const { address, key, value } of this.#entries()) {
      if (!key.startsWith(RESERVED) && this.parent.storage(address, key) !== value) changed += 1;
    }
    return changed;
  }

  /**
   * Adds `delta` to a slot if this overlay has written the slot. Otherwise the slot's value comes
   * from the parent state, and this method does nothing.
   */
  adjustOwn(address: bigint, key: string, delta: bigint): void {
    const own = slot(this.#slots, address, key);
    if (own !== undefined) put(this.#slots, address, key, own + delta);
  }

  /** Writes all changes into `history` as the state after the block `blockNumber`. */
  commit(history: History, blockNumber: number): void {
    for (const { address, key, value } of this.#entries())
      history.write(blockNumber, { address, key, value });
  }

  *#entries(): Generator<StorageChange> {
    for (const [address, keys] of this.#slots) {
      for (const [key, value] of keys) yield { address, key, value };
    }
  }
}

interface Version {
  readonly blockNumber: number;
  readonly value: bigint;
}

/** States after all accepted blocks. Each slot has a list of versions, newest last. */
export class History {
  readonly #slots: Slots<Version[]> = new Map();

  /** Returns the state after the block `blockNumber`. */
  at(blockNumber: number): StateReader {
    return {
      storage: (address, key) => this.#read(address, key, blockNumber),
      nonce: (address) => this.#read(address, NONCE_KEY, blockNumber),
      replacedClass: (address) => this.#read(address, CLASS_KEY, blockNumber),
      names: (address) => new Set(namesIn(this.#slots, address)),
    };
  }

  /** Returns an independent copy of the history. */
  copy(): History {
    const copy = new History();
    for (const [address, keys] of this.#slots) {
      for (const [key, versions] of keys) put(copy.#slots, address, key, [...versions]);
    }
    return copy;
  }

  /** Writes a new version of a slot. Precondition: blocks are written in ascending order. */
  write(blockNumber: number, { address, key, value }: StorageChange): void {
    const versions = slot(this.#slots, address, key);
    if (versions === undefined) put(this.#slots, address, key, [{ blockNumber, value }]);
    else versions.push({ blockNumber, value });
  }

  /** Adds to every version of a slot, as if its value had always been larger by this amount. */
  adjust(address: bigint, key: string, delta: bigint): void {
    const versions = slot(this.#slots, address, key) ?? [];
    const adjusted = versions.map(({ blockNumber, value }) => ({
      blockNumber,
      value: value + delta,
    }));
    const startsAtGenesis = adjusted[0]?.blockNumber === 0;
    put(
      this.#slots,
      address,
      key,
      startsAtGenesis ? adjusted : [{ blockNumber: 0, value: delta }, ...adjusted],
    );
  }

  /** Replaces all versions of a slot by one value. */
  override(address: bigint, key: string, value: bigint): void {
    put(this.#slots, address, key, [{ blockNumber: 0, value }]);
  }

  /** Removes every block above `blockNumber`. */
  truncate(blockNumber: number): void {
    for (const keys of this.#slots.values()) {
      for (const [key, versions] of keys) {
        const kept = versions.filter((version) => version.blockNumber <= blockNumber);
        if (kept.length === 0) keys.delete(key);
        else if (kept.length < versions.length) keys.set(key, kept);
      }
    }
  }

  #read(address: bigint, key: string, blockNumber: number): bigint {
    const versions = slot(this.#slots, address, key);
    return versions?.findLast((version) => version.blockNumber <= blockNumber)?.value ?? 0n;
  }
}
