/** Used part of a browser's `navigator.locks`. */
export interface WebLocks {
  request(
    name: string,
    options: { readonly signal?: AbortSignal },
    work: () => Promise<void>,
  ): Promise<unknown>;
}

/**
 * Returns the Web Locks of a browser, whose tabs share them as they share a storage. Null if there
 * are none, and in Node: its locks belong to one process, so two processes over one storage would
 * evict each other.
 */
export function platformLocks(): WebLocks | null {
  const { navigator }: { navigator?: { locks?: WebLocks; userAgent?: string } } =
    Object(globalThis);
  return navigator?.userAgent?.startsWith('Node.js/') ? null : (navigator?.locks ?? null);
}

/**
 * Acquires a lock that all tabs of a site share.
 * @returns a function that releases it; closing the tab also releases it
 * @throws the signal's reason when that aborts before the lock is acquired
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
