import { systemClock } from '@sotto/kernel';
import { OpenLoad } from '@sotto/load-kit';
import type { Service, WithdrawalBody } from '@sotto/process-kit';
import { Requests, type RequestSummary } from '../measure/requests.js';
import type { Chain } from '../stack/chain.js';
import { loadPool, withdrawalBody } from '../stack/withdrawals.js';

/** What became of the honest client's withdrawals. */
export interface Served {
  readonly served: number;
  /** Served at the second asking or later. */
  readonly askedAgain: number;
  /** How each ended that was not served. */
  readonly unserved: readonly string[];
  /** Of every request, those that were asked again included. */
  readonly requests: RequestSummary;
}

const WITHDRAWALS_PER_SECOND = 2;
const REQUEST_TIMEOUT_MS = 45_000;
/** How long it asks for one withdrawal. */
const PATIENCE_MS = 30_000;
const DEFAULT_RETRY_MS = 1_000;
/** Of a network that no attacker is in. */
const HEADERS = { 'x-forwarded-for': '203.0.113.7' };

let begun = 0;

/**
 * Withdraws a note of its own every half second. As a wallet does, it retries after Retry-After,
 * and proves again under the newest root when that is the remedy.
 */
export class HonestClient {
  readonly #requests = new Requests();
  readonly #unserved: string[] = [];
  #served = 0;
  #askedAgain = 0;
  readonly #load = new OpenLoad(() => this.#withdraw());

  /** @param chain returns the pool's newest root, which a wallet reads from events */
  constructor(
    private readonly service: Service,
    private readonly chain: Chain,
  ) {}

  start(): void {
    this.#load.start({ perSecond: WITHDRAWALS_PER_SECOND });
  }

  /** Asks for no more, and waits for those that were asked for. */
  async end(): Promise<Served> {
    await this.#load.end();
    return {
      served: this.#served,
      askedAgain: this.#askedAgain,
      unserved: this.#unserved,
      requests: this.#requests.summary(),
    };
  }

  async #withdraw(): Promise<void> {
    const note = begun++;
    const prove = async (): Promise<WithdrawalBody> =>
      withdrawalBody(note, (await this.chain.treeOf(loadPool.address)).root);
    let body = await prove();
    const untilMs = systemClock.monotonicMs() + PATIENCE_MS;
    for (let asked = 1; ; asked += 1) {
      const answer = await this.#requests.note(() =>
        this.service.withdraw(body, {
          headers: HEADERS,
          signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
        }),
      );
      if (answer?.status === 200 && answer.text.includes('SUCCEEDED')) {
        this.#served += 1;
        if (asked > 1) this.#askedAgain += 1;
        return;
      }
      const retryAfter = answer?.headers.get('retry-after') ?? null;
      const needsProof = Object(answer?.body).retry === 'new-proof';
      const isOver = answer !== null && retryAfter === null && answer.status !== 202 && !needsProof;
      if (isOver || systemClock.monotonicMs() > untilMs) {
        this.#unserved.push(
          answer === null ? 'no answer' : `${answer.status} ${answer.text.slice(0, 200)}`,
        );
        return;
      }
      if (needsProof) {
        body = await prove();
        continue;
      }
      await systemClock.sleep(retryAfter === null ? DEFAULT_RETRY_MS : Number(retryAfter) * 1_000);
    }
  }
}
