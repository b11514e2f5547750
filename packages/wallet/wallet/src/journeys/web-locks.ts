/** What is used of a browser's `navigator.locks`. */
export interface WebLocks {
  request(
    name: string,
    options: { readonly signal?: AbortSignal },
    work: () => Promise<void>,
  ): Promise<unknown>;
}

/**
 * The Web Locks of a browser, whose tabs share them as they share a storage; null where there are
 * none. Node's are of one process alone: two processes over one storage would drive each other out.
 */
export function platformLocks(): WebLocks | null {
  const { navigator }: { navigator?: { locks?: WebLocks; userAgent?: string } } =
    Object(globalThis);
  return navigator?.userAgent?.startsWith('Node.js/') ? null : (navigator?.locks ?? null);
}

/**
 * Holds a lock that all tabs of a site share.
 * @returns what gives it back; a closed tab does so by itself
 * @throws the signal's reason when that aborts before it is held
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
