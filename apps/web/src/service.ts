import { createSottoClient, isSottoError, type SottoClient, type paths } from '@sotto/client';

/** The body of a good answer to a GET. */
type Answer<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } };
}
  ? Body
  : never;

export type Pools = Answer<'/api/relayer/pools'>;
export type Pool = Pools['pools'][number];
export type PoolStatus = Answer<'/api/relayer/pool-status'>;
export type FeeEstimate = Answer<'/api/relayer/fee-estimate'>;
export type SignedStatus = Answer<'/status'>;

/** Why something could not be read. */
export interface Failure {
  /** For people. */
  readonly message: string;
  /** Of the service's errors; null where the service did not answer. */
  readonly code: string | null;
}

/** What was read, or why it was not. */
export type Read<T> = { readonly value: T } | { readonly failure: Failure };

/** Everything that the page shows, each part by itself: one that fails takes no other with it. */
export interface Reading {
  readonly status: Read<SignedStatus>;
  readonly pools: Read<Pools>;
  /** By the pool's address. */
  readonly crowds: ReadonlyMap<string, Read<PoolStatus>>;
  readonly fees: Read<FeeEstimate>;
  readonly at: Date;
}

/** The page asks again soon; only a short blip is bridged before. */
const PATIENCE = { tries: 2, maxWaitMs: 500 } as const;
/** A service that takes a connection and says nothing does not answer. */
const DEADLINE_MS = 12_000;

interface Asking {
  readonly client: SottoClient;
  /** Ends every question of one reading. */
  readonly signal: AbortSignal;
}

/**
 * Asks the service at this address for all that the page shows. Never rejects.
 * @param deadlineMs what has not come by then does not come
 */
export async function readService(baseUrl: string, deadlineMs = DEADLINE_MS): Promise<Reading> {
  const client = createSottoClient({ baseUrl, ...PATIENCE });
  const signal = AbortSignal.timeout(deadlineMs);
  const [status, [pools, crowds], fees] = await Promise.all([
    read(() => client.GET('/status', { signal })),
    readPools({ client, signal }),
    read(() => client.GET('/api/relayer/fee-estimate', { signal })),
  ]);
  return { status, pools, crowds, fees, at: new Date() };
}

async function readPools({
  client,
  signal,
}: Asking): Promise<readonly [Reading['pools'], Reading['crowds']]> {
  const pools = await read(() => client.GET('/api/relayer/pools', { signal }));
  if ('failure' in pools) return [pools, new Map()];
  const crowds = pools.value.pools.map(
    async ({ address: pool }) =>
      [
        pool,
        await read(() =>
          client.GET('/api/relayer/pool-status', { params: { query: { pool } }, signal }),
        ),
      ] as const,
  );
  return [pools, new Map(await Promise.all(crowds))];
}

async function read<T>(
  ask: () => Promise<{ readonly data?: T; readonly error?: unknown }>,
): Promise<Read<T>> {
  try {
    const { data, error } = await ask();
    if (data !== undefined) return { value: data };
    return {
      failure: isSottoError(error)
        ? { message: error.error, code: String(error.code) }
        : { message: 'the answer is not this service’s', code: null },
    };
  } catch {
    return { failure: { message: 'the service does not answer', code: null } };
  }
}
