import { CODES_OF, type TaskName } from '@sotto/facts';
import { TaskNotFound } from '../errors.js';
import type { TaskBook } from '../ports/task-book.port.js';
import type { GetKeeperStatus, TaskStatus } from './get-keeper-status.js';

/**
 * The operator's hand on the keeper's tasks. What is decided here is durable and holds for every
 * instance, from its next look at a subject.
 */
export class ControlTasks {
  /** Codes of the route that it stands behind. */
  static readonly throws = CODES_OF.taskControl;

  constructor(
    private readonly status: Pick<GetKeeperStatus, 'execute'>,
    private readonly book: Pick<TaskBook, 'pause' | 'resume'>,
  ) {}

  /**
   * Nothing more is submitted for the task, or for the subject; what was submitted goes on.
   * @param task as it came
   * @param subject null for all of the task
   * @param reason is public
   * @throws TaskNotFound
   */
  async pause(task: string, subject: string | null, reason: string): Promise<TaskStatus> {
    const name = await this.#named(task, subject);
    await this.book.pause(name, subject, reason);
    return this.#statusOf(name);
  }

  /**
   * Ends the pause of exactly this, and lets failures up to now count no more: what has failed too
   * often is tried once more. A pause of the whole task still holds for a subject that is resumed.
   * @throws TaskNotFound
   */
  async resume(task: string, subject: string | null): Promise<TaskStatus> {
    const name = await this.#named(task, subject);
    await this.book.resume(name, subject);
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
