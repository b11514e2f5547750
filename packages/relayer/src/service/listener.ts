/** What a process is reached by. */
export interface Listener {
  /** Rejects when it can't listen; nothing is open then. */
  open(): Promise<OpenListener>;
}

export interface OpenListener {
  /** Where it listens, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** URL of the listener whose callers all share one address; null without such a listener. */
  readonly sharedUrl: string | null;
  /** Takes no more connections; what is under way has `graceMs` to end by itself. */
  close(graceMs: number): Promise<void>;
}
