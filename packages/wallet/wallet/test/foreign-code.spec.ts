import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import {
  createNote,
  deriveNoteKeys,
  nextNote,
  ShieldedPool,
  Withdrawal,
  type ProvingProgress,
  type WithdrawalEvent,
  type WithdrawalOptions,
} from '../src/advanced.js';
import {
  FakeChain,
  FakeNode,
  FakePool,
  FakePoolContract,
  FakeProver,
  FakeRelayer,
  FakeStorage,
  type FakeStorageFault,
} from '../src/testing/index.js';
import { letPass, passTime } from './support/virtual-time.js';

const RECIPIENT = '0x7cafe00000000000000000000000000000000000000000000000000000cafe';
const MINUTE_MS = 60_000;
/** Number of storage writes of a withdrawal, without the release of its lease. */
const WRITES = 12;
const note = createNote();
let chain: FakeChain;
let storage: FakeStorage;
let prover: FakeProver;
let relayer: FakeRelayer;

beforeEach(() => {
  jest.useFakeTimers();
  chain = new FakeChain();
  chain.seed([createNote().commitment, createNote().commitment, note.commitment]);
  storage = new FakeStorage();
  prover = new FakeProver();
  relayer = new FakeRelayer(chain);
});
afterEach(() => void jest.useRealTimers());

function begin(changes: Partial<WithdrawalOptions> = {}): Withdrawal {
  return Withdrawal.begin({
    note,
    recipient: RECIPIENT,
    maxFee: 100n,
    pool: new FakePool(chain),
    prover,
    relayers: [relayer.relayer],
    storage,
    locks: null,
    ...changes,
  });
}

async function allOf(withdrawal: Withdrawal): Promise<readonly WithdrawalEvent[]> {
  const events: WithdrawalEvent[] = [];
  for await (const event of withdrawal.events()) events.push(event);
  return events;
}

const ended = async (withdrawal = begin()) => passTime(allOf(withdrawal));

/** Asserts that a new start pays the recipient, once. */
async function expectPaidAfterRestart(): Promise<void> {
  expect((await ended()).at(-1)).toMatchObject({ type: 'settled' });
  expect(chain.paymentsTo(BigInt(RECIPIENT))).toBe(1);
}

describe('a storage', () => {
  const faults: readonly FakeStorageFault[] = [
    'rejects',
    'done-and-rejects',
    'hangs',
    'done-and-hangs',
  ];
  const calls = faults.flatMap((fault) =>
    Array.from({ length: WRITES }, (_, write) => [fault, write + 1] as const),
  );

  it.each(calls)(
    'a storage that %s at write %i ends the run with an error, and a new start pays once',
    async (fault, failing) => {
      let writes = 0;
      storage.fault = (method) => {
        if (method !== 'replace') return undefined;
        writes += 1;
        // After the fault, the storage stays out of order until the process ends.
        return writes < failing ? undefined : writes === failing ? fault : 'rejects';
      };
      await expect(ended()).rejects.toThrow(/storage (fails|does not answer)/);
      storage.fault = () => undefined;
      await expectPaidAfterRestart();
    },
  );

  it('a storage that never answers a read ends the run with STORAGE_UNAVAILABLE', async () => {
    storage.fault = (method) => (method === 'read' ? 'hangs' : undefined);
    await expect(ended()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    const unavailable = { code: 'STORAGE_UNAVAILABLE' };
    const keys = deriveNoteKeys(new Uint8Array(32).map((_, index) => index));
    const next = nextNote({ keys, pool: new FakePool(chain), storage });
    await expect(passTime(next)).rejects.toMatchObject(unavailable);
    storage.fault = () => 'hangs';
    await expect(passTime(Withdrawal.list(storage))).rejects.toMatchObject(unavailable);
    storage.fault = () => undefined;
    await expectPaidAfterRestart();
  });

  it.each<[string, string]>([
    ['no JSON', '<html>'],
    ['null', 'null'],
    ['a lease without an end', '{"format":1,"revision":1,"lease":{},"entry":{"state":"open"}}'],
    ['an entry that is a number', '{"format":1,"revision":1,"lease":null,"entry":5}'],
    ['an entry without a state', '{"format":1,"revision":1,"lease":null,"entry":{}}'],
    [
      'a revision that is a text',
      '{"format":1,"revision":"1","lease":null,"entry":{"state":"open"}}',
    ],
    ['an unknown state', '{"format":1,"revision":1,"lease":null,"entry":{"state":"done"}}'],
  ])('a storage that reads %s ends the run with JOURNAL_UNREADABLE', async (_what, text) => {
    storage.fault = (method) => (method === 'read' ? { text } : undefined);
    await expect(ended()).rejects.toMatchObject({ code: 'JOURNAL_UNREADABLE' });
    storage.fault = () => undefined;
    await expectPaidAfterRestart();
  });

  it('a storage that answers with another type ends the run with STORAGE_MALFORMED', async () => {
    const malformed = { code: 'STORAGE_MALFORMED' };
    for (const method of ['read', 'replace'] as const) {
      const broken = Object.assign(new FakeStorage(), { [method]: async () => null });
      await expect(ended(begin({ storage: broken }))).rejects.toMatchObject(malformed);
    }
  });

  it('a storage that never answers does not prevent the read of a pool', async () => {
    storage.fault = () => 'hangs';
    const node = new FakeNode();
    const contract = new FakePoolContract(node, '0xabc');
    node.mine([contract.deposit(note.commitment)]);
    const pool = await passTime(ShieldedPool.open({ node, address: '0xabc', cache: storage }));
    expect(pool.leaves).toEqual([note.commitment]);
  });
});

describe('a prover', () => {
  it.each([
    ['rejects', 'PROVING_FAILED'],
    ['malformed', 'PROVING_FAILED'],
    ['hangs', 'PROVER_SILENT'],
  ] as const)(
    'a prover with the fault "%s" ends the withdrawal with %s, and a new start pays once',
    async (fault, code) => {
      prover.fault = fault;
      expect((await ended()).at(-1)).toMatchObject({ type: 'failed', error: { code } });
      expect(relayer.requests).not.toContain('POST /api/relayer/withdraw');
      prover.fault = undefined;
      await expectPaidAfterRestart();
    },
  );

  it('a prover whose files can’t be fetched makes the withdrawal wait until they can be', async () => {
    prover.fault = 'offline';
    const events: WithdrawalEvent[] = [];
    const reading = (async () => {
      for await (const event of begin().events()) events.push(event);
    })();
    await letPass(10 * MINUTE_MS);
    expect(events.at(-1)).toMatchObject({
      type: 'waiting',
      error: { code: 'ARTEFACT_UNAVAILABLE', retry: 'same' },
    });
    expect(relayer.requests).not.toContain('POST /api/relayer/withdraw');
    // The pauses between two attempts reach 16 seconds.
    expect(relayer.requests.filter((path) => path.endsWith('/quote')).length).toBeLessThan(60);
    prover.fault = undefined;
    await passTime(reading);
    expect(events.at(-1)).toMatchObject({ type: 'settled' });
    expect(chain.paymentsTo(BigInt(RECIPIENT))).toBe(1);
  });

  it('a prover may need 20 minutes while it reports progress', async () => {
    const prove = prover.prove.bind(prover);
    prover.prove = async (request, options) => {
      for (let step = 0; step < 5; step += 1) {
        await new Promise((resolve) => setTimeout(resolve, 4 * MINUTE_MS));
        options?.onProgress?.({ step: 'proof', fraction: step / 5 });
      }
      return prove(request, options);
    };
    const posted = (async () => {
      for await (const { type } of begin().events()) if (type === 'posting') return type;
      return undefined;
    })();
    expect(await passTime(posted)).toBe('posting');
  });

  it('a prover that answers after the reader has left changes nothing', async () => {
    prover.fault = 'late';
    const reading = begin().events();
    let event = await passTime(reading.next());
    while (event.done !== true && event.value.type !== 'proving')
      event = await passTime(reading.next());
    expect(event.value).toMatchObject({ type: 'proving' });
    await passTime(reading.return());
    await letPass(MINUTE_MS);
    expect(prover.proofs).toBe(1);
    expect(relayer.requests).not.toContain('POST /api/relayer/withdraw');
    prover.fault = undefined;
    await expectPaidAfterRestart();
  });

  it('a prover that reports progress after its answer adds no event', async () => {
    const prove = prover.prove.bind(prover);
    let late: ((progress: ProvingProgress) => void) | undefined;
    prover.prove = async (request, options) => {
      late = options?.onProgress;
      return prove(request, options);
    };
    const events: WithdrawalEvent[] = [];
    const reading = (async () => {
      for await (const event of begin().events()) {
        events.push(event);
        if (event.type === 'posting') late?.({ step: 'proof', fraction: 0.5 });
      }
    })();
    await passTime(reading);
    const posted = events.findIndex(({ type }) => type === 'posting');
    expect(events.slice(posted).filter(({ type }) => type === 'proving')).toEqual([]);
  });

  it('a prover that proves another recipient makes the withdrawal fail as spent elsewhere', async () => {
    prover.fault = 'another-statement';
    expect((await ended()).at(-1)).toMatchObject({
      type: 'failed',
      error: { code: 'NOTE_SPENT_ELSEWHERE' },
    });
    expect(chain.paymentsTo(BigInt(RECIPIENT))).toBe(0);
  });
});

describe('a pool view', () => {
  it('a pool view that never answers is reported as NODE_UNREACHABLE, and does not prevent a stop', async () => {
    const pool = new FakePool(chain);
    pool.refresh = () => new Promise(() => undefined);
    const reading = begin({ pool }).events();
    const event = await passTime(reading.next());
    expect(event.value).toMatchObject({ type: 'waiting', error: { code: 'NODE_UNREACHABLE' } });
    await passTime(reading.return());
    await expectPaidAfterRestart();
  });

  it('a pool view that throws at once is read again', async () => {
    const pool = new FakePool(chain);
    const refresh = pool.refresh.bind(pool);
    let reads = 0;
    pool.refresh = (signal) => {
      reads += 1;
      if (reads < 3) throw new Error('no signal');
      return refresh(signal);
    };
    expect((await ended(begin({ pool }))).at(-1)).toMatchObject({ type: 'settled' });
  });
});
