import { createSottoClient, isSottoError, type SottoClient, type paths } from '@sotto/client';

/** Body of a successful response to a GET request. */
type Answer<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } };
}
  ? Body
  : never;

export type Status = Answer<'/api/operator/status'>;
export type Verdict = Status['verdict'];
export type PoolVerdict = Verdict['pools'][number];
export type Reason = Verdict['reasons'][number];
export type Lane = Status['lanes'][number];
export type Pool = Status['pools'][number];
export type Gate = Pool['withdrawals'];
export type Task = Status['keeper']['tasks'][number];
export type Node = Status['nodes'][number];
export type SubmissionPage = Answer<'/api/operator/submissions'>;
export type Submission = SubmissionPage['submissions'][number];
export type SubmissionDetail = Answer<'/api/operator/submissions/{id}'>;
export type AuditLog = Answer<'/api/operator/audit-log'>;
export type AuditEntry = AuditLog['entries'][number];
export type Series = Answer<'/api/operator/series'>;
export type Span = Series['window'];

type ListQuery = NonNullable<paths['/api/operator/submissions']['get']['parameters']['query']>;
/** Filter of the list of submissions. */
export type Filter = Omit<ListQuery, 'after' | 'limit'>;

export const SPANS = ['1h', '6h', '24h', '7d'] as const satisfies readonly Span[];
export const STATES = [
  'accepted',
  'broadcast',
  'succeeded',
  'reverted',
  'refused',
  'expired',
] as const satisfies readonly Submission['state'][];

/** Reason why a request failed. */
export interface Failure {
  /** Message for the operator. */
  readonly message: string;
  /** Error code in the service's response. Null if no response arrived. */
  readonly code: string | null;
  readonly httpStatus: number | null;
  /**
   * Delay before a retry that the service requires, in ms. Null if the response states no delay.
   */
  readonly retryAfterMs: number | null;
}

/** A value that was read, or the reason why it could not be read. */
export type Read<T> =
  | {
      readonly value: T;
      /**
       * Time of the response by the service's clock, in ms. Null if the response does not contain
       * it.
       */
      readonly servedAtMs: number | null;
    }
  | { readonly failure: Failure };

export type PauseTarget =
  | { readonly kind: 'pool'; readonly name: string }
  | { readonly kind: 'lane'; readonly name: string }
  | { readonly kind: 'task'; readonly name: Task['task']; readonly subject: string | null };

/** Timeout in ms for a service that accepts connections but does not respond. */
const DEADLINE_MS = 12_000;
/** Timeout in ms for an export of all stored submissions. */
const EXPORT_DEADLINE_MS = 300_000;

/**
 * Client of the operator's routes with one API token, which is stored only in memory. Methods that
 * return a `Read` never reject.
 */
export class Service {
  readonly #client: SottoClient;
  readonly #authorization: string;

  constructor(
    private readonly baseUrl: string,
    token: string,
    private readonly deadlineMs = DEADLINE_MS,
  ) {
    // The client does not retry. For reads, the page polls again. Actions must not be repeated
    // without the operator's knowledge.
    this.#client = createSottoClient({ baseUrl, tries: 1 });
    this.#authorization = `Bearer ${token}`;
  }

  status(): Promise<Read<Status>> {
    return read(() => this.#client.GET('/api/operator/status', this.#with()));
  }

  submissions(query: ListQuery): Promise<Read<SubmissionPage>> {
    return read(() =>
      this.#client.GET('/api/operator/submissions', { params: { query }, ...this.#with() }),
    );
  }

  search(text: string): Promise<Read<{ readonly submissions: readonly Submission[] }>> {
    return read(() =>
      this.#client.POST('/api/operator/submissions/search', { body: { text }, ...this.#with() }),
    );
  }

  submission(id: string): Promise<Read<SubmissionDetail>> {
    const params = { path: { id } };
    return read(() =>
      this.#client.GET('/api/operator/submissions/{id}', { params, ...this.#with() }),
    );
  }

  auditLog(after: number | null): Promise<Read<AuditLog>> {
    const query = after === null ? {} : { after: String(after) };
    return read(() =>
      this.#client.GET('/api/operator/audit-log', { params: { query }, ...this.#with() }),
    );
  }

  series(window: Span): Promise<Read<Series>> {
    return read(() =>
      this.#client.GET('/api/operator/series', { params: { query: { window } }, ...this.#with() }),
    );
  }

  retry(id: string, reason: string): Promise<Read<Submission>> {
    const request = { params: { path: { id } }, body: { reason }, ...this.#with() };
    return read(() => this.#client.POST('/api/operator/submissions/{id}/retry', request));
  }

  cancel(id: string, reason: string): Promise<Read<Submission>> {
    const request = { params: { path: { id } }, body: { reason }, ...this.#with() };
    return read(() => this.#client.POST('/api/operator/submissions/{id}/cancel', request));
  }

  pausePool(pool: string, reason: string): Promise<Read<Pool>> {
    const request = { params: { path: { pool } }, body: { reason }, ...this.#with() };
    return read(() => this.#client.POST('/api/operator/pools/{pool}/pause', request));
  }

  resumePool(pool: string, reason: string): Promise<Read<Pool>> {
    const request = { params: { path: { pool } }, body: { reason }, ...this.#with() };
    return read(() => this.#client.POST('/api/operator/pools/{pool}/resume', request));
  }

  pauseLane(lane: string, reason: string): Promise<Read<Lane>> {
    const request = { params: { path: { lane } }, body: { reason }, ...this.#with() };
    return read(() => this.#client.POST('/api/operator/lanes/{lane}/pause', request));
  }

  resumeLane(lane: string, reason: string): Promise<Read<Lane>> {
    const request = { params: { path: { lane } }, body: { reason }, ...this.#with() };
    return read(() => this.#client.POST('/api/operator/lanes/{lane}/resume', request));
  }

  pauseTask(task: Task['task'], subject: string | null, reason: string): Promise<Read<Task>> {
    const body = subject === null ? { reason } : { reason, subject };
    const request = { params: { path: { task } }, body, ...this.#with() };
    return read(() => this.#client.POST('/api/operator/tasks/{task}/pause', request));
  }

  resumeTask(task: Task['task'], subject: string | null, reason: string): Promise<Read<Task>> {
    const body = subject === null ? { reason } : { reason, subject };
    const request = { params: { path: { task } }, body, ...this.#with() };
    return read(() => this.#client.POST('/api/operator/tasks/{task}/resume', request));
  }

  /**
   * Opens the stream of changes. `EventSource` is not used, because it can't send the API token.
   * @throws Error if no response arrives in time; the duration of the stream is not limited
   */
  async events(signal: AbortSignal): Promise<Response> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.deadlineMs);
    try {
      return await fetch(`${this.baseUrl}/api/operator/events`, {
        headers: { authorization: this.#authorization, accept: 'text/event-stream' },
        cache: 'no-store',
        signal: AbortSignal.any([signal, late.signal]),
      });
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Exports all matching submissions as CSV. A link is not used, because it can't send the API
   * token.
   */
  async csv(filter: Filter): Promise<Read<Blob>> {
    const query = new URLSearchParams(Object.entries(filter));
    try {
      const answer = await fetch(`${this.baseUrl}/api/operator/submissions.csv?${query}`, {
        headers: { authorization: this.#authorization },
        cache: 'no-store',
        signal: AbortSignal.timeout(EXPORT_DEADLINE_MS),
      });
      if (!answer.ok) return { failure: failureOf(await answer.json(), answer) };
      return { value: await answer.blob(), servedAtMs: servedAtMsOf(answer) };
    } catch {
      return { failure: { ...UNREACHABLE, message: 'the export was interrupted' } };
    }
  }

  #with() {
    return {
      headers: { authorization: this.#authorization },
      signal: AbortSignal.timeout(this.deadlineMs),
    };
  }
}

const UNREACHABLE: Failure = {
  message: 'the service does not answer',
  code: null,
  httpStatus: null,
  retryAfterMs: null,
};

function failureOf(error: unknown, { status: httpStatus, headers }: Response): Failure {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  const rest = { httpStatus, retryAfterMs: Number.isFinite(seconds) ? seconds * 1_000 : null };
  return isSottoError(error)
    ? { message: error.error, code: String(error.code), ...rest }
    : { message: 'another service answered', code: null, ...rest };
}

function servedAtMsOf({ headers }: Response): number | null {
  const at = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(at) ? null : at;
}

async function read<T>(
  query: () => Promise<{
    readonly data?: T;
    readonly error?: unknown;
    readonly response: Response;
  }>,
): Promise<Read<T>> {
  try {
    const { data, error, response } = await query();
    return data === undefined
      ? { failure: failureOf(error, response) }
      : { value: data, servedAtMs: servedAtMsOf(response) };
  } catch {
    return { failure: UNREACHABLE };
  }
}
