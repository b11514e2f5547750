/** Network interface of a process. */
export interface Listener {
  /** Starts to listen. If the port can't be opened, the call rejects and leaves no port in use. */
  open(): Promise<OpenListener>;
}

export interface OpenListener {
  /** Address on which the server listens, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** URL of the listener whose callers all share one address; null without such a listener. */
  readonly sharedUrl: string | null;
  /** Accepts no more connections. Requests in flight have `graceMs` milliseconds to finish. */
  close(graceMs: number): Promise<void>;
}
