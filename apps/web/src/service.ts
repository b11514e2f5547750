import { createSottoClient, isSottoError, type SottoClient, type paths } from '@sotto/client';

/** Body of a successful response to a GET request. */
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

/** Reason why some data could not be read. */
export interface Failure {
  /** Message for the user. */
  readonly message: string;
  /** Error code in the service's response. Null if no response arrived. */
  readonly code: string | null;
}

/** A value that was read, or the reason why it could not be read. */
export type Read<T> = { readonly value: T } | { readonly failure: Failure };

/** All data of the page. Each read can fail independently. */
export interface Reading {
  readonly status: Read<SignedStatus>;
  readonly pools: Read<Pools>;
  /** Status of each pool with its anonymity sets, by the pool's address. */
  readonly crowds: ReadonlyMap<string, Read<PoolStatus>>;
  readonly fees: Read<FeeEstimate>;
  readonly at: Date;
}

/**
 * Number and maximum delay of the tries of one request. The page polls again soon, so the tries
 * need to cover only short failures.
 */
const PATIENCE = { tries: 2, maxWaitMs: 500 } as const;
/**
 * Deadline of one read of all data, in ms, for a service that accepts connections but does not
 * respond.
 */
const DEADLINE_MS = 12_000;

interface Querying {
  readonly client: SottoClient;
  /** Aborts all requests of one read. */
  readonly signal: AbortSignal;
}

/**
 * Reads all data of the page from the service at this URL. Never rejects.
 * @param deadlineMs deadline in ms, after which unfinished requests fail
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
}: Querying): Promise<readonly [Reading['pools'], Reading['crowds']]> {
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
  query: () => Promise<{ readonly data?: T; readonly error?: unknown }>,
): Promise<Read<T>> {
  try {
    const { data, error } = await query();
    if (data !== undefined) return { value: data };
    return {
      failure: isSottoError(error)
        ? { message: error.error, code: String(error.code) }
        : { message: 'another service answered', code: null },
    };
  } catch {
    return { failure: { message: 'the service does not answer', code: null } };
  }
}
