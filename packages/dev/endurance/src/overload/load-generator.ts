import type { Service } from '@sotto/process-kit';
import { Requests, type RequestSummary } from '../measure/requests.js';
import { withdrawalBody } from '../stack/withdrawals.js';

/** Time limit of a request, in ms: longer than the service waits for an outcome. */
const REQUEST_TIMEOUT_MS = 60_000;

/**
 * Callers whose addresses, as a trusted proxy reports them, are in different networks. Each caller
 * requests one withdrawal once and waits for its outcome.
 */
export class LoadGenerator {
  /** Ids of submissions that callers received. */
  readonly accepted: string[] = [];
  /** Number of responses with status 429 or 503 that lack a Retry-After header. */
  withoutRetryAfter = 0;
  readonly #requests = new Requests();

  /**
   * @param begun index of the first withdrawal of these callers; lower indexes belong to other
   *   callers
   */
  constructor(
    private readonly service: Service,
    public begun = 0,
  ) {}

  /** Requests a withdrawal. Returns true if it succeeded. */
  async query(): Promise<boolean> {
    const index = this.begun;
    this.begun += 1;
    const headers = { 'x-forwarded-for': addressOf(index) };
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const answer = await this.#requests.note(() =>
      this.service.withdraw(withdrawalBody(index), { headers, signal }),
    );
    if (answer === null) return false;
    const id = answer.headers.get('location')?.split('/').at(-1);
    if (answer.status < 300 && id !== undefined) this.accepted.push(id);
    if ([429, 503].includes(answer.status) && answer.headers.get('retry-after') === null)
      this.withoutRetryAfter += 1;
    return answer.status < 300 && answer.text.includes('SUCCEEDED');
  }

  summary(): RequestSummary {
    return this.#requests.summary();
  }
}

/**
 * Returns an address in 10.0.0.0/8. Addresses of consecutive indexes are in different /24 networks.
 */
function addressOf(index: number): string {
  return `10.${index & 255}.${(index >> 8) & 255}.${(index >> 16) & 255}`;
}
