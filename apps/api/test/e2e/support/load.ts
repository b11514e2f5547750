import { MerkleTree } from '@sotto/wallet';
import { systemClock } from '@sotto/kernel';
import type { Answer, Service, WithdrawalBody } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import type { TestChain } from './chain.js';
import { filledCalldata, recipientOf } from '@sotto/load-kit';
import { bodyOf, leaves, pool, vector } from './withdrawals.js';

const FEE = BigInt(vector.feeSats);
const { root } = MerkleTree.of(leaves);
const NOTES = 10_000n;
const RETRY_MS = 100;
/** Timeout of a request to an instance. */
const REQUEST_TIMEOUT_MS = 10_000;

/**
 * Returns a withdrawal by index, valid under the trapdoor key, each of another note, for another
 * recipient.
 */
export function anyWithdrawal(index: number): WithdrawalBody {
  return bodyOf(filledCalldata({ root, relayer: vector.relayer, fee: FEE, note: index }));
}

/** Number of withdrawals for which a recipient was paid. */
export async function timesPaid(chain: TestChain, index: number): Promise<number> {
  return Number(await chain.wbtcOf(recipientOf(index))) / Number(pool.denomination - FEE);
}

/** Raises the pool's balance, so that it pays more notes than were deposited. */
export function fillPool({ control }: TestChain): void {
  control.setStorage(pool.address, 'active_deposits', NOTES);
  control.mint(pool.address, NOTES * pool.denomination, sandboxWorld.tokens.WBTC.address);
}

/**
 * Callers that withdraw one note after the other. Each sends its request to one instance after the
 * other until it succeeds, as a wallet would. The load is therefore the capacity of the machine.
 */
export class Load {
  /** Paths of submissions that succeeded, by withdrawal. */
  readonly succeeded = new Map<number, string>();
  /** Requests that ended without an answer, or with one that requires a retry. */
  turnedAway = 0;
  /** Requests that were sent. */
  requests = 0;
  /** Longest time without a success since the start. */
  longestGapMs = 0;
  #succeededAtMs = 0;
  #begun = 0;
  #isAbandoned = false;
  readonly #ending = new AbortController();
  #callers: readonly Promise<void>[] = [];

  /** @param instances those that accept requests now; an empty list means to wait */
  constructor(private readonly instances: () => readonly Service[]) {}

  start(callers: number): void {
    this.#succeededAtMs = systemClock.monotonicMs();
    this.#callers = Array.from({ length: callers }, () => this.#call());
  }

  /** Begins no more; resolves when all begun withdrawals have succeeded. */
  async end(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#callers);
  }

  /** Ends now, without waiting for begun withdrawals. */
  abandon(): void {
    this.#ending.abort();
    this.#isAbandoned = true;
  }

  async #call(): Promise<void> {
    while (!this.#ending.signal.aborted) {
      const index = this.#begun;
      this.#begun += 1;
      const path = await this.#withdraw(index);
      if (path === null) return;
      this.succeeded.set(index, path);
      const nowMs = systemClock.monotonicMs();
      this.longestGapMs = Math.max(this.longestGapMs, nowMs - this.#succeededAtMs);
      this.#succeededAtMs = nowMs;
    }
  }

  async #withdraw(index: number): Promise<string | null> {
    const body = anyWithdrawal(index);
    for (let tries = index; !this.#isAbandoned; tries += 1) {
      const instances = this.instances();
      const instance = instances[tries % Math.max(1, instances.length)];
      if (instance !== undefined) this.requests += 1;
      const answer = instance === undefined ? null : await request(instance, body);
      const location = answer?.headers.get('location') ?? null;
      if (
        answer?.status === 200 &&
        location !== null &&
        Object(answer.body).execution_status === 'SUCCEEDED'
      )
        return location;
      if (answer !== null && answer.status >= 300 && answer.status < 500 && answer.status !== 429) {
        throw new Error(`refused: ${answer.status} ${answer.text}`);
      }
      this.turnedAway += 1;
      await systemClock.sleep(RETRY_MS);
    }
    return null;
  }
}

/** Sends a request. Null if no answer arrives. */
async function request(instance: Service, body: WithdrawalBody): Promise<Answer | null> {
  return instance
    .withdraw(body, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) })
    .catch(() => null);
}
