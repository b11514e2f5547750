import type { ReasonCode } from '@sotto/facts';
import {
  SingleFlight,
  type BackgroundTask,
  type Clock,
  type Felt,
  type LogFields,
  type Logger,
} from '@sotto/kernel';
import type { Obstacle, Reason, Verdict, VerdictPart } from '../domain/verdict.js';
import { WatchedPart } from './watched-part.js';

/**
 * Milliseconds between the end of a refresh and the start of the next. Each refresh renews the
 * store's row of this process. A migration of a newer release believes that a process has ended if
 * its row stays unchanged for three seconds, so do not increase this pause.
 */
const REFRESH_MS = 2_000;
/**
 * Age of the verdict in milliseconds from which a request starts a refresh, because the background
 * refresh is overdue.
 */
const MAX_AGE_MS = 6_000;
/**
 * Maximum age of the verdict, in milliseconds, while this process is not ready. Because of this
 * short age, the process becomes ready again as soon as the problem has ended.
 */
const UNREADY_MAX_AGE_MS = 250;

/**
 * Reasons that occur at every start: no read has completed yet, or the previous process has ended
 * but its leases have not expired.
 */
const OF_A_START: ReadonlySet<ReasonCode> = new Set([
  'LEDGER_NOT_READ',
  'LEDGER_NOT_JUDGED',
  'LANES_HELD_ELSEWHERE',
  'LANES_NOT_LOOKED_AT',
  'VERIFIERS_NOT_LOOKED_AT',
]);
/**
 * Milliseconds after the start of the process during which the reasons in {@link OF_A_START} cause
 * no warning.
 */
const START_MS = 30_000;

interface Pool {
  readonly key: string;
  readonly address: Felt;
}

/**
 * Object to which a reason applies: one pool, the whole instance, or a warning that blocks nothing.
 */
type Subject = Felt | 'instance' | 'warning';

interface Standing extends Reason {
  readonly subject: Subject;
}

/**
 * Decides whether a withdrawal can succeed now. The verdict is refreshed in the background and
 * returned from memory. A request is therefore cheap and does not wait for a hanging source.
 */
export class GetVerdict implements BackgroundTask {
  readonly name = 'verdict';
  readonly intervalMs = REFRESH_MS;
  readonly #parts: readonly WatchedPart[];
  readonly #refreshes = new SingleFlight<void>();
  #standing: readonly Standing[] = [];
  #asOf: { readonly wallMs: number; readonly monotonicMs: number } | null = null;
  #isStopping = false;
  #wasReady: boolean | null = null;
  /**
   * Reasons for which a warning was logged. The key is the reason's name, the value its {@link
   * Subject}.
   */
  readonly #warned = new Map<string, string>();

  constructor(
    parts: readonly VerdictPart[],
    private readonly pools: readonly Pool[],
    private readonly clock: Clock,
    private readonly logger: Logger,
    /**
     * Called after a refresh that found no problem of this instance, with the start time of the
     * refresh in milliseconds.
     */
    private readonly onHealthy: (beganMs: number) => void = () => undefined,
  ) {
    this.#parts = parts.map(
      (part) => new WatchedPart(part, clock, (component, error) => this.#bug(component, error)),
    );
  }

  /**
   * Names of the components that can make this process unready, in the sequence of their checks.
   */
  get components(): readonly string[] {
    return this.#parts.flatMap(({ part }) => (part.scope === 'instance' ? [part.component] : []));
  }

  /**
   * Marks the process as stopping. Every later verdict states that no withdrawal can succeed here.
   */
  stop(): void {
    this.#isStopping = true;
    this.#note();
  }

  /**
   * Returns the last verdict. If there is none or it is too old, the verdict is refreshed first.
   */
  async execute(): Promise<Verdict> {
    const maxAgeMs = this.#of('instance').length === 0 ? MAX_AGE_MS : UNREADY_MAX_AGE_MS;
    const seen = this.#asOf;
    if (seen === null || this.clock.monotonicMs() - seen.monotonicMs > maxAgeMs) await this.run();
    return this.current();
  }

  /**
   * Returns the last verdict without a refresh. Before the first refresh, the verdict has no
   * reasons and `asOfMs` is 0.
   */
  current(): Verdict {
    const reasons = this.#of('instance');
    return {
      asOfMs: this.#asOf?.wallMs ?? 0,
      reasons,
      pools: this.pools.map(({ key, address }) => {
        const own = this.#of(address);
        const canWithdraw = this.#asOf !== null && reasons.length === 0 && own.length === 0;
        return { key, address, canWithdraw, reasons: own };
      }),
      warnings: this.#of('warning'),
    };
  }

  /** Checks every part, each with a time limit. Concurrent callers share one refresh. */
  run(): Promise<void> {
    return this.#refreshes.run('', async () => {
      const beganMs = this.clock.nowMs();
      await Promise.all(this.#parts.map((part) => part.refresh()));
      this.#asOf = { wallMs: this.clock.nowMs(), monotonicMs: this.clock.monotonicMs() };
      this.#note();
      if (this.#of('instance').length === 0) this.onHealthy(beganMs);
    });
  }

  #of(subject: Subject): readonly Reason[] {
    return this.#standing.flatMap(({ subject: of, ...reason }) => (of === subject ? [reason] : []));
  }

  /** Records since when each reason applies, and logs each change once. */
  #note(): void {
    const before = new Map(this.#standing.map((standing) => [nameOf(standing), standing]));
    const nowMs = this.clock.nowMs();
    const found = new Map<string, Standing>();
    for (const reason of this.#found(nowMs)) {
      const name = nameOf(reason);
      if (found.has(name)) continue;
      found.set(name, { ...reason, sinceMs: before.get(name)?.sinceMs ?? nowMs });
    }
    this.#standing = [...found.values()];
    for (const [name, reason] of before)
      if (!found.has(name)) {
        this.logger.info(this.#fields(reason), END[kindOf(reason)]);
        this.#warned.delete(name);
      }
    for (const [name, reason] of found) {
      if (!before.has(name) && this.#isExpected(reason))
        this.logger.info(this.#fields(reason), BEGIN[kindOf(reason)]);
      const kind = kindOf(reason);
      // If a reason that was logged as a warning begins to block withdrawals, it is logged again.
      // An example is a wrong clock.
      if (this.#warned.get(name) === kind || this.#isExpected(reason)) continue;
      this.#warned.set(name, kind);
      this.logger.warn(this.#fields(reason), BEGIN[kind]);
    }
    this.#noteReadiness();
  }

  /**
   * Returns true for reasons that occur at every normal start and stop. Such reasons cause no
   * warning for a limited time.
   */
  #isExpected({ code, sinceMs }: Standing): boolean {
    if (code === 'STOPPING') return true;
    return OF_A_START.has(code) && this.clock.nowMs() - sinceMs < START_MS;
  }

  #noteReadiness(): void {
    const reasons = this.#of('instance');
    const isReady = reasons.length === 0;
    if (this.#asOf === null || isReady === this.#wasReady) return;
    this.#wasReady = isReady;
    const fields = { reasons: reasons.map(({ code }) => code).join(' ') };
    if (isReady) this.logger.info({}, 'ready');
    // Each reason of a start gets a separate warning if it remains.
    else if (reasons.every((reason) => this.#isExpected({ ...reason, subject: 'instance' })))
      this.logger.info(fields, 'not ready');
    else this.logger.warn(fields, 'not ready');
  }

  #found(sinceMs: number): readonly Standing[] {
    const stopping: readonly Standing[] = this.#isStopping
      ? [{ code: 'STOPPING', component: 'running', details: {}, sinceMs, subject: 'instance' }]
      : [];
    return [
      ...stopping,
      ...this.#parts.flatMap((watched) =>
        watched.obstacles().flatMap((obstacle) =>
          this.#subjects(watched.part, obstacle).map((subject) => ({
            code: obstacle.code,
            component: watched.part.component,
            details: obstacle.details ?? {},
            sinceMs,
            subject,
          })),
        ),
      ),
    ];
  }

  #subjects({ scope }: VerdictPart, { pool }: Obstacle): readonly Subject[] {
    if (scope === 'warning') return [scope];
    if (pool !== undefined) return [pool];
    return scope === 'instance' ? [scope] : this.pools.map(({ address }) => address);
  }

  #fields({ code, component, details, sinceMs, subject }: Standing): LogFields {
    const key = this.pools.find(({ address }) => address === subject)?.key;
    return { ...details, reason: code, component, pool: key, sinceMs };
  }

  #bug(component: string, error: unknown): void {
    const bug = error instanceof Error ? error : new Error(`a ${typeof error} was thrown`);
    this.logger.error(
      { component, error: bug },
      'a check of the verdict threw an unexpected error',
    );
  }
}

const nameOf = ({ code, component, subject }: Standing): string =>
  `${component} ${code} ${subject}`;
function kindOf({ subject, component, details }: Standing): keyof typeof BEGIN {
  if (subject !== 'warning') return 'blocked';
  if (component !== 'clock') return 'spare';
  return 'causes' in details ? 'cause' : 'clock';
}

const BEGIN = {
  spare: 'a spare is missing',
  clock: 'a clock is wrong',
  cause: 'a clock is wrong, and withdrawals are blocked because of it',
  blocked: 'withdrawals are blocked',
} as const;
const END = {
  spare: 'the spare is back',
  clock: 'the clock is right again',
  cause: 'the clock is right again',
  blocked: 'a reason that blocked withdrawals has ended',
} as const;
