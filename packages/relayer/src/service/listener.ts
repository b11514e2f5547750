/** Network interface of a process. */
export interface Listener {
  /** Starts to listen. Rejects if it can't; nothing is open then. */
  open(): Promise<OpenListener>;
}

export interface OpenListener {
  /** Address on which it listens, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** URL of the listener whose callers all share one address; null without such a listener. */
  readonly sharedUrl: string | null;
  /** Accepts no more connections; running requests have `graceMs` to finish. */
  close(graceMs: number): Promise<void>;
}
