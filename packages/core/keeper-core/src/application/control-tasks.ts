import { CODES_OF, type TaskName } from '@sotto/facts';
import { TaskNotFound } from '../errors.js';
import type { TaskStore } from '../ports/task-store.port.js';
import type { GetKeeperStatus, TaskStatus } from './get-keeper-status.js';

/**
 * Pauses and resumes the keeper's tasks for the operator. A command is durable. Every instance
 * obeys the command from its next check of a subject on.
 */
export class ControlTasks {
  /** Error codes of the route that pauses and resumes tasks. */
  static readonly throws = CODES_OF.taskControl;

  constructor(
    private readonly status: Pick<GetKeeperStatus, 'execute'>,
    private readonly store: Pick<TaskStore, 'pause' | 'resume'>,
  ) {}

  /**
   * Stops further submissions of the task or the subject. Existing submissions continue.
   * @param task name as sent by the caller, not yet validated
   * @param subject null for the whole task
   * @param reason text for operators, which is public
   * @throws TaskNotFound
   */
  async pause(task: string, subject: string | null, reason: string): Promise<TaskStatus> {
    const name = await this.#named(task, subject);
    await this.store.pause(name, subject, reason);
    return this.#statusOf(name);
  }

  /**
   * Ends the pause of exactly this task or subject, and resets the count of failures. So a call
   * that has failed too often gets one more attempt. If a subject is resumed, a pause of the whole
   * task still applies to it.
   * @throws TaskNotFound
   */
  async resume(task: string, subject: string | null): Promise<TaskStatus> {
    const name = await this.#named(task, subject);
    await this.store.resume(name, subject);
    return this.#statusOf(name);
  }

  async #named(task: string, subject: string | null): Promise<TaskName> {
    const found = (await this.status.execute()).find((each) => each.task === task);
    if (found === undefined) throw new TaskNotFound();
    const isKnown = found.subjects.some((each) => each.subject === subject);
    if (subject !== null && !isKnown) throw new TaskNotFound();
    return found.task;
  }

  async #statusOf(name: TaskName): Promise<TaskStatus> {
    const found = (await this.status.execute()).find(({ task }) => task === name);
    if (found === undefined) throw new Error('a configured task has no status');
    return found;
  }
}
