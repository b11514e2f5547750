import type { Reason } from '../domain/verdict.js';
import type { GetVerdict } from './get-verdict.js';

export interface CheckResult {
  readonly ok: boolean;
  /** Why not; null when it is fine. Never an error's text. */
  readonly code: string | null;
}

export interface ReadinessReport {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, CheckResult>>;
}

/** What reads and repeats of requests need. */
const SERVING = ['running', 'store_reads'] as const;

/** Whether this process can take withdrawals, and whether it can answer reads: from the verdict. */
export class Readiness {
  constructor(private readonly verdict: Pick<GetVerdict, 'execute' | 'components' | 'stop'>) {}

  /** From now on nothing is ready, whatever the verdict says. */
  stop(): void {
    this.verdict.stop();
  }

  /** Whether withdrawals can be taken. */
  report(): Promise<ReadinessReport> {
    return this.#report(['running', ...this.verdict.components]);
  }

  /** Whether reads, and repeats of what was accepted, can be answered. */
  serving(): Promise<ReadinessReport> {
    return this.#report(SERVING);
  }

  async #report(components: readonly string[]): Promise<ReadinessReport> {
    const { reasons } = await this.verdict.execute();
    const checks = Object.fromEntries(
      components.map((name) => [
        name,
        resultOf(reasons.find(({ component }) => component === name)),
      ]),
    );
    return { ready: Object.values(checks).every(({ ok }) => ok), checks };
  }
}

function resultOf(reason: Reason | undefined): CheckResult {
  if (reason === undefined) return { ok: true, code: null };
  const { because } = reason.details;
  return { ok: false, code: because === undefined ? reason.code : `${reason.code}_${because}` };
}
