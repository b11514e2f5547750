import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { createNote, Withdrawal, type Relayer } from '../../src/advanced.js';
import { FakeChain, FakePool, FakeProver, FakeRelayer } from '../../src/testing/index.js';
import { MemoryStorage } from '../support/memory-storage.js';
import { letPass, passTime } from '../support/virtual-time.js';

const RECIPIENT = '0x7cafe00000000000000000000000000000000000000000000000000000cafe';

describe('a withdrawal at a relayer that accepts `wait`', () => {
  const note = createNote();
  let chain: FakeChain;
  let fake: FakeRelayer;
  let events: string[];
  let queries: string[];

  beforeEach(() => {
    jest.useFakeTimers();
    chain = new FakeChain();
    chain.seed([createNote().commitment, createNote().commitment, note.commitment]);
    fake = new FakeRelayer(chain);
    events = [];
    queries = [];
  });
  afterEach(() => void jest.useRealTimers());

  /** Returns the relayer behind a proxy that may replace replies about the submission. */
  const behind = (proxy: (url: URL) => Response | undefined = () => undefined): Relayer => ({
    ...fake.relayer,
    fetch: async (request) => {
      const url = new URL(request.url);
      const isOfSubmission = /submissions\/submission/.test(url.pathname);
      if (isOfSubmission) queries.push(url.search);
      return (
        (isOfSubmission ? proxy(url) : undefined) ??
        fake.relayer.fetch?.(request) ??
        Response.error()
      );
    },
  });
  const withdraw = async (relayer: Relayer, signal?: AbortSignal): Promise<void> => {
    const means = {
      note,
      pool: new FakePool(chain),
      prover: new FakeProver(),
      relayers: [relayer],
      storage: new MemoryStorage(),
      locks: null,
    };
    const withdrawal = Withdrawal.begin({ ...means, recipient: RECIPIENT, maxFee: 100n });
    for await (const { type } of withdrawal.events(signal ? { signal } : {})) events.push(type);
  };

  it('the submission is queried once without a wait, and then once for each progress', async () => {
    await passTime(withdraw(behind()));
    expect(events.slice(-2)).toEqual(['included', 'settled']);
    expect(queries).toEqual(['', '?wait=20&until=preconfirmed', '?wait=20&until=accepted']);
  });

  it('the submission is queried without a wait after the relayer has rejected the parameter', async () => {
    // A balancer in front of instances of both releases: only those that get no wait accept it.
    const mixed = behind(({ search }) => {
      fake.acceptsWait = search === '';
      return undefined;
    });
    await passTime(withdraw(mixed));
    expect(events.at(-1)).toBe('settled');
    expect(queries.filter((query) => query !== '')).toHaveLength(1);
  });

  it('the submission is queried without a wait at a relayer of an earlier release', async () => {
    fake.acceptsWait = false;
    await passTime(withdraw(behind()));
    expect(events.at(-1)).toBe('settled');
    expect(queries.filter((query) => query !== '')).toEqual([]);
  });

  it('the submission is queried without a wait after a proxy has broken two waits', async () => {
    const received = {
      id: 'any',
      state: 'broadcast',
      transaction_hash: null,
      execution_status: 'UNKNOWN',
      revert_reason: null,
      finality: null,
      progress: 'received',
    };
    const relayer = behind(({ search }) => {
      chain.isReachable = queries.length >= 20;
      if (search !== '') return new Response('', { status: 504 });
      return chain.isReachable ? undefined : Response.json(received);
    });
    await passTime(withdraw(relayer));
    expect(events.at(-1)).toBe('settled');
    // The client sends each of the two queries four times.
    expect(queries.filter((query) => query !== '')).toHaveLength(8);
  });

  it('the withdrawal ends during a wait when the caller’s signal aborts', async () => {
    const leaving = new AbortController();
    const left = withdraw(behind(), leaving.signal).catch(() => undefined);
    for (let polls = 0; queries.length < 2 && polls < 600; polls += 1) await letPass(100);
    expect(queries).toHaveLength(2);
    leaving.abort();
    await letPass(1);
    await left;
    expect(events).not.toContain('included');
    expect(jest.getTimerCount()).toBe(0);
  });
});
