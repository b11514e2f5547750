import { z } from 'zod';
import type { Flow } from '../processes/flow.js';
import { post } from './http-client.js';
import type { Withdrawals } from './withdrawals.js';

const Relayed = z.object({ execution_status: z.literal('SUCCEEDED') });

/** Has one withdrawal relayed, to the end. @throws Error when it did not succeed */
export async function relay({ url }: Flow, withdrawals: Withdrawals): Promise<void> {
  const { status, text } = await post(`${url}/api/relayer/withdraw`, withdrawals.take());
  if (status !== 200 || !Relayed.safeParse(JSON.parse(text)).success)
    throw new Error(`not relayed: ${status} ${text}`);
}

/**
 * So many callers, each with its next request as soon as the last one is answered, until `work` is
 * used up.
 */
export async function inParallel(
  callers: number,
  count: number,
  one: () => Promise<void>,
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
 * Callers that go on until they are stopped, each with its next request as soon as the last one is
 * answered.
 */
export class Callers {
  #done = 0;
  #stopping = false;
  readonly #running: Promise<unknown>;

  constructor(callers: number, one: () => Promise<void>) {
    this.#running = Promise.all(Array.from({ length: callers }, () => this.#call(one)));
    // stop() reports the failure.
    this.#running.catch(() => {});
  }

  /** How many requests were answered well. */
  get done(): number {
    return this.#done;
  }

  /** Resolves when the last answers are there. @throws what the first failed request threw */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#running;
  }

  async #call(one: () => Promise<void>): Promise<void> {
    while (!this.#stopping) {
      await one();
      this.#done += 1;
    }
  }
}
