import { NO_TRANSACTION, Revert, type ContractModel } from '../../../src/engine/contract.js';
import { selectorOf } from '../../../src/engine/felt.js';

export interface EmittedEvent {
  readonly from: bigint;
  readonly keys: readonly bigint[];
  readonly data: readonly bigint[];
}

interface Deployed {
  readonly model: ContractModel;
  readonly storage: Map<string, bigint>;
}

/**
 * Minimal chain on which tests call contract models, with nested calls. If a call reverts, the
 * storage does not change.
 */
export class TestChain {
  readonly events: EmittedEvent[] = [];
  gasUsed = 0n;
  block = { number: 1, timestampSeconds: 1_800_000_000 };
  transaction = NO_TRANSACTION;
  readonly #contracts = new Map<bigint, Deployed>();

  deploy(
    address: bigint,
    model: ContractModel,
    storage: Readonly<Record<string, bigint>> = {},
  ): void {
    this.#contracts.set(address, { model, storage: new Map(Object.entries(storage)) });
  }

  /**
   * Returns a contract's storage. Tests use it to create states that no transaction can produce.
   */
  storageOf(address: bigint): Map<string, bigint> {
    return this.#at(address).storage;
  }

  call(caller: bigint, to: bigint, entrypoint: string, calldata: readonly bigint[] = []): bigint[] {
    const before = new Map(
      [...this.#contracts].map(([address, { storage }]) => [address, new Map(storage)]),
    );
    const eventsBefore = this.events.length;
    try {
      return this.#run(caller, to, entrypoint, calldata);
    } catch (error) {
      for (const [address, storage] of before) this.#restore(address, storage);
      this.events.length = eventsBefore;
      throw error;
    }
  }

  eventsNamed(name: string): EmittedEvent[] {
    return this.events.filter(({ keys }) => keys[0] === selectorOf(name));
  }

  #run(caller: bigint, to: bigint, entrypoint: string, calldata: readonly bigint[]): bigint[] {
    const { model, storage } = this.#at(to);
    const run = model.entrypoints[entrypoint];
    if (run === undefined) throw new Revert('ENTRYPOINT_NOT_FOUND');
    return run(
      {
        self: to,
        caller,
        chainId: 0x534e5f54455354n,
        block: this.block,
        transaction: this.transaction,
        get: (key) => storage.get(key) ?? 0n,
        set: (key, value) => {
          storage.set(key, value);
        },
        call: (target, name, nested) => this.#run(to, target, name, nested),
        callBySelector: (target, selector, nested) =>
          this.#run(to, target, this.#nameOf(target, selector), nested),
        emit: (keys, data) => {
          this.events.push({ from: to, keys, data });
        },
        useL2Gas: (amount) => {
          this.gasUsed += amount;
        },
      },
      calldata,
    );
  }

  #nameOf(address: bigint, selector: bigint): string {
    const names = Object.keys(this.#at(address).model.entrypoints);
    return names.find((name) => selectorOf(name) === selector) ?? '';
  }

  #restore(address: bigint, saved: ReadonlyMap<string, bigint>): void {
    const { storage } = this.#at(address);
    storage.clear();
    for (const [key, value] of saved) storage.set(key, value);
  }

  #at(address: bigint): Deployed {
    const contract = this.#contracts.get(address);
    if (contract === undefined) throw new Error('no contract at this address');
    return contract;
  }
}

/** Encodes a u256 as two felts of calldata. */
export function u256(value: bigint): [bigint, bigint] {
  return [value % 2n ** 128n, value / 2n ** 128n];
}

/** Decodes a u256 from the felts that a view returned. */
export function fromU256([low = 0n, high = 0n]: readonly bigint[]): bigint {
  return low + high * 2n ** 128n;
}
