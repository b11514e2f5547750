import type { DomainError, Felt } from '@sotto/kernel';
import type {
  DepositFacts,
  DepositQuestion,
  DepositReader,
} from '../../deposits/ports/deposit-reader.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

export interface InMemoryDepositPool {
  readonly denomination: bigint;
  readonly nextIndex: number;
  readonly lastRoot: bigint;
  readonly commitments: readonly bigint[];
}

export interface InMemoryDepositor {
  readonly classHash: Felt;
  readonly balance: bigint;
  /** For every pool. */
  readonly allowance: bigint;
}

/** Pools and depositors as a test sets them. Depositors have the same balance in every token. */
export class InMemoryDeposits implements DepositReader {
  readonly #pools = new Map<Felt, InMemoryDepositPool>();
  readonly #depositors = new Map<Felt, InMemoryDepositor>();
  #failure: DomainError | null = null;
  /** How often it was asked. */
  reads = 0;

  setPool(pool: Felt, state: InMemoryDepositPool): void {
    this.#pools.set(pool, state);
  }

  setDepositor(depositor: Felt, state: InMemoryDepositor): void {
    this.#depositors.set(depositor, state);
  }

  /** Every read rejects with it until null is given. */
  failReads(failure: DomainError | null = new FakeUpstreamDown('the node is down')): void {
    this.#failure = failure;
  }

  async depositFacts({ pool, commitment, depositor }: DepositQuestion): Promise<DepositFacts> {
    this.reads += 1;
    if (this.#failure !== null) throw this.#failure;
    const state = this.#pools.get(pool);
    if (state === undefined) throw new FakeUpstreamDown('no pool at this address');
    const { commitments, ...facts } = state;
    const {
      classHash = null,
      balance = 0n,
      allowance = 0n,
    } = this.#depositors.get(depositor) ?? {};
    return {
      ...facts,
      commitmentKnown: commitments.includes(commitment),
      depositorClass: classHash,
      balance,
      allowance,
    };
  }
}
