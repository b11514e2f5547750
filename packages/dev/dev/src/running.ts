/** Hears what is done, as sentences. */
export type Listener = (sentence: string) => void;

/** How a stack ends. */
export interface StopOptions {
  /** Leaves ledger and logs for inspection. @default false */
  readonly keep?: boolean;
}

/** What runs, and ends with this process at the latest. */
export interface Running extends AsyncDisposable {
  /** Resolves, never rejects, with the name of the first process that ends by itself. */
  readonly ended: Promise<string>;
  /** Ends everything, service first; what it wrote is removed, but for `keep`. */
  stop(options?: StopOptions): Promise<void>;
}
