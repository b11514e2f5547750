import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import {
  acceptQuote,
  createNote,
  MEMPOOL_LIFETIME_MS,
  Withdrawal,
  type PoolView,
  type Prover,
  type WithdrawalEvent,
  type WithdrawalOptions,
} from '../../src/advanced.js';
import { FakeChain, FakePool, FakeProver, FakeRelayer } from '../../src/testing/index.js';
import { codeOf } from '../support/code-of.js';
import { MemoryStorage } from '../support/memory-storage.js';
import { readAll } from '../support/read-all.js';
import { letPass, passTime } from '../support/virtual-time.js';

const RECIPIENT = '0x7cafe00000000000000000000000000000000000000000000000000000cafe';
const note = createNote();
let chain: FakeChain;
let storage: MemoryStorage;
let first: FakeRelayer;
let second: FakeRelayer;
let prover: FakeProver;

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
});
afterEach(() => void jest.useRealTimers());

function begin(changes: Partial<WithdrawalOptions> = {}): Withdrawal {
  return Withdrawal.begin({
    note,
    recipient: RECIPIENT,
    maxFee: 100n,
    pool: new FakePool(chain),
    prover,
    relayers: [first.relayer, second.relayer],
    storage,
    locks: null,
    ...changes,
  });
}

const eventsOf = (withdrawal: Withdrawal): Promise<readonly WithdrawalEvent[]> =>
  passTime(readAll(withdrawal.events()));

const namesOf = (events: readonly WithdrawalEvent[]): readonly string[] =>
  events.map((event) => ('error' in event ? `${event.type} ${event.error.code}` : event.type));

async function journal(): Promise<string> {
  const texts = await Promise.all((await storage.keys('')).map((key) => storage.read(key)));
  return texts.join('\n');
}

const paid = (): number => chain.paymentsTo(BigInt(RECIPIENT));

describe('a withdrawal', () => {
  it('a withdrawal runs from its proof to an accepted payment', async () => {
    const withdrawal = begin();
    const events = await eventsOf(withdrawal);
    expect(namesOf(events)).toEqual(['proving', 'posting', 'accepted', 'included', 'settled']);
    const [transaction] = chain.transactions;
    expect(events.at(-1)).toEqual({
      type: 'settled',
      transactionHash: transaction?.hash,
    });
    expect(paid()).toBe(1);
    const settled = events.slice(-1);
    expect(await eventsOf(begin())).toEqual(settled);
    const means = { note, pool: new FakePool(chain), prover, relayers: [], locks: null };
    expect(await eventsOf(await Withdrawal.resume(storage, withdrawal.id, means))).toEqual(settled);
    expect(await Withdrawal.list(storage)).toEqual([
      expect.objectContaining({
        id: withdrawal.id,
        state: 'settled',
        recipient: RECIPIENT,
        commitment: `0x${note.commitment.toString(16)}`,
      }),
    ]);
    expect(prover.proofs).toBe(1);
    expect(chain.transactions).toHaveLength(1);
  });

  it('a withdrawal stores its proof before it sends the proof to a relayer', async () => {
    const { nullifierHash } = note;
    const felt = `"0x${(nullifierHash % (1n << 128n)).toString(16)}"`;
    let kept = '';
    first.fault = (path) => {
      if (path.endsWith('/withdraw')) void journal().then((text) => (kept = text));
      return undefined;
    };
    await eventsOf(begin());
    expect(kept).toContain(felt);
    expect(await journal()).not.toContain(felt);
    expect(await journal()).toContain('"settled"');
  });

  it('a withdrawal stores neither nullifier nor secret of the note', async () => {
    const seen: string[] = [];
    first.fault = () => void journal().then((text) => seen.push(text));
    await eventsOf(begin());
    expect(seen.length).toBeGreaterThan(3);
    for (const secret of [note.nullifier, note.secret]) {
      expect(seen.join('')).not.toContain(secret.toString(16));
      expect(seen.join('')).not.toContain(String(secret));
    }
  });

  it('a withdrawal uses the accepted quote at the relayer that signed the quote', async () => {
    const quote = acceptQuote(second.quote(), {
      signerKey: second.relayer.signerKey,
      chainId: chain.chainId,
      pool: chain.pool,
      maxFee: 100n,
    });
    expect(namesOf(await eventsOf(begin({ quote })))).toContain('settled');
    expect(second.requests).not.toContain('POST /api/relayer/quote');
    expect(first.requests).toEqual(['GET /status']);
  });

  it.each<readonly [string, () => Partial<WithdrawalOptions>]>([
    ['RECIPIENT_MALFORMED', () => ({ recipient: '0x0' })],
    ['RECIPIENT_MALFORMED', () => ({ recipient: 'me' })],
    ['RECIPIENT_UNSPENDABLE', () => ({ recipient: `0x${'f'.repeat(40)}` })],
    ['QUOTE_OF_ANOTHER_RELAYER', () => ({ relayers: [second.relayer] })],
    ['FEE_ABOVE_MAXIMUM', () => ({ maxFee: 25n })],
  ])('a withdrawal does not start with invalid options: %s', async (code, changes) => {
    const quote = acceptQuote(first.quote(), {
      signerKey: first.relayer.signerKey,
      chainId: chain.chainId,
      pool: chain.pool,
      maxFee: 100n,
    });
    expect(await codeOf(() => begin({ quote, ...changes() }))).toBe(code);
  });

  it('a withdrawal needs a new quote if the fees of all relayers exceed the maximum', async () => {
    first.fee = 200n;
    second.fee = 300n;
    const withdrawal = begin();
    expect(namesOf(await eventsOf(withdrawal))).toEqual(['needs-new-quote FEE_ABOVE_MAXIMUM']);
    expect(prover.proofs).toBe(0);
    const means = {
      note,
      pool: new FakePool(chain),
      prover,
      relayers: [first.relayer],
      locks: null,
      maxFee: 250n,
    };
    const resumed = await Withdrawal.resume(storage, withdrawal.id, means);
    expect(namesOf(await eventsOf(resumed))).toContain('settled');
    expect(paid()).toBe(1);
  });

  it('a withdrawal uses a cheaper relayer if the fee of the first relayer exceeds the maximum', async () => {
    first.fee = 200n;
    const events = await eventsOf(begin());
    expect(events).toContainEqual({ type: 'posting', relayer: second.relayer.baseUrl });
    expect(namesOf(events)).toContain('settled');
  });

  it('a withdrawal fails while the batch of its note is not deployed', async () => {
    const fresh = createNote();
    expect(namesOf(await eventsOf(begin({ note: fresh })))).toEqual(['failed NOTE_NOT_DEPOSITED']);
    chain.deposit(fresh.commitment);
    await letPass(10_000);
    expect(namesOf(await eventsOf(begin({ note: fresh })))).toEqual([
      'failed NOTE_WAITS_FOR_BATCH',
    ]);
    for (const other of [1n, 2n]) chain.deposit(other);
    await letPass(10_000);
    chain.deployBatch();
    expect(namesOf(await eventsOf(begin({ note: fresh, allow: ['TOO_SOON'] })))).toContain(
      'settled',
    );
  });

  it('a withdrawal can be started again after the prover has failed', async () => {
    const failing: Prover = {
      prove: async () => {
        throw new Error('no such artefact');
      },
    };
    const [event] = await eventsOf(begin({ prover: failing }));
    expect(event).toMatchObject({
      type: 'failed',
      error: { code: 'PROVING_FAILED', cause: new Error('no such artefact') },
    });
    expect(namesOf(await eventsOf(begin()))).toContain('settled');
  });

  it('a withdrawal creates a new proof if a relayer rejects the root, the fee or the quote of its first proof', async () => {
    const refusals = [
      { code: 'ROOT_UNKNOWN', retry: 'new-proof', status: 422 },
      { code: 'FEE_TOO_LOW', retry: 'new-quote', status: 422 },
    ];
    first.fault = (path) => (path.endsWith('/withdraw') ? refusals.shift() : undefined);
    const events = await eventsOf(begin());
    expect(namesOf(events)).toContain('settled');
    expect(prover.proofs).toBe(3);
    expect(second.requests.filter((name) => name.startsWith('POST'))).toEqual([]);
    expect(paid()).toBe(1);
  });

  it('a withdrawal uses a second relayer, with a new proof, if the first relayer rejects it', async () => {
    first.fault = (path) =>
      path.endsWith('/withdraw')
        ? { code: 'PROOF_LAYOUT_INVALID', retry: 'never', status: 400 }
        : undefined;
    const events = await eventsOf(begin());
    expect(events.filter(({ type }) => type === 'posting')).toEqual([
      { type: 'posting', relayer: first.relayer.baseUrl },
      { type: 'posting', relayer: second.relayer.baseUrl },
    ]);
    expect(namesOf(events)).toContain('settled');
    expect(prover.proofs).toBe(2);
  });

  it('a withdrawal fails with the last reason if every relayer has finally rejected it', async () => {
    for (const relayer of [first, second])
      relayer.fault = (path) =>
        path.endsWith('/withdraw')
          ? { code: 'PROOF_INVALID', retry: 'new-proof', status: 422 }
          : undefined;
    const events = await eventsOf(begin());
    expect(namesOf(events).at(-1)).toBe('failed PROOF_INVALID');
    expect(prover.proofs).toBe(6);
    expect(chain.transactions).toEqual([]);
    expect(await journal()).not.toContain('"calldata":[');
  });

  it('a withdrawal fails at once if no relayer may pay its recipient', async () => {
    first.fault = (path) =>
      path.endsWith('/withdraw')
        ? { code: 'RECIPIENT_INVALID', retry: 'new-proof', status: 422 }
        : undefined;
    expect(namesOf(await eventsOf(begin())).at(-1)).toBe('failed RECIPIENT_INVALID');
    expect(second.requests.filter((name) => name.startsWith('POST'))).toEqual([]);
  });

  it('a withdrawal uses a second relayer if the first relayer has ended the submission without sending it', async () => {
    first.refuses = 'NOT_SENT_IN_TIME';
    const events = await eventsOf(begin());
    expect(namesOf(events)).toContain('settled');
    expect(events).toContainEqual({ type: 'posting', relayer: second.relayer.baseUrl });
    expect(chain.transactions).toHaveLength(1);
  });

  it('a withdrawal waits while no relayer accepts requests, and continues when a relayer accepts them again', async () => {
    first.isAccepting = false;
    second.hasCapacity = false;
    const reading = readAll(begin().events());
    await letPass(60_000);
    expect(prover.proofs).toBe(0);
    second.hasCapacity = true;
    const names = namesOf(await passTime(reading));
    expect(names[0]).toBe('waiting NO_USABLE_RELAYER');
    expect(names.at(-1)).toBe('settled');
  });

  it('a withdrawal fails if no relayer serves its pool or has the expected signer key', async () => {
    const forged = { ...first.relayer, signerKey: second.relayer.signerKey };
    expect(await eventsOf(begin({ relayers: [forged] }))).toEqual([
      {
        type: 'failed',
        error: expect.objectContaining({
          code: 'NO_RELAYER_FOR_POOL',
          relayers: [{ baseUrl: first.relayer.baseUrl, code: 'SIGNATURE_FORGED' }],
        }),
      },
    ]);
  });

  it('a withdrawal does not use a second relayer while the first relayer may still land its proof', async () => {
    first.fault = (path) => (path === '/status' || path.endsWith('/quote') ? undefined : 'lost');
    const withdrawal = begin();
    const seen: WithdrawalEvent[] = [];
    const reading = (async () => {
      for await (const event of withdrawal.events()) seen.push(event);
    })();
    await letPass(MEMPOOL_LIFETIME_MS - 20_000);
    expect(namesOf(seen).at(-1)).toBe('unknown RELAYER_UNREACHABLE');
    expect(second.requests.filter((name) => name.startsWith('POST'))).toEqual([]);
    await passTime(reading);
    expect(namesOf(seen).at(-1)).toBe('settled');
    expect(seen).toContainEqual({ type: 'posting', relayer: second.relayer.baseUrl });
    expect(prover.proofs).toBe(2);
    expect(paid()).toBe(1);
    expect(chain.transactions).toHaveLength(1);
  });

  it('a withdrawal does not use a second relayer while the wallet can’t read the chain', async () => {
    first.fault = (path) => {
      if (!path.endsWith('/withdraw')) return undefined;
      chain.isReachable = false;
      return 'lost';
    };
    const reading = readAll(begin().events());
    // From now on, the relayer is unavailable.
    await letPass(5_000);
    first.fault = () => 'lost';
    await letPass(3 * MEMPOOL_LIFETIME_MS);
    expect(second.requests.filter((name) => name.startsWith('POST'))).toEqual([]);
    chain.isReachable = true;
    expect(namesOf(await passTime(reading)).at(-1)).toBe('settled');
    expect(paid()).toBe(1);
  });

  it('a withdrawal recognises its payment on chain even if its relayer no longer responds', async () => {
    // The relayer executes requests but does not respond, except to requests for its status and
    // quotes.
    first.fault = (path) =>
      path === '/status' || path.endsWith('/quote') ? undefined : 'unanswered';
    const events = await eventsOf(begin());
    expect(events.at(-1)?.type).toBe('settled');
    expect(second.requests.filter((name) => name.startsWith('POST'))).toEqual([]);
    expect(chain.transactions).toHaveLength(1);
  });

  it("a withdrawal does not end if its note is spent but the pool's events contain no recipient", async () => {
    first.fault = (path) =>
      path === '/status' || path.endsWith('/quote') ? undefined : 'unanswered';
    const pool = new FakePool(chain, { showsRecipients: false });
    const seen: WithdrawalEvent[] = [];
    const reading = (async () => {
      for await (const event of begin({ pool }).events()) seen.push(event);
    })();
    await letPass(MEMPOOL_LIFETIME_MS);
    expect(namesOf(seen).at(-1)).toBe('unknown SPENT_BY_UNKNOWN');
    first.fault = () => undefined;
    await passTime(reading);
    expect(namesOf(seen).at(-1)).toBe('settled');
  });

  it.each([true, false])(
    'a withdrawal reports NOTE_SPENT_ELSEWHERE if a different transaction spent its note (recipients in events: %s)',
    async (showsRecipients) => {
      const theirs = chain.withdraw(note.nullifierHash, 0xbadn);
      const pool = new FakePool(chain, { showsRecipients });
      const events = await eventsOf(begin({ pool }));
      expect(events.at(-1)).toMatchObject({
        type: 'failed',
        error: { code: 'NOTE_SPENT_ELSEWHERE', retry: 'never', transactionHash: theirs.hash },
      });
      expect(paid()).toBe(0);
    },
  );

  it.each([true, false])(
    'a withdrawal fails if its note is spent before the relayer’s check (recipients in events: %s)',
    async (showsRecipients) => {
      let theirs = '';
      first.fault = (path) => {
        if (path.endsWith('/withdraw') && theirs === '')
          theirs = chain.withdraw(note.nullifierHash, 0xbadn).hash;
        return undefined;
      };
      const pool = new FakePool(chain, { showsRecipients });
      const events = await eventsOf(begin({ pool }));
      expect(events.at(-1)).toMatchObject({
        type: 'failed',
        error: { code: 'NOTE_SPENT_ELSEWHERE', transactionHash: theirs },
      });
      expect(chain.transactions).toHaveLength(1);
    },
  );

  it('a withdrawal does not trust a relayer that reports its note as spent without confirmation by the chain', async () => {
    first.fault = (path) =>
      path.endsWith('/withdraw')
        ? { code: 'NULLIFIER_SPENT', retry: 'never', status: 409 }
        : undefined;
    const events = await eventsOf(begin());
    expect(namesOf(events)).toContain('unknown SPENDING_NOT_SEEN');
    expect(events.at(-1)?.type).toBe('settled');
    expect(events).toContainEqual({ type: 'posting', relayer: second.relayer.baseUrl });
  });

  it('a withdrawal settles only after the node confirms the payment that its relayer reports', async () => {
    const pool: PoolView = new FakePool(chain);
    const refresh = pool.refresh.bind(pool);
    let isDown = true;
    pool.refresh = async (signal) => {
      if (isDown && chain.transactions.length > 0) throw new Error('the node does not answer');
      await refresh(signal);
    };
    const seen: WithdrawalEvent[] = [];
    const reading = (async () => {
      for await (const event of begin({ pool }).events()) seen.push(event);
    })();
    await letPass(3 * MEMPOOL_LIFETIME_MS);
    expect(namesOf(seen).slice(-2)).toEqual(['included', 'unknown NODE_UNREACHABLE']);
    isDown = false;
    await passTime(reading);
    expect(seen.at(-1)?.type).toBe('settled');
    expect(second.requests.filter((name) => name.startsWith('POST'))).toEqual([]);
  });

  it('only one of two tabs runs a withdrawal', async () => {
    const [here, there] = await passTime(
      Promise.all([readAll(begin().events()), readAll(begin().events())]),
    );
    expect(namesOf(here).at(-1)).toBe('settled');
    expect(namesOf(there).at(-1)).toBe('settled');
    expect([...namesOf(here), ...namesOf(there)]).toContain('waiting RUNS_ELSEWHERE');
    expect(prover.proofs).toBe(1);
    expect(first.requests.filter((name) => name === 'POST /api/relayer/withdraw')).toHaveLength(1);
    expect(paid()).toBe(1);
  });

  it('a settled withdrawal that is started again does not report a different recipient as paid', async () => {
    await eventsOf(begin());
    const [event] = await eventsOf(
      begin({ recipient: '0x7beef00000000000000000000000000000000000000000000000000000beef' }),
    );
    expect(event).toMatchObject({
      type: 'failed',
      error: { code: 'ANOTHER_RECIPIENT', transactionHash: chain.transactions[0]?.hash },
    });
  });

  it('a withdrawal that is started again pays no more than its new maximum fee', async () => {
    first.isAccepting = false;
    second.isAccepting = false;
    const before = begin().events();
    await passTime(before.next());
    await passTime(before.return());
    first.isAccepting = true;
    expect(namesOf(await eventsOf(begin({ maxFee: 20n })))).toEqual([
      'needs-new-quote FEE_ABOVE_MAXIMUM',
    ]);
    expect(prover.proofs).toBe(0);
  });

  it('a withdrawal recognises its earlier payment after the storage was cleared', async () => {
    const untilAccepted = async (): Promise<void> => {
      for await (const event of begin().events()) if (event.type === 'accepted') break;
    };
    await passTime(untilAccepted());
    await letPass(60_000);
    storage = new MemoryStorage();
    const events = await eventsOf(begin());
    expect(events).toEqual([{ type: 'settled', transactionHash: chain.transactions[0]?.hash }]);
    expect(prover.proofs).toBe(1);
  });

  it('an unfinished withdrawal never pays a different recipient', async () => {
    first.fault = (path) => (path.endsWith('/withdraw') ? 'lost' : undefined);
    const withdrawal = begin();
    const untilUnknown = async (): Promise<void> => {
      for await (const event of withdrawal.events()) if (event.type === 'unknown') break;
    };
    await passTime(untilUnknown());
    const events = await eventsOf(
      begin({ recipient: '0x7beef00000000000000000000000000000000000000000000000000000beef' }),
    );
    expect(namesOf(events)).toEqual(['failed ANOTHER_RECIPIENT']);
    first.fault = () => undefined;
    expect(namesOf(await eventsOf(begin()))).toContain('settled');
    expect(paid()).toBe(1);
  });

  it('a withdrawal that stopped with its reader continues with the next reader', async () => {
    const withdrawal = begin();
    const reading = withdrawal.events();
    expect((await passTime(reading.next())).value).toMatchObject({ type: 'proving' });
    await passTime(reading.return());
    const requests = first.requests.length;
    await letPass(60_000);
    expect(first.requests).toHaveLength(requests);
    expect(namesOf(await eventsOf(withdrawal)).at(-1)).toBe('settled');
    expect(paid()).toBe(1);
  });

  it('a withdrawal can be resumed only with its note and pool', async () => {
    const withdrawal = begin();
    await eventsOf(withdrawal);
    const means = { pool: new FakePool(chain), prover, relayers: [first.relayer], locks: null };
    const resume = (id: string, given = note): Promise<unknown> =>
      codeOf(() => Withdrawal.resume(storage, id, { ...means, note: given }));
    expect(await resume('another')).toBe('JOURNEY_UNKNOWN');
    expect(await resume(withdrawal.id, createNote())).toBe('JOURNEY_MISMATCH');
  });
});
