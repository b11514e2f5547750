import type { KeeperTask, TaskGate, TaskReport } from '@sotto/keeper-core';
import { LaneNotFound } from '../../status/application/control-lanes.js';

/**
 * Combines several tasks into the task `treasury`. Each subject belongs to exactly one of these
 * tasks.
 */
export class KeepTreasury implements KeeperTask {
  readonly name = 'treasury';
  readonly kinds: readonly string[];
  /** Shortest interval of the combined tasks, in milliseconds. */
  readonly intervalMs: number;

  /** @param parts combined tasks, at least one */
  constructor(private readonly parts: readonly KeeperTask[]) {
    this.kinds = parts.flatMap(({ kinds }) => kinds);
    this.intervalMs = Math.min(...parts.map(({ intervalMs }) => intervalMs));
  }

  async subjects(): Promise<readonly string[]> {
    const subjects = await Promise.all(this.parts.map((part) => part.subjects()));
    return subjects.flat();
  }

  /**
   * @throws LaneNotFound for an unknown subject, or the error of the task to which the subject
   *   belongs
   */
  async attend(subject: string, gate: TaskGate, signal: AbortSignal): Promise<TaskReport> {
    for (const part of this.parts)
      if ((await part.subjects()).includes(subject)) return part.attend(subject, gate, signal);
    throw new LaneNotFound();
  }
}
