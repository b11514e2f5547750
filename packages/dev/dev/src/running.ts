/** Receives progress as sentences. */
export type Listener = (sentence: string) => void;

/** Options for stopping a stack. */
export interface StopOptions {
  /** Keeps ledger and logs for inspection. @default false */
  readonly keep?: boolean;
}

/** Running processes, which end with this process at the latest. */
export interface Running extends AsyncDisposable {
  /** Resolves, never rejects, with the name of the first process that ends unexpectedly. */
  readonly ended: Promise<string>;
  /** Stops everything, service first, and removes its files, unless `keep` is set. */
  stop(options?: StopOptions): Promise<void>;
}
