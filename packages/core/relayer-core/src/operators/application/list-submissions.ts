import { CODES_OF } from '@sotto/facts';
import { InvalidFelt, toFelt, type Felt } from '@sotto/kernel';
import type {
  AttemptState,
  RegisterCursor,
  RegisteredSubmission,
  SubmissionFilter,
  SubmissionRegister,
} from '@sotto/submission-core';
import { PoolNotSupported } from '../../errors.js';
import { withdrawalKey } from '../../pools/domain/withdrawal.js';
import {
  operatedSubmission,
  type OperatedSubmission,
  type OperatedSubmissionPolicy,
} from '../domain/operated-submission.js';

/** Filter of a list of submissions. */
export interface ListSubmissionsFilter {
  readonly state?: AttemptState | undefined;
  readonly kind?: string | undefined;
  /** Key or address of a pool. */
  readonly pool?: string | undefined;
  readonly lane?: Felt | undefined;
  readonly acceptedSinceMs?: number | undefined;
  readonly acceptedBeforeMs?: number | undefined;
}

export interface OperatedPage {
  readonly submissions: readonly OperatedSubmission[];
  readonly next: RegisterCursor | null;
}

interface ListSubmissionsPolicy extends OperatedSubmissionPolicy {
  readonly chainId: Felt;
}

/** Number of rows per page when a whole list is read. */
const ROWS_AT_A_TIME = 500;
/** Pattern of nullifiers and transaction hashes, in hexadecimal or decimal. */
const NUMBER = /^(?:0[xX][0-9a-fA-F]{1,64}|\d{1,78})$/;

/** Lists and finds submissions for the operator. */
export class ListSubmissions {
  /** Error codes of the API route that lists submissions. */
  static readonly throws = CODES_OF.operatedSubmissions;

  constructor(
    private readonly register: SubmissionRegister,
    private readonly policy: ListSubmissionsPolicy,
  ) {}

  /**
   * Returns a page of the list, newest first.
   * @throws PoolNotSupported
   */
  async page(
    filter: ListSubmissionsFilter,
    after: RegisterCursor | null,
    limit: number,
  ): Promise<OperatedPage> {
    const { submissions, next } = await this.register.page(this.#filter(filter), after, limit);
    return { submissions: submissions.map((one) => this.#operated(one)), next };
  }

  /**
   * Yields the whole list page by page, so that only one page is in memory.
   * @throws PoolNotSupported
   */
  async *all(filter: ListSubmissionsFilter): AsyncGenerator<readonly OperatedSubmission[]> {
    let after: RegisterCursor | null = null;
    do {
      const page: OperatedPage = await this.page(filter, after, ROWS_AT_A_TIME);
      yield page.submissions;
      after = page.next;
    } while (after !== null);
  }

  /** Finds submissions by id, transaction hash or nullifier. */
  async search(text: string): Promise<readonly OperatedSubmission[]> {
    const named = await this.register.ofId(text);
    if (named !== null) return [this.#operated(named)];
    if (!NUMBER.test(text)) return [];
    const number = BigInt(text);
    const { pools, chainId } = this.policy;
    const keys = pools.map(({ address }) => withdrawalKey(chainId, address, number));
    const hash = feltOf(text);
    const [ofNote, ofTransaction] = await Promise.all([
      this.register.ofKeys(keys),
      hash === null ? [] : this.register.ofTransaction(hash),
    ]);
    return [...ofNote, ...ofTransaction].map((one) => this.#operated(one));
  }

  #operated(submission: RegisteredSubmission): OperatedSubmission {
    return operatedSubmission(submission, this.policy);
  }

  #filter({ pool, ...rest }: ListSubmissionsFilter): SubmissionFilter {
    const subject = pool === undefined ? undefined : this.#addressOf(pool);
    return Object.fromEntries(
      Object.entries({ ...rest, subject }).filter(([, value]) => value !== undefined),
    );
  }

  #addressOf(name: string): Felt {
    const pool = this.policy.pools.find(({ key, address }) => name === key || name === address);
    if (pool === undefined) throw new PoolNotSupported();
    return pool.address;
  }
}

/** Returns the felt of a text; null if the number is outside the range of transaction hashes. */
function feltOf(text: string): Felt | null {
  try {
    return toFelt(text);
  } catch (error) {
    if (error instanceof InvalidFelt) return null;
    throw error;
  }
}
