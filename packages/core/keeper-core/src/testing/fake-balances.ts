import { toFelt, type DomainError, type Felt } from '@sotto/kernel';
import type { Snapshot } from '@sotto/submission-core';
import type { Balances } from '../ports/balances.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

interface Block {
  readonly snapshot: Snapshot;
  /** Balances by ERC-20 token, then by account. */
  readonly balances: ReadonlyMap<Felt, ReadonlyMap<Felt, bigint>>;
}

const SECONDS_PER_BLOCK = 30;

/** Fake chain of balances. Each change of a balance is in a separate block. */
export class FakeBalances implements Balances {
  readonly #blocks: Block[];
  #failure: DomainError | null = null;

  /** @param tokens ERC-20 tokens that exist on the chain */
  constructor(tokens: readonly Felt[]) {
    this.#blocks = [
      { snapshot: snapshotOf(0), balances: new Map(tokens.map((token) => [token, new Map()])) },
    ];
  }

  get latest(): Snapshot {
    return this.#newest().snapshot;
  }

  /** Increases the account's balance by `by`, which may be negative, in a new block. */
  change(token: Felt, account: Felt, by: bigint): Snapshot {
    const before = this.#newest().balances;
    const ofToken = new Map(before.get(token));
    ofToken.set(account, (ofToken.get(account) ?? 0n) + by);
    return this.mine(new Map(before).set(token, ofToken));
  }

  /** Mines a block. @param balances @default the balances of the previous block */
  mine(balances: Block['balances'] = this.#newest().balances): Snapshot {
    const snapshot = snapshotOf(this.#blocks.length);
    this.#blocks.push({ snapshot, balances });
    return snapshot;
  }

  /** Returns the block that is this many blocks below the newest block. */
  ago(blocks: number): Snapshot {
    return (this.#blocks.at(-1 - blocks) ?? this.#blocks[0] ?? this.#newest()).snapshot;
  }

  /** Makes every read reject with this error. Null restores normal behaviour. */
  fail(failure: DomainError | null = new FakeUpstreamDown('the node is down')): void {
    this.#failure = failure;
  }

  async of(token: Felt, account: Felt, at: Snapshot): Promise<bigint> {
    if (this.#failure !== null) throw this.#failure;
    const block = this.#blocks.find(({ snapshot }) => snapshot.hash === at.hash);
    const ofToken = block?.balances.get(token);
    if (ofToken === undefined) throw new FakeUpstreamDown('no such block, or no such token');
    return ofToken.get(account) ?? 0n;
  }

  #newest(): Block {
    const newest = this.#blocks.at(-1);
    if (newest === undefined) throw new Error('a chain has a first block');
    return newest;
  }
}

function snapshotOf(number: number): Snapshot {
  return {
    number,
    hash: toFelt(0xb10cn * 2n ** 32n + BigInt(number)),
    timestamp: number * SECONDS_PER_BLOCK,
  };
}
