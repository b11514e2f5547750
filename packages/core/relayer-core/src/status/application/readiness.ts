import type { Reason } from '../domain/verdict.js';
import type { GetVerdict } from './get-verdict.js';

export interface CheckResult {
  readonly ok: boolean;
  /** Code of the failure; null if the check passed. Never the text of an error. */
  readonly code: string | null;
}

export interface ReadinessReport {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, CheckResult>>;
}

/** Components that must work so that reads and repeated requests can be served. */
const SERVING = ['running', 'store_reads'] as const;

/**
 * Reports from the verdict whether this process can accept withdrawals, and whether it can serve
 * reads.
 */
export class Readiness {
  constructor(private readonly verdict: Pick<GetVerdict, 'execute' | 'components' | 'stop'>) {}

  /** Makes all later reports unready. */
  stop(): void {
    this.verdict.stop();
  }

  /** Reports whether withdrawals can be accepted. */
  report(): Promise<ReadinessReport> {
    return this.#report(['running', ...this.verdict.components]);
  }

  /** Reports whether reads, and repeats of accepted requests, can be served. */
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
