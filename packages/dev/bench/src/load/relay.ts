import { z } from 'zod';
import type { Flow } from '../processes/flow.js';
import { post } from './http-client.js';
import type { Withdrawals } from './withdrawals.js';

const Answer = z.object({ execution_status: z.enum(['SUCCEEDED', 'UNKNOWN']) });

/**
 * Outcome of a request. `unknown` means that the flow responded before it knew the outcome, so that
 * the caller would have to poll.
 */
export type Outcome = 'succeeded' | 'unknown';

/** Relays one withdrawal and waits for its response. @throws Error for any other response */
export async function relay({ url }: Flow, withdrawals: Withdrawals): Promise<Outcome> {
  const { status, text } = await post(`${url}/api/relayer/withdraw`, withdrawals.take());
  const answer = Answer.safeParse(status === 200 ? JSON.parse(text) : undefined);
  if (!answer.success) throw new Error(`not relayed: ${status} ${text}`);
  return answer.data.execution_status === 'SUCCEEDED' ? 'succeeded' : 'unknown';
}

/**
 * Runs `work` with a fixed number of callers. Each caller sends its next request as soon as its
 * previous request has a response, until `work` is used up.
 */
export async function inParallel(
  callers: number,
  count: number,
  one: () => Promise<unknown>,
): Promise<void> {
  let left = count;
  const caller = async (): Promise<void> => {
    for (; left > 0;) {
      left -= 1;
      await one();
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
}

/**
 * Runs a fixed number of callers until they are stopped. Each caller sends its next request as soon
 * as its previous request has a response.
 */
export class Callers {
  readonly #answered: Record<Outcome, number> = { succeeded: 0, unknown: 0 };
  #stopping = false;
  readonly #running: Promise<unknown>;

  constructor(callers: number, one: () => Promise<Outcome>) {
    this.#running = Promise.all(Array.from({ length: callers }, () => this.#call(one)));
    // Ignore the failure here: `stop()` reports it.
    this.#running.catch(() => {});
  }

  /** Number of requests with a response, by outcome. */
  get answered(): Readonly<Record<Outcome, number>> {
    return { ...this.#answered };
  }

  /** Resolves after the last responses. @throws the error of the first failed request */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#running;
  }

  async #call(one: () => Promise<Outcome>): Promise<void> {
    while (!this.#stopping) this.#answered[await one()] += 1;
  }
}
