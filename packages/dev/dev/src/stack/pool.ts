import { randomBytes } from 'node:crypto';
import { toFelt, u256FromHalves, u256ToHalves } from '@sotto/kernel';
import { sandboxWorld, type Control, type SentTransaction } from '@sotto/sandbox';
import { selectorOf } from '@sotto/sandbox/engine';
import { poseidon1 } from 'poseidon-lite/poseidon1';
import { poseidon2 } from 'poseidon-lite/poseidon2';

/** Note that the helpers have deposited and whose batch is deployed. */
export interface ActiveNote {
  readonly commitment: bigint;
  readonly nullifierHash: bigint;
  readonly batchStart: bigint;
  readonly batchSize: bigint;
}

interface OwnNote {
  readonly commitment: bigint;
  readonly nullifierHash: bigint;
}

const BATCH_DEPLOYED = selectorOf('BatchDeployed');
/**
 * Number of random bytes of a nullifier or secret, so that the value is below the scalar field's
 * order.
 */
const NOTE_BYTES = 31;

/**
 * Pool of the sandbox, with the notes that the helpers have deposited. All operations are
 * synchronous in this process. So the state cannot change between a read and an action that is
 * based on it.
 */
export class DevPool {
  readonly #active: ActiveNote[] = [];
  /** Notes that wait for their batch, by commitment. */
  readonly #waiting = new Map<bigint, OwnNote>();
  #crowdTurn = 0;

  constructor(
    readonly address: bigint,
    private readonly control: Control,
  ) {}

  /** Maximum fee of a withdrawal, in the smallest unit of the pool's ERC-20 token. */
  get maxFee(): bigint {
    const [low = 0n, high = 0n] = this.control.call(this.address, 'max_fee');
    return u256FromHalves(low, high);
  }

  /** Latest root of the pool, which proofs may use. */
  get root(): bigint {
    const [low = 0n, high = 0n] = this.control.call(this.address, 'get_last_root');
    return u256FromHalves(low, high);
  }

  /**
   * Deposits a commitment. @param depositor account that pays @default `crowd1` and `crowd2` in
   * turn
   */
  deposit(commitment: bigint, depositor?: bigint): { leafIndex: number; transactionHash: string } {
    const { accounts } = sandboxWorld;
    const crowd = [accounts.crowd1, accounts.crowd2];
    const member = crowd[this.#crowdTurn++ % crowd.length] ?? accounts.crowd1;
    // Only a relayer of the pool may deposit. Do not use the service's account, because the service
    // manages its nonces.
    const sent = this.control.send(accounts.lane3.address, [
      {
        to: this.address,
        entrypoint: 'deposit',
        calldata: [...u256ToHalves(commitment), depositor ?? member.address],
      },
    ]);
    this.#activate(sent);
    const leafIndex = Number(this.#total()) - 1;
    return { leafIndex, transactionHash: toFelt(sent.hash) };
  }

  /** Deposits until no deposit waits for its batch. @returns number of new deposits */
  fillBatch(): number {
    let count = 0;
    for (; this.#undeployed() > 0n; count += 1) this.#depositOwn();
    return count;
  }

  /** Returns an active note that was not returned before. */
  takeActiveNote(): ActiveNote {
    for (;;) {
      const note = this.#active.shift();
      // Skip a note whose deposit was undone together with its block.
      if (note !== undefined && this.#knows(note.commitment)) return note;
      if (note !== undefined) continue;
      this.#depositOwn();
      this.fillBatch();
    }
  }

  #depositOwn(): void {
    const [nullifier, secret] = [randomNumber(), randomNumber()];
    const commitment = poseidon2([nullifier, secret]);
    this.#waiting.set(commitment, { commitment, nullifierHash: poseidon1([nullifier]) });
    this.deposit(commitment);
  }

  /** Marks our waiting notes as active if the transaction has deployed their batch. */
  #activate({ events }: SentTransaction): void {
    for (const { from, keys, data } of events) {
      const [batchStart, batchSize] = data;
      if (from !== this.address || keys[0] !== BATCH_DEPLOYED) continue;
      if (batchStart === undefined || batchSize === undefined) continue;
      for (const note of this.#waiting.values())
        this.#active.push({ ...note, batchStart, batchSize });
      this.#waiting.clear();
    }
  }

  #undeployed(): bigint {
    return this.control.call(this.address, 'undeployed_count')[0] ?? 0n;
  }

  #total(): bigint {
    return this.control.call(this.address, 'total_deposits')[0] ?? 0n;
  }

  #knows(commitment: bigint): boolean {
    return (
      this.control.call(this.address, 'is_known_commitment', u256ToHalves(commitment))[0] === 1n
    );
  }
}

function randomNumber(): bigint {
  return BigInt(`0x${randomBytes(NOTE_BYTES).toString('hex')}`);
}
