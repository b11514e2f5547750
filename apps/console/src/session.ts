import { computed, signal, type Signal } from '@preact/signals';
import type { Action } from './actions.js';
import { Changes, Latest } from './latest.js';
import { STATUS_EVERY_MS, TOO_MANY, waitMs } from './polling.js';
import type {
  Service,
  AuditEntry,
  Failure,
  Lane,
  Pool,
  Read,
  Series,
  Span,
  Status,
} from './service.js';
import { Stream } from './stream.js';
import { SubmissionStore } from './submission-store.js';
import { failureSaid, titleOf, verdictSaid, type Receipt } from './words.js';

const CLOCK_MS = 1_000;
const SERIES_EVERY_MS = 30_000;

/**
 * The last value that was read, and the time of the read. The value stays when later reads fail.
 */
export interface Known<T> extends Receipt {
  readonly value: T;
}

export interface AuditPages {
  readonly entries: readonly AuditEntry[];
  readonly next: number | null;
}

/** Properties of the document that the session uses. */
export type Tab = Pick<
  Document,
  'visibilityState' | 'title' | 'addEventListener' | 'removeEventListener'
>;

/** Data of the page while the operator is signed in with one API token. */
export class Session {
  readonly status: Signal<Known<Status>>;
  /** Reason why the last read of the status failed. Null if that read succeeded. */
  readonly failure = signal<Failure | null>(null);
  readonly nowMs = signal(Date.now());
  readonly span = signal<Span>('1h');
  readonly series = signal<Series | null>(null);
  readonly seriesFailure = signal<Failure | null>(null);
  readonly auditLog = signal<AuditPages | null>(null);
  readonly auditFailure = signal<Failure | null>(null);
  /** Text about the last change, for screen readers. */
  readonly news = signal('');
  /** Action whose dialog is displayed. Null if no dialog is displayed. */
  readonly action = signal<Action | null>(null);
  readonly verdict = computed(() => verdictSaid(this.status.value.value.verdict));
  readonly submissions: SubmissionStore;
  readonly stream: Stream;
  readonly #ended = new AbortController();
  readonly #statuses = new Latest();
  readonly #spans = new Latest();
  readonly #audits = new Latest();
  readonly #lanes = new Changes<Lane>();
  readonly #pools = new Changes<Pool>();
  #rejections = 0;
  #poll: ReturnType<typeof setTimeout> | undefined;
  #seriesAtMs = 0;
  #showsSeries = false;

  constructor(
    readonly service: Service,
    first: Known<Status>,
    private readonly onRefused: (failure: Failure) => void,
    private readonly tab: Tab,
  ) {
    this.status = signal(first);
    this.submissions = new SubmissionStore(service);
    this.stream = new Stream(service, this.#ended.signal, {
      resync: () => void this.submissions.load(),
      submission: (row) => this.submissions.hear(row),
      lane: (lane) => this.hearLane(lane),
      pool: (pool) => this.hearPool(pool),
      refused: () => void this.refresh(),
    });
  }

  start(): void {
    const clock = setInterval(() => this.#tick(), CLOCK_MS);
    const wake = (): void => {
      if (this.tab.visibilityState === 'visible') void this.refresh();
    };
    this.tab.addEventListener('visibilitychange', wake);
    this.#ended.signal.addEventListener('abort', () => {
      clearInterval(clock);
      this.tab.removeEventListener('visibilitychange', wake);
      this.tab.title = titleOf(null);
    });
    this.#plan(STATUS_EVERY_MS);
    this.tab.title = titleOf(this.verdict.value);
    void this.stream.run();
  }

  end(): void {
    this.#ended.abort();
    clearTimeout(this.#poll);
  }

  /** Reads the status now and schedules the next read. */
  async refresh(): Promise<void> {
    clearTimeout(this.#poll);
    const question = this.#statuses.query();
    const marks = { lanes: this.#lanes.mark, pools: this.#pools.mark };
    const read = await this.service.status();
    if (this.#ended.signal.aborted || !this.#statuses.take(question)) return;
    if ('failure' in read) this.#fail(read.failure);
    else this.#take(read, marks);
    this.#plan(
      waitMs(this.failure.value, this.#rejections, this.tab.visibilityState === 'visible'),
    );
  }

  /**
   * Starts or stops the polling of the charts. The charts are polled only while the operator
   * displays them.
   */
  showSeries(isShown: boolean): void {
    this.#showsSeries = isShown;
    if (isShown && Date.now() - this.#seriesAtMs > SERIES_EVERY_MS) void this.#readSeries();
  }

  chooseSpan(span: Span): void {
    this.span.value = span;
    void this.#readSeries();
  }

  async readAuditLog(): Promise<void> {
    const question = this.#audits.query();
    const read = await this.service.auditLog(null);
    if (!this.#audits.take(question)) return;
    this.auditFailure.value = 'failure' in read ? read.failure : null;
    if ('value' in read) this.auditLog.value = read.value;
  }

  async readOlderAuditLog(): Promise<void> {
    const shown = this.auditLog.value;
    if (shown === null || shown.next === null) return;
    const question = this.#audits.query();
    const read = await this.service.auditLog(shown.next);
    if (!this.#audits.take(question)) return;
    this.auditFailure.value = 'failure' in read ? read.failure : null;
    if ('value' in read)
      this.auditLog.value = {
        entries: [...shown.entries, ...read.value.entries],
        next: read.value.next,
      };
  }

  /** Reads all displayed data again, because an action may have changed the data. */
  afterAction(): void {
    void this.refresh();
    // The event stream may be disconnected, so the submission in the dialog is also read again
    // directly.
    void this.submissions.readDetail();
    if (this.auditLog.value !== null) void this.readAuditLog();
  }

  async #readSeries(): Promise<void> {
    this.#seriesAtMs = Date.now();
    const question = this.#spans.query();
    const read = await this.service.series(this.span.value);
    if (!this.#spans.take(question)) return;
    this.seriesFailure.value = 'failure' in read ? read.failure : null;
    if ('value' in read) this.series.value = read.value;
  }

  #take(
    { value, servedAtMs }: Extract<Read<Status>, { readonly value: Status }>,
    marks: { readonly lanes: number; readonly pools: number },
  ): void {
    const before = this.verdict.value.text;
    const hadFailed = this.failure.value !== null;
    this.failure.value = null;
    this.#rejections = 0;
    const lanes = withRows(value.lanes, this.#lanes.since(marks.lanes), laneKey);
    const pools = withRows(value.pools, this.#pools.since(marks.pools), poolKey);
    this.status.value = { value: { ...value, lanes, pools }, receivedAtMs: Date.now(), servedAtMs };
    this.nowMs.value = Date.now();
    const said = this.verdict.value;
    if (said.text !== before || hadFailed) this.news.value = `${said.text}.`;
    this.tab.title = titleOf(said);
  }

  #fail(failure: Failure): void {
    if (failure.httpStatus === 401 || failure.httpStatus === 403) {
      this.onRefused(failure);
      return;
    }
    this.#rejections = failure.httpStatus === TOO_MANY ? this.#rejections + 1 : 0;
    if (this.failure.value === null) this.news.value = `${failureSaid(failure)}.`;
    this.failure.value = failure;
    this.tab.title = titleOf({ tone: 'care', text: 'Not known now' });
  }

  #plan(inMs: number): void {
    clearTimeout(this.#poll);
    if (!this.#ended.signal.aborted) this.#poll = setTimeout(() => void this.refresh(), inMs);
  }

  #tick(): void {
    this.nowMs.value = Date.now();
    const isDue = Date.now() - this.#seriesAtMs > SERIES_EVERY_MS;
    if (this.#showsSeries && isDue && this.tab.visibilityState === 'visible')
      void this.#readSeries();
  }

  /** Applies a lane that the stream reported. */
  hearLane(lane: Lane): void {
    this.#lanes.note(laneKey(lane), lane);
    const known = this.status.value;
    const lanes = withRows(known.value.lanes, [lane], laneKey);
    this.status.value = { ...known, value: { ...known.value, lanes } };
  }

  /** Applies a pool that the stream reported. */
  hearPool(pool: Pool): void {
    this.#pools.note(poolKey(pool), pool);
    const known = this.status.value;
    const pools = withRows(known.value.pools, [pool], poolKey);
    this.status.value = { ...known, value: { ...known.value, pools } };
  }
}

const laneKey = ({ address }: Lane): string => address;
const poolKey = ({ address }: Pool): string => address;

/** Returns the rows in their order, with each changed row in place of its old version. */
function withRows<T>(rows: readonly T[], changed: readonly T[], keyOf: (row: T) => string): T[] {
  const byKey = new Map(changed.map((row) => [keyOf(row), row]));
  return rows.map((row) => byKey.get(keyOf(row)) ?? row);
}
