import type { Felts } from '@sotto/kernel';
import type { Attempt } from '../domain/rows.js';
import { noOtherInstances, type InstanceBus } from '../ports/instance-bus.port.js';
import type { ExpectedCall } from '../ports/submissions.port.js';

/** Maximum number of attempts that are remembered as accepted by this instance. */
const MAX_OWN = 10_000;

/**
 * Notifies callers that wait for an attempt, and lanes that wait for work, in this instance and in
 * all other instances. A notification contains no state: its receiver reads the row.
 */
export class SubmissionNotifier {
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #workers = new Set<(id: string | null) => void>();
  readonly #sharers = new Set<() => void>();
  readonly #takers = new Set<(attempt: Attempt, calldata: Felts) => boolean>();
  readonly #preparers = new Set<(call: ExpectedCall) => void>();
  readonly #followers = new Set<(id: string) => void>();
  readonly #elsewhere = new Set<(id: string) => void>();
  /** Attempts that this instance has accepted, so that no other instance has their calls. */
  readonly #own = new Set<string>();

  /** @param others bus to the other instances of the same store @default none */
  constructor(private readonly others: InstanceBus = noOtherInstances) {
    others.hear((hint) => {
      if (hint.kind === 'changed') {
        for (const follow of this.#elsewhere) follow(hint.id);
        this.#notify(hint.id);
      } else if (hint.kind === 'lanes') for (const share of this.#sharers) share();
      else for (const wake of this.#workers) wake(hint.id ?? null);
    });
  }

  changed(id: string): void {
    this.#notify(id);
    this.others.report({ kind: 'changed', id });
  }

  /**
   * Works like {@link changed}, for a change that does not end the attempt. Callers that wait for
   * the end need not read the row. Other instances are notified only of an attempt that they may
   * have accepted: they drop its private call.
   */
  moved(id: string): void {
    for (const follow of this.#followers) follow(id);
    if (!this.#own.has(id)) this.others.report({ kind: 'changed', id });
  }

  /**
   * Notifies the other instances that an attempt waits for a lane, since another instance may hold
   * a lane of its role.
   * @param id id of the attempt, if every instance may prepare it at once
   */
  workWaits(id?: string): void {
    this.others.report(id === undefined ? { kind: 'work' } : { kind: 'work', id });
  }

  /**
   * Registers `wake`, which is called whenever another instance reports work for a lane. `wake`
   * gets the id of an attempt that every instance may prepare, or null for unknown work.
   */
  onWork(wake: (id: string | null) => void): void {
    this.#workers.add(wake);
  }

  /** Notifies the other instances that they should read the lanes. */
  lanesChanged(): void {
    this.others.report({ kind: 'lanes' });
  }

  /** Registers `share`, which is called whenever another instance reports a change of lanes. */
  onLanesChanged(share: () => void): void {
    this.#sharers.add(share);
  }

  /** Announces a call that this instance is likely to accept. */
  expected(call: ExpectedCall): void {
    for (const prepare of this.#preparers) prepare(call);
  }

  /** Registers `prepare`, which is called with each call that this instance is likely to accept. */
  onExpected(prepare: (call: ExpectedCall) => void): void {
    this.#preparers.add(prepare);
  }

  /**
   * Announces an attempt that this instance accepted and wrote with its calldata. If this instance
   * does not prepare the attempt itself, the attempt is offered to the other instances.
   */
  accepted(attempt: Attempt, calldata: Felts): void {
    for (const oldest of this.#own) {
      if (this.#own.size < MAX_OWN) break;
      this.#own.delete(oldest);
    }
    this.#own.add(attempt.id);
    const takers = [...this.#takers].filter((take) => take(attempt, calldata));
    if (takers.length === 0) this.workWaits(attempt.id);
    for (const follow of this.#followers) follow(attempt.id);
  }

  /**
   * Registers `take`, which is called with each attempt that this instance accepts and with the
   * original `Felts` object of its call. `take` returns true if this instance prepares the attempt
   * itself at once.
   */
  onAccepted(take: (attempt: Attempt, calldata: Felts) => boolean): void {
    this.#takers.add(take);
  }

  /**
   * Registers `follow`, which is called with the id of every attempt that any instance changes or
   * that this instance accepts.
   * @returns function that unsubscribes
   */
  follow(follow: (id: string) => void): () => void {
    this.#followers.add(follow);
    return () => void this.#followers.delete(follow);
  }

  /**
   * Registers `follow`, which is called with the id of every attempt that another instance has
   * changed.
   */
  onChangedElsewhere(follow: (id: string) => void): void {
    this.#elsewhere.add(follow);
  }

  /** Resolves at the next change of the attempt `id`, or when `signal` aborts. */
  next(id: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(id) ?? new Set();
      this.#waiting.set(id, waiting);
      const wake = (): void => {
        signal.removeEventListener('abort', wake);
        waiting.delete(wake);
        if (waiting.size === 0 && this.#waiting.get(id) === waiting) this.#waiting.delete(id);
        resolve();
      };
      waiting.add(wake);
      if (signal.aborted) wake();
      else signal.addEventListener('abort', wake, { once: true });
    });
  }

  #notify(id: string): void {
    this.#wake(id);
    for (const follow of this.#followers) follow(id);
  }

  #wake(id: string): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    for (const wake of waiting ?? []) wake();
  }
}
