import type { JourneyError } from '../journeys/journey-error.js';
import type { Journey } from '../journeys/journey.js';
import { ownError } from '../journeys/own-errors.js';

/** Error of an action that ended without its result. */
export class ActionFailed extends Error {
  override readonly name = 'ActionFailed';
  /** Error as in the event that ended the action. */
  readonly error: JourneyError;

  constructor(error: JourneyError) {
    super(error.message, error.cause === undefined ? {} : { cause: error.cause });
    this.error = error;
  }

  /** Stable code: of the service's catalogue, or one of this package (see the README). */
  get code(): string {
    return this.error.code;
  }
}

/** Deposit, withdrawal or swap that a wallet runs until it ends. */
export interface Action<Result> {
  /**
   * Result of the action. The promise rejects with {@link ActionFailed} if the action failed, needs
   * other terms or was cancelled, or if the wallet was closed. An error of the storage rejects the
   * promise unchanged. A failed action can be started again.
   */
  readonly result: Promise<Result>;
  /**
   * Cancels the action, if nothing was sent to a relayer yet.
   * @returns true if nothing was sent and nothing will be. False if the action has ended, a relayer
   *   may have its request, or another tab runs it; the action then continues.
   */
  cancel(): Promise<boolean>;
}

/** End of an action. */
export type End<Result> = { readonly result: Result } | { readonly error: JourneyError };

/** Work of an action. */
export interface Work<Event extends { readonly type: string }, Result> {
  readonly journey: Journey<Event>;
  readonly emit: (event: Event) => void;
  /** Returns the result or the error of an event that ends the journey; otherwise undefined. */
  readonly endOf: (event: Event) => Promise<End<Result> | undefined>;
  /** Stores that the journey is cancelled, unless it has sent something. */
  readonly cancel: () => Promise<boolean>;
}

/** Reads the events of a journey until it ends. */
export class RunningAction<
  Event extends { readonly type: string },
  Result,
> implements Action<Result> {
  readonly result: Promise<Result>;
  readonly #begin: () => Promise<Work<Event, Result>>;
  readonly #closed: AbortSignal;
  /** Aborts the present reading of the events, so that the journey stops. */
  #pause = new AbortController();
  /** Present reading of the events; null between two readings. */
  #reading: Promise<unknown> | null = null;
  #cancelling: Promise<boolean> | null = null;
  #work: Promise<Work<Event, Result>> | undefined;
  #isOver = false;

  /** @param begin starts the journey, and is called at once */
  constructor(begin: () => Promise<Work<Event, Result>>, closed: AbortSignal) {
    this.#begin = begin;
    this.#closed = closed;
    this.result = this.#run();
    // A caller may follow the action by events alone. Then a failure has no other reader.
    this.result.catch(() => undefined);
  }

  async cancel(): Promise<boolean> {
    if (this.#isOver) return false;
    this.#cancelling ??= this.#cancel();
    return this.#cancelling;
  }

  /** Stops the journey, and decides while it is stopped. */
  async #cancel(): Promise<boolean> {
    this.#pause.abort();
    const work = await this.#started();
    await this.#reading?.catch(() => undefined);
    return !this.#isOver && work.cancel();
  }

  async #started(): Promise<Work<Event, Result>> {
    this.#work ??= this.#begin();
    return this.#work;
  }

  async #run(): Promise<Result> {
    try {
      const work = await this.#started();
      for (;;) {
        const reading = this.#read(work);
        this.#reading = reading;
        const end = await reading;
        this.#reading = null;
        if (end !== undefined) {
          if ('result' in end) return end.result;
          throw new ActionFailed(end.error);
        }
        if (this.#closed.aborted) throw new ActionFailed(ownError('WALLET_CLOSED'));
        // The events ended early, because a cancellation stopped the journey.
        if (await this.#cancelling) throw new ActionFailed(ownError('CANCELLED'));
        this.#cancelling = null;
        this.#pause = new AbortController();
      }
    } finally {
      this.#isOver = true;
    }
  }

  async #read({ journey, emit, endOf }: Work<Event, Result>): Promise<End<Result> | undefined> {
    const signal = AbortSignal.any([this.#closed, this.#pause.signal]);
    let end: End<Result> | undefined;
    for await (const event of journey.events({ signal })) {
      emit(event);
      end = (await endOf(event)) ?? end;
    }
    return end;
  }
}
