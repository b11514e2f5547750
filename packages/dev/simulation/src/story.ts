import type { Scheduler } from './scheduler.js';

/** What happened in a run, in its own words; written only when it will be read. */
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

/** Something that must not be. */
export interface Violation {
  /** Which rule; equal for the same rule. */
  readonly rule: string;
  readonly detail: string;
  readonly atMs: number;
}
