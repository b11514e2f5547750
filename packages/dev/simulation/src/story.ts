import type { Scheduler } from './scheduler.js';

/** Readable log of a run, recorded only if a caller requests it. */
export class Story {
  readonly lines: string[] = [];

  constructor(
    private readonly scheduler: Scheduler,
    private readonly isRecorded: boolean,
  ) {}

  report(text: () => string): void {
    if (!this.isRecorded) return;
    this.lines.push(`${(this.scheduler.nowMs / 1_000).toFixed(3).padStart(9)}  ${text()}`);
  }
}

/** Violation of a rule during a run. */
export interface Violation {
  /** Name of the violated rule. */
  readonly rule: string;
  readonly detail: string;
  readonly atMs: number;
}
