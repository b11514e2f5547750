import { signal } from '@preact/signals';
import { readEvents } from './events.js';
import type { Lane, Pool, Service, Submission } from './service.js';

const FIRST_WAIT_MS = 3_000;
const LONGEST_WAIT_MS = 30_000;

export type StreamState = 'connecting' | 'live' | 'away';

export interface StreamListener {
  /** Called if the stream may have lost changes, so that the page must read its data again. */
  readonly resync: () => void;
  readonly submission: (row: Submission) => void;
  readonly lane: (lane: Lane) => void;
  readonly pool: (pool: Pool) => void;
  /** Called if the service rejects the stream, for example because the API token was revoked. */
  readonly refused: () => void;
}

/** Reads the event stream of changes. Reconnects when the connection breaks. */
export class Stream {
  readonly state = signal<StreamState>('connecting');

  constructor(
    private readonly service: Pick<Service, 'events'>,
    private readonly ended: AbortSignal,
    private readonly listener: StreamListener,
    private readonly firstWaitMs = FIRST_WAIT_MS,
  ) {}

  /** Reads the stream until the session ends. */
  async run(): Promise<void> {
    let failures = 0;
    while (!this.ended.aborted) {
      const wasLive = await this.#follow();
      if (this.ended.aborted) return;
      this.state.value = 'away';
      failures = wasLive ? 0 : failures + 1;
      await pause(Math.min(LONGEST_WAIT_MS, this.firstWaitMs * 2 ** failures), this.ended);
    }
  }

  /**
   * Opens the stream and reads it until the connection breaks. Returns true if the connection was
   * established.
   */
  async #follow(): Promise<boolean> {
    try {
      const { ok, body } = await this.service.events(this.ended);
      if (!ok || body === null) {
        this.listener.refused();
        return false;
      }
      this.state.value = 'live';
      await readEvents(body, (name, data) => {
        if (!this.ended.aborted) this.#hear(name, data);
      });
    } catch {
      // The state shows the stream as disconnected; it is opened again.
    }
    return this.state.value === 'live';
  }

  #hear(name: string, data: string): void {
    const { resync, submission, lane, pool } = this.listener;
    // CAST: the service's definition fixes the type of each event.
    /* oxlint-disable typescript/no-unsafe-type-assertion */
    if (name === 'resync') resync();
    else if (name === 'submission') submission(JSON.parse(data) as Submission);
    else if (name === 'lane') lane(JSON.parse(data) as Lane);
    else if (name === 'pool') pool(JSON.parse(data) as Pool);
    /* oxlint-enable typescript/no-unsafe-type-assertion */
  }
}

/** Waits for this time in ms. Resolves early when the session ends. */
function pause(ms: number, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    ended.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
