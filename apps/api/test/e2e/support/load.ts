import { MerkleTree } from '@sotto/wallet/advanced';
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
/** Timeout of a request to an instance, in ms. */
const REQUEST_TIMEOUT_MS = 10_000;

/**
 * Returns the withdrawal with this index, valid under the trapdoor key. Each index has a different
 * note and a different recipient.
 */
export function anyWithdrawal(index: number): WithdrawalBody {
  return bodyOf(filledCalldata({ root, relayer: vector.relayer, fee: FEE, note: index }));
}

/** Returns how many times the recipient of this withdrawal was paid. */
export async function timesPaid(chain: TestChain, index: number): Promise<number> {
  return Number(await chain.wbtcOf(recipientOf(index))) / Number(pool.denomination - FEE);
}

/**
 * Raises the pool's balance and its count of deposits. The pool can then pay for notes that were
 * not deposited.
 */
export function fillPool({ control }: TestChain): void {
  control.setStorage(pool.address, 'active_deposits', NOTES);
  control.mint(pool.address, NOTES * pool.denomination, sandboxWorld.tokens.WBTC.address);
}

/**
 * Simulated callers that each withdraw one note after another. A caller sends its request to one
 * instance after another until the request succeeds, as a wallet would. Each caller waits for a
 * success, so the load adapts to the speed of the machine.
 */
export class Load {
  /** Paths of submissions that succeeded, by index of the withdrawal. */
  readonly succeeded = new Map<number, string>();
  /** Number of requests without a response, or with a response that requires a retry. */
  turnedAway = 0;
  /** Number of requests that were sent. */
  requests = 0;
  /** Longest time between two successes since the start, in ms. */
  longestGapMs = 0;
  #succeededAtMs = 0;
  #begun = 0;
  #isAbandoned = false;
  readonly #ending = new AbortController();
  #callers: readonly Promise<void>[] = [];

  /**
   * @param instances returns the instances that accept requests now; callers wait while the list is
   *   empty
   */
  constructor(private readonly instances: () => readonly Service[]) {}

  start(callers: number): void {
    this.#succeededAtMs = systemClock.monotonicMs();
    this.#callers = Array.from({ length: callers }, () => this.#call());
  }

  /**
   * Starts no further withdrawals. Resolves when all withdrawals that were started have succeeded.
   */
  async end(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#callers);
  }

  /** Ends the load immediately, without waiting for withdrawals that were started. */
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

/** Sends a withdrawal to the instance. Returns null if no answer arrives. */
async function request(instance: Service, body: WithdrawalBody): Promise<Answer | null> {
  return instance
    .withdraw(body, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) })
    .catch(() => null);
}
