/** Declares the part of a browser's `navigator.locks` that this package uses. */
export interface WebLocks {
  request(
    name: string,
    options: { readonly signal?: AbortSignal },
    work: () => Promise<void>,
  ): Promise<unknown>;
}

/**
 * Returns the browser's Web Locks, which all tabs of a site share, like the site's storage. Returns
 * null if the platform has no Web Locks. In Node, the result is also null: Node's locks belong to
 * one process, so two processes that use one storage would evict each other.
 */
export function platformLocks(): WebLocks | null {
  const { navigator }: { navigator?: { locks?: WebLocks; userAgent?: string } } =
    Object(globalThis);
  return navigator?.userAgent?.startsWith('Node.js/') ? null : (navigator?.locks ?? null);
}

/**
 * Acquires a lock that all tabs of a site share.
 * @returns a function that releases the lock; closing the tab also releases the lock
 * @throws the signal's reason when the signal aborts before the lock is acquired
 */
export async function hold(
  locks: WebLocks,
  name: string,
  signal: AbortSignal,
): Promise<() => void> {
  return new Promise((resolve, reject) => {
    locks
      .request(name, { signal }, () => new Promise<void>((release) => resolve(release)))
      .catch(reject);
  });
}
