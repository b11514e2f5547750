import type { Fault, FaultDetails } from '@sotto/kernel';
import type { Evidence } from './evidence.js';
import type { Rung } from './rung.js';

/** How one rung of a dry run stands. */
export interface RungReport {
  readonly rung: string;
  /** The code of its refusal, whether it refused or not. */
  readonly code: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** Why it failed, or the code of what kept it from being judged. */
  readonly detail?: string;
  readonly details?: FaultDetails;
}

/** Rungs in the order in which they are reported. */
export class Ladder {
  constructor(private readonly rungs: readonly Rung[]) {}

  /** Of the first rung that fails or can't be judged; rungs whose facts nobody has looked for yet are passed over. Null when none refuses. */
  refusal(evidence: Evidence): Fault | null {
    for (const rung of this.rungs) {
      const verdict = rung.judge(evidence);
      if (verdict.status === 'failed') return verdict.fault;
      if (verdict.status === 'skipped' && verdict.because !== null) return verdict.because;
    }
    return null;
  }

  /** @throws the {@link refusal}, if there is one. */
  refuse(evidence: Evidence): void {
    const refusal = this.refusal(evidence);
    if (refusal !== null) throw refusal;
  }

  /** Throws as {@link refuse} does, and a plain error when a rung was left out: nothing goes on unless every rung has passed. */
  admit(evidence: Evidence): void {
    this.refuse(evidence);
    const left = this.rungs.filter((rung) => rung.judge(evidence).status !== 'passed');
    if (left.length > 0) throw new Error(`rungs left out of an admission: ${left.map(({ name }) => name).join(', ')}`);
  }

  report(evidence: Evidence): readonly RungReport[] {
    return this.rungs.map((rung) => {
      const verdict = rung.judge(evidence);
      const { name, code } = rung;
      switch (verdict.status) {
        case 'passed':
          return { rung: name, code, status: 'passed' };
        case 'failed': {
          const { fault } = verdict;
          return { rung: name, code: fault.code, status: 'failed', detail: fault.message, details: fault.details };
        }
        case 'skipped':
          return { rung: name, code, status: 'skipped', ...(verdict.because === null ? {} : { detail: verdict.because.code }) };
      }
    });
  }
}
