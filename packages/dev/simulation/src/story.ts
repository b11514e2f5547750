import type { Scheduler } from './scheduler.js';

/** Readable log of a run; recorded only on request. */
export class Story {
  readonly lines: string[] = [];

  constructor(
    private readonly scheduler: Scheduler,
    private readonly isRecorded: boolean,
  ) {}

  tell(text: () => string): void {
    if (!this.isRecorded) return;
    this.lines.push(`${(this.scheduler.nowMs / 1_000).toFixed(3).padStart(9)}  ${text()}`);
  }
}

/** A broken rule. */
export interface Violation {
  /** Name of the rule. */
  readonly rule: string;
  readonly detail: string;
  readonly atMs: number;
}
