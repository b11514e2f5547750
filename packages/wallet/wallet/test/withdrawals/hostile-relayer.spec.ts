import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import {
  createNote,
  MEMPOOL_LIFETIME_MS,
  RELAYER_PATIENCE_MS,
  Withdrawal,
  type Relayer,
  type WithdrawalEvent,
} from '../../src/advanced.js';
import { FakeChain, FakePool, FakeProver, FakeRelayer } from '../../src/testing/index.js';
import { MemoryStorage } from '../support/memory-storage.js';
import { letPass, passTime } from '../support/virtual-time.js';

const RECIPIENT = '0x7cafe00000000000000000000000000000000000000000000000000000cafe';
const note = createNote();
let chain: FakeChain;
let storage: MemoryStorage;
let first: FakeRelayer;
let second: FakeRelayer;
let prover: FakeProver;
let seen: WithdrawalEvent[];

beforeEach(() => {
  jest.useFakeTimers();
  chain = new FakeChain();
  chain.seed([createNote().commitment, note.commitment, createNote().commitment]);
  storage = new MemoryStorage();
  first = new FakeRelayer(chain);
  second = new FakeRelayer(chain, {
    baseUrl: 'https://second.example',
    privateKey: '0x222',
    feeAddress: '0xfee2',
  });
  prover = new FakeProver();
  seen = [];
});
afterEach(() => void jest.useRealTimers());

type Answer = (path: string, pass: () => Promise<Response>) => Response | Promise<Response>;

/** Returns the first relayer, with replaced responses about submissions. */
function lying(answer: Answer): Relayer {
  const { relayer } = first;
  return {
    ...relayer,
    fetch: async (request) => {
      const pass = async (): Promise<Response> => relayer.fetch?.(request) ?? Response.error();
      const { pathname } = new URL(request.url);
      const isHonest = pathname === '/status' || pathname.endsWith('/quote');
      return isHonest ? pass() : answer(pathname, pass);
    },
  };
}

async function withdraw(relayers: readonly Relayer[], signal?: AbortSignal): Promise<void> {
  const pool = new FakePool(chain);
  const means = { note, pool, prover, relayers, storage, locks: null };
  const withdrawal = Withdrawal.begin({ ...means, recipient: RECIPIENT, maxFee: 100n });
  const options = signal === undefined ? {} : { signal };
  for await (const event of withdrawal.events(options)) seen.push(event);
}

const names = (): readonly string[] =>
  seen.map((event) => ('error' in event ? `${event.type} ${event.error.code}` : event.type));

const LOCATION = '/api/relayer/submissions/abc';
const submission = (fields: object, headers: Readonly<Record<string, string>> = {}): Response =>
  Response.json(
    { id: 'abc', state: 'broadcast', transaction_hash: '0xbad', revert_reason: null, ...fields },
    { headers },
  );
const taken = (): Response =>
  Response.json(
    { transaction_hash: '0xbad', execution_status: 'UNKNOWN', revert_reason: null },
    { status: 202, headers: { location: LOCATION } },
  );
const failure = (status: number, code: string): Response =>
  Response.json({ error: code, code, retry: 'never', requestId: 'r' }, { status });

const succeeded = { execution_status: 'SUCCEEDED', finality: 'ACCEPTED_ON_L2' };

describe('a relayer that lies', () => {
  /**
   * Names and responses of relayers that accept every proof, send no transaction, and never report
   * an outcome.
   */
  const never: readonly (readonly [string, Answer])[] = [
    [
      'by reporting it as in flight',
      () => submission({ execution_status: 'UNKNOWN', finality: null }, { 'retry-after': '1' }),
    ],
    [
      'by reporting it as pre-confirmed',
      () => submission({ ...succeeded, finality: 'PRE_CONFIRMED' }, { 'retry-after': '0' }),
    ],
    [
      'by an unknown finality',
      () => submission({ ...succeeded, finality: 'SOON' }, { 'retry-after': '999999' }),
    ],
    [
      'by offering waits that end at once',
      () =>
        submission(
          { execution_status: 'UNKNOWN', finality: null, progress: 'received' },
          { 'retry-after': '0' },
        ),
    ],
    ['by losing it', () => failure(404, 'SUBMISSION_NOT_FOUND')],
    ['by an HTML page', () => new Response('<html>')],
    ['by an empty object', () => Response.json({})],
    ['by null', () => Response.json(null)],
  ];

  it.each(never)('a lying relayer can’t block a note for ever %s', async (_what, answer) => {
    let asked = 0;
    const relayer = lying((path) => {
      asked += 1;
      if (path.endsWith('/lookup')) return failure(404, 'WITHDRAWAL_NOT_FOUND');
      return path.endsWith('/withdraw') ? taken() : answer(path, async () => Response.error());
    });
    await passTime(withdraw([relayer, second.relayer]), 2 * RELAYER_PATIENCE_MS);
    expect(names().at(-1)).toBe('settled');
    expect(chain.paymentsTo(BigInt(RECIPIENT))).toBe(1);
    expect(chain.transactions).toHaveLength(1);
    // The wallet sends at most about one request per second, regardless of the responses.
    expect(asked).toBeLessThan(RELAYER_PATIENCE_MS / 900);
  });

  it('a withdrawal settles even if its relayer never reports the outcome', async () => {
    let sends = false;
    const relayer = lying(async (path, pass) => {
      if (!path.endsWith('/withdraw') && !path.endsWith('/lookup'))
        return submission({ execution_status: 'UNKNOWN', finality: null });
      if (sends) await pass();
      return taken();
    });
    const reading = withdraw([relayer]);
    await letPass(RELAYER_PATIENCE_MS + 60_000);
    expect(names()).toContain('unknown RELAYER_TOO_SLOW');
    sends = true;
    chain.withdraw(note.nullifierHash, BigInt(RECIPIENT));
    await passTime(reading);
    expect(seen.at(-1)).toEqual({
      type: 'settled',
      transactionHash: chain.transactions[0]?.hash,
    });
  });

  it.each([
    ['hours later', 2 * RELAYER_PATIENCE_MS],
    ['by a clock that was set back', -10 * RELAYER_PATIENCE_MS],
  ])(
    'a withdrawal waits for its relayer for the full time after the user resumed the withdrawal %s',
    async (_what, laterMs) => {
      let isThere = false;
      let asked = 0;
      const relayer = lying((path) => {
        if (!isThere) throw new TypeError('fetch failed');
        if (path.endsWith('/lookup')) return failure(404, 'WITHDRAWAL_NOT_FOUND');
        if (path.endsWith('/withdraw')) return taken();
        asked += 1;
        if (asked === 30) chain.withdraw(note.nullifierHash, BigInt(RECIPIENT));
        return submission({ execution_status: 'UNKNOWN', finality: null }, { 'retry-after': '1' });
      });
      const leaving = new AbortController();
      const left = withdraw([relayer], leaving.signal);
      await letPass(10_000);
      leaving.abort();
      await passTime(left.catch(() => undefined));
      isThere = true;
      jest.setSystemTime(Date.now() + laterMs);
      await passTime(withdraw([relayer, second.relayer]));
      expect(names().at(-1)).toBe('settled');
      expect(names()).not.toContain('unknown RELAYER_TOO_SLOW');
      expect(second.requests.filter((request) => request.endsWith('/withdraw'))).toEqual([]);
    },
  );

  it.each([
    ['sleeps for hours', 2 * RELAYER_PATIENCE_MS],
    ['sets its clock back', -10 * RELAYER_PATIENCE_MS],
  ])(
    'a withdrawal waits for its relayer for exactly the full time if the machine %s',
    async (_what, movedMs) => {
      const answer = { execution_status: 'UNKNOWN', finality: null };
      const relayer = lying((path) =>
        path.endsWith('/withdraw') ? taken() : submission(answer, { 'retry-after': '1' }),
      );
      const leaving = new AbortController();
      const reading = withdraw([relayer], leaving.signal);
      await letPass(10_000);
      jest.setSystemTime(Date.now() + movedMs);
      await letPass(MEMPOOL_LIFETIME_MS / 2);
      expect(names()).not.toContain('unknown RELAYER_TOO_SLOW');
      await letPass(RELAYER_PATIENCE_MS);
      expect(names()).toContain('unknown RELAYER_TOO_SLOW');
      leaving.abort();
      await passTime(reading.catch(() => undefined));
    },
  );

  it.each([
    ['of this withdrawal', '0xbad'],
    ['with a malformed hash', 'paid!'],
  ])(
    'does not trust a relayer’s report of a payment %s before the chain confirms it',
    async (_what, hash) => {
      const relayer = lying((path) =>
        path.endsWith('/withdraw') ? taken() : submission({ ...succeeded, transaction_hash: hash }),
      );
      await passTime(withdraw([relayer, second.relayer]));
      expect(names().at(-1)).toBe('settled');
      expect(seen.at(-1)).toMatchObject({ transactionHash: chain.transactions[0]?.hash });
      expect(chain.paymentsTo(BigInt(RECIPIENT))).toBe(1);
    },
  );

  it('a withdrawal reads its success from the chain if its relayer reports it as reverted', async () => {
    const relayer = lying(async (path, pass) => {
      if (path.endsWith('/withdraw')) return pass();
      await letPassed(20_000);
      return submission({ execution_status: 'REVERTED', finality: 'ACCEPTED_ON_L2' });
    });
    await passTime(withdraw([relayer]));
    expect(names()).not.toContain('failed TRANSACTION_REVERTED');
    expect(seen.at(-1)).toEqual({
      type: 'settled',
      transactionHash: chain.transactions[0]?.hash,
    });
  });

  it('a withdrawal uses a second relayer if its relayer reports a revert that is not on chain', async () => {
    const relayer = lying((path) =>
      path.endsWith('/withdraw')
        ? taken()
        : submission({ execution_status: 'REVERTED', finality: 'ACCEPTED_ON_L2' }),
    );
    await passTime(withdraw([relayer, second.relayer]));
    expect(names().at(-1)).toBe('settled');
    seen = [];
    storage = new MemoryStorage();
    chain = new FakeChain();
    chain.seed([note.commitment, 1n, 2n]);
    await passTime(withdraw([relayer]));
    expect(names().at(-1)).toBe('failed TRANSACTION_REVERTED');
  });

  it('a withdrawal shortens long error texts of a relayer before it stores or reports them', async () => {
    const relayer = lying(() =>
      Response.json(
        { error: 'x'.repeat(100_000), code: 'PROOF_INVALID', retry: 'never', requestId: 'r' },
        { status: 422 },
      ),
    );
    await passTime(withdraw([relayer]));
    expect(JSON.stringify(seen).length).toBeLessThan(2_000);
  });

  it.each([null, 'quote', { signature: 7 }, []])(
    'dismisses a relayer that returns the quote %j',
    async (body) => {
      const { relayer } = first;
      const forging: Relayer = {
        ...relayer,
        fetch: async (request) =>
          request.url.endsWith('/quote')
            ? Response.json(body)
            : (relayer.fetch?.(request) ?? Response.error()),
      };
      await passTime(withdraw([forging, second.relayer]));
      expect(names().at(-1)).toBe('settled');
    },
  );

  it('a withdrawal uses a second relayer even if the first relayer’s fetch ignores the abort signal', async () => {
    const hangs: Relayer = {
      ...first.relayer,
      fetch: (request) =>
        new URL(request.url).pathname === '/status'
          ? (first.relayer.fetch?.(request) ?? Promise.reject(new Error('no fetch')))
          : new Promise(() => undefined),
    };
    await passTime(withdraw([hangs, second.relayer]));
    expect(names().at(-1)).toBe('settled');
  });
});

it('a withdrawal stores at most ten proofs, even if a relayer rejects them for hours', async () => {
  first.refuses = 'NOT_SENT_IN_TIME';
  const reading = withdraw([first.relayer]);
  await letPass(6 * 3_600_000);
  expect(prover.proofs).toBeGreaterThan(12);
  const [key = ''] = await storage.keys('sotto/withdrawal/');
  expect((await storage.read(key))?.match(/"calldata":\[/g)?.length).toBeLessThan(11);
  first.refuses = null;
  await passTime(reading, 2 * 3_600_000);
  expect(names().at(-1)).toBe('settled');
});

it('a withdrawal does not fail while its relayer may still land an earlier proof', async () => {
  first.fault = (path) =>
    path === '/status' || path.endsWith('/quote') ? undefined : 'unanswered';
  const makes = prover.prove.bind(prover);
  const include = chain.withdraw.bind(chain);
  let sent: (() => void) | undefined;
  chain.withdraw = (nullifierHash, recipient) => {
    sent = () => void include(nullifierHash, recipient);
    return { hash: '0x5', isReverted: false, includedAtMs: Infinity, acceptedAtMs: Infinity };
  };
  prover.prove = async (request, options) => {
    if (prover.proofs > 0) throw new Error('the worker has died');
    return makes(request, options);
  };
  const reading = withdraw([first.relayer, second.relayer]);
  await letPass(600_000);
  expect(names().at(-1)).toBe('unknown PROVING_FAILED');
  sent?.();
  await passTime(reading);
  expect(names().at(-1)).toBe('settled');
});

/** Advances time without running pending work first. */
async function letPassed(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}
