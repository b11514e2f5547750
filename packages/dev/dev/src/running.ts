/** Function that receives progress messages, each of which is a sentence. */
export type Listener = (sentence: string) => void;

/** Options of `stop`. */
export interface StopOptions {
  /** True to keep ledger and logs for inspection. @default false */
  readonly keep?: boolean;
}

/** Running processes, which always end when this process ends. */
export interface Running extends AsyncDisposable {
  /**
   * Promise that never rejects, and that resolves with the name of the first process that ends
   * unexpectedly.
   */
  readonly ended: Promise<string>;
  /** Stops all processes, the service first, and removes their files unless `keep` is true. */
  stop(options?: StopOptions): Promise<void>;
}
