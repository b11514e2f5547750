import { Cached, FAILURE_FRESH_MS, DomainError, type Clock } from '@sotto/kernel';

/**
 * One thing that must work before withdrawals can be taken. Rejects, or gives the code of what is
 * wrong, when it does not.
 */
export interface ReadinessCheck {
  readonly name: string;
  run(): Promise<string | null>;
}

export interface CheckResult {
  readonly ok: boolean;
  /** Why not; null when it is fine. Never an error's text. */
  readonly code: string | null;
}

export interface ReadinessReport {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, CheckResult>>;
}

/** Longest wait for one check, below the usual time-out of probes. */
const CHECK_TIMEOUT_MS = 2_000;
/** Probes of several balancers share one look at node and store. */
const REUSE_MS = 1_000;

/** Runs all checks at once, each in limited time. */
export class Readiness {
  #stopping = false;
  readonly #results: Cached<Readonly<Record<string, CheckResult>>>;

  constructor(
    private readonly checks: readonly ReadinessCheck[],
    private readonly clock: Clock,
  ) {
    this.#results = new Cached({
      clock,
      countedFrom: 'end',
      freshMs: (results) =>
        Object.values(results).every(({ ok }) => ok) ? REUSE_MS : FAILURE_FRESH_MS,
    });
  }

  /** From now on nothing is ready, whatever the checks say. */
  stop(): void {
    this.#stopping = true;
  }

  async report(): Promise<ReadinessReport> {
    const running: CheckResult = this.#stopping
      ? { ok: false, code: 'STOPPING' }
      : { ok: true, code: null };
    const checks = { running, ...(await this.#results.get('', () => this.#runAll())) };
    return { ready: Object.values(checks).every(({ ok }) => ok), checks };
  }

  async #runAll(): Promise<Readonly<Record<string, CheckResult>>> {
    const results = await Promise.all(
      this.checks.map(async (check) => [check.name, await this.#run(check)] as const),
    );
    return Object.fromEntries(results);
  }

  async #run(check: ReadinessCheck): Promise<CheckResult> {
    const done = new AbortController();
    try {
      const code = await Promise.race([
        check.run(),
        this.clock.sleep(CHECK_TIMEOUT_MS, done.signal).then(() => 'TIMED_OUT'),
      ]);
      return { ok: code === null, code };
    } catch (error) {
      return { ok: false, code: error instanceof DomainError ? error.code : 'FAILED' };
    } finally {
      done.abort();
    }
  }
}
