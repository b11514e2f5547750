import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import {
  deriveNoteKeys,
  PrivateSwap,
  Withdrawal,
  type PrivateSwapEvent,
  type PrivateSwapOptions,
} from '../../src/advanced.js';
import { FakePool } from '../../src/testing/index.js';
import { codeOf } from '../support/code-of.js';
import { readAll } from '../support/read-all.js';
import { RECIPIENT, SwapWorld } from '../support/swap-world.js';
import { letPass, passTime } from '../support/virtual-time.js';

let world: SwapWorld;
beforeEach(() => {
  jest.useFakeTimers();
  world = new SwapWorld();
});
afterEach(() => void jest.useRealTimers());

const eventsOf = async (swap: PrivateSwap): Promise<readonly PrivateSwapEvent[]> =>
  passTime(readAll(swap.events()));

const namesOf = (events: readonly PrivateSwapEvent[]): readonly string[] =>
  events.map((event) => {
    if (event.type === 'withdrawing' || event.type === 'rescuing')
      return `${event.type}: ${event.event.type}`;
    return 'error' in event ? `${event.type} ${event.error.code}` : event.type;
  });

/** Reads events until the event with this name arrives, then stops reading. */
async function leaveAt(name: string, swap: PrivateSwap): Promise<void> {
  const reading = async (): Promise<void> => {
    for await (const event of swap.events()) if (namesOf([event])[0] === name) return;
    throw new Error(`it has ended before ${name}`);
  };
  await passTime(reading());
}

const refusing = (status: number, code: string, retry: string) => (path: string) =>
  path.endsWith('/private-swap') ? { status, code, retry } : undefined;

const unheard = (path: string) => (path.endsWith('/private-swap') ? 'lost' : undefined);

const silent = (path: string) =>
  path.endsWith('/private-swap') || path.includes('/submissions/') ? 'lost' : undefined;

describe('a private swap', () => {
  it('a private swap runs from its proof to the withdrawal of the new note', async () => {
    const swap = world.begin();
    const events = await eventsOf(swap);
    expect(namesOf(events)).toEqual([
      'proving',
      'posting',
      'accepted',
      'included',
      'swapped',
      'withdrawing: waiting',
      'withdrawing: proving',
      'withdrawing: posting',
      'withdrawing: accepted',
      'withdrawing: included',
      'withdrawing: settled',
      'settled',
    ]);
    expect(world.paid).toBe(1);
    expect(world.first.swaps).toMatchObject([
      {
        nullifierHash: world.note.nullifierHash,
        outputToken: BigInt(world.first.outputToken),
        minAmountOut: '90',
      },
    ]);
    expect(await PrivateSwap.list(world.storage)).toEqual([
      expect.objectContaining({ id: swap.id, state: 'settled', outputIndex: 0 }),
    ]);
    expect(namesOf(await eventsOf(world.begin()))).toEqual(['settled']);
    const again = await PrivateSwap.resume(world.storage, swap.id, world.means());
    expect(namesOf(await eventsOf(again))).toEqual(['settled']);
    expect(world.paid).toBe(1);
  });

  it('a private swap stores its new note before it contacts any relayer', async () => {
    const { keys, swapChain, chain } = world;
    const { commitment } = keys.note({ chainId: chain.chainId, pool: swapChain.pool, index: 0 });
    let kept = '';
    world.first.fault = (path) => {
      if (path === '/status') void world.kept().then((text) => (kept ||= text));
      return undefined;
    };
    await eventsOf(world.begin());
    expect(kept).toContain('sotto/used-notes/');
    expect(kept).toContain(`"index":0,"commitment":"0x${commitment.toString(16)}"`);
    expect(world.first.swaps.map((swap) => swap.commitment)).toEqual([commitment]);
  });

  it('a private swap stores no nullifier and no secret of a note', async () => {
    const seen: string[] = [];
    world.first.fault = () => void world.kept().then((text) => seen.push(text));
    await eventsOf(world.begin());
    expect(seen.join('')).toContain('"calldata":["0x');
    const output = { chainId: world.chain.chainId, pool: world.swapChain.pool, index: 0 };
    for (const { nullifier, secret } of [world.note, world.keys.note(output)])
      for (const value of [nullifier, secret]) {
        expect(seen.join('')).not.toContain(value.toString(16));
        expect(seen.join('')).not.toContain(String(value));
      }
    expect(await world.kept()).not.toContain('"calldata":["0x');
  });

  it.each<readonly [string, Partial<PrivateSwapOptions>]>([
    ['FELT_MALFORMED', { outputToken: 'ETH' }],
    ['RECIPIENT_MALFORMED', { recipient: '0x0' }],
    ['RECIPIENT_UNSPENDABLE', { recipient: `0x${'f'.repeat(40)}` }],
    ['JOURNEY_MISMATCH', { swapPool: new FakePool(new SwapWorld().chain) }],
  ])('a private swap does not start with invalid options: %s', async (code, changes) => {
    expect(await codeOf(() => world.begin(changes))).toBe(code);
  });

  it('a private swap can not be continued with different note keys', async () => {
    world.first.isPriceMoving = true;
    await eventsOf(world.begin({ onRevert: 'stop' }));
    const keys = deriveNoteKeys(Uint8Array.from({ length: 32 }, (_, index) => index + 1));
    await expect(eventsOf(world.begin({ keys }))).rejects.toMatchObject({
      code: 'JOURNEY_MISMATCH',
    });
  });
});

describe('the prover of a private swap', () => {
  it('a prover whose files can’t be fetched makes the private swap wait until they can be', async () => {
    world.prover.fault = 'offline';
    const events: PrivateSwapEvent[] = [];
    const reading = (async () => {
      for await (const event of world.begin().events()) events.push(event);
    })();
    await letPass(120_000);
    expect(namesOf(events).at(-1)).toBe('waiting ARTEFACT_UNAVAILABLE');
    expect(world.first.arrivals).toBe(0);
    world.prover.fault = undefined;
    await passTime(reading);
    expect(events.at(-1)?.type).toBe('settled');
    expect(world.paid).toBe(1);
  });
});

describe('the relayer of a private swap', () => {
  it('a relayer that does not list the output token of a private swap receives no proof of this swap', async () => {
    world.first.outputToken = '0x1234';
    const { outputToken } = world.second;
    expect(namesOf(await eventsOf(world.begin({ outputToken })))).toContain('settled');
    expect([world.first.arrivals, world.second.arrivals]).toEqual([0, 1]);
  });

  it('a private swap uses the second relayer if the first relayer is unavailable and has not received a proof', async () => {
    world.first.fault = () => 'lost';
    expect(namesOf(await eventsOf(world.begin()))).toContain('settled');
    expect(world.second.arrivals).toBe(1);
  });

  it('a private swap fails if no relayer lists its output token', async () => {
    const events = await eventsOf(world.begin({ outputToken: '0x1234' }));
    expect(namesOf(events)).toEqual(['failed NO_RELAYER_FOR_SWAP']);
    expect(world.chain.transactions).toEqual([]);
  });

  it('a private swap needs a new quote if the fees of all relayers exceed the maximum', async () => {
    for (const relayer of world.relayers) relayer.input.fee = 200n;
    expect(namesOf(await eventsOf(world.begin()))).toEqual(['needs-new-quote FEE_ABOVE_MAXIMUM']);
    expect(namesOf(await eventsOf(world.begin({ maxFee: 200n })))).toContain('settled');
  });

  it('a private swap sends a new proof to the same relayer if the relayer’s quote has expired', async () => {
    let refusals = 1;
    const refuse = refusing(422, 'QUOTE_EXPIRED', 'new-quote');
    world.first.fault = (path) =>
      path.endsWith('/private-swap') && refusals-- > 0 ? refuse(path) : undefined;
    const events = namesOf(await eventsOf(world.begin()));
    expect(events.slice(0, 5)).toEqual([
      'proving',
      'posting',
      'waiting QUOTE_EXPIRED',
      'proving',
      'posting',
    ]);
    expect(events.at(-1)).toBe('settled');
    expect([world.first.arrivals, world.second.arrivals]).toEqual([2, 0]);
  });

  it.each([
    ['rejects the price', refusing(422, 'MINIMUM_NOT_MET', 'later'), 'MINIMUM_NOT_MET'],
    ['has another swap pinned', refusing(409, 'SWAP_PINNED', 'never'), 'SWAP_PINNED'],
    ['swaps nothing', refusing(503, 'PRIVATE_SWAP_DISABLED', 'never'), 'PRIVATE_SWAP_DISABLED'],
    ['suspends the note', refusing(429, 'NOTE_SWAPS_SUSPENDED', 'same'), 'NOTE_SWAPS_SUSPENDED'],
    ['has no quotes', refusing(503, 'AGGREGATOR_UNAVAILABLE', 'same'), 'AGGREGATOR_UNAVAILABLE'],
    ['answers, but does not receive the proof', unheard, 'RELAYER_UNREACHABLE'],
    ['never answers again', silent, 'RELAYER_UNREACHABLE'],
  ] as const)(
    'no other relayer receives the proof if the relayer of a private swap %s',
    async (_, fault, code) => {
      world.first.fault = fault;
      const events = await eventsOf(world.begin());
      expect(events.at(-1)).toMatchObject({
        type: 'stopped',
        error: { code },
        advice: expect.stringContaining('Withdraw the note plainly'),
      });
      expect(world.second.arrivals).toBe(0);
      // The restarted swap uses the same relayer as before.
      world.first.fault = () => undefined;
      expect(namesOf(await eventsOf(world.begin()))).toContain('settled');
      expect(world.second.arrivals).toBe(0);
      expect(world.paid).toBe(1);
    },
  );

  it('a private swap waits while its relayer is unavailable, and then stops with advice', async () => {
    world.first.fault = refusing(422, 'QUOTE_EXPIRED', 'new-quote');
    const going = readAll(world.begin().events());
    while (world.first.arrivals === 0) await letPass(10);
    world.first.fault = () => 'lost';
    expect(namesOf(await passTime(going)).at(-1)).toBe('stopped SWAP_RELAYER_SILENT');
    expect(namesOf(await eventsOf(world.begin()))).toEqual([
      'waiting NO_USABLE_RELAYER',
      'stopped SWAP_RELAYER_SILENT',
    ]);
    expect(world.second.arrivals).toBe(0);
  });

  it('a private swap stops if the wallet no longer lists the relayer that received its proof', async () => {
    world.first.isPriceMoving = true;
    await eventsOf(world.begin({ onRevert: 'stop' }));
    const events = await eventsOf(world.begin({ relayers: [world.second.relayer] }));
    expect(namesOf(events)).toEqual(['stopped SWAP_RELAYER_NOT_LISTED']);
    expect(world.second.arrivals).toBe(0);
  });
});

describe('a private swap that has reverted', () => {
  beforeEach(() => {
    world.first.isPriceMoving = true;
  });

  it('T3: a reverted swap pays its note to the recipient by a plain withdrawal', async () => {
    const swap = world.begin();
    const events = await eventsOf(swap);
    expect(namesOf(events)).toEqual([
      'proving',
      'posting',
      'accepted',
      'reverted TRANSACTION_REVERTED',
      'rescuing: proving',
      'rescuing: posting',
      'rescuing: accepted',
      'rescuing: included',
      'rescuing: settled',
      'withdrawn',
    ]);
    expect(events[3]).toMatchObject({ advice: expect.stringContaining('proof is public') });
    expect(world.chain.paymentsTo(BigInt(RECIPIENT))).toBe(1);
    expect(world.first.arrivals).toBe(1);
    expect(await PrivateSwap.list(world.storage)).toMatchObject([{ state: 'withdrawn' }]);
    expect(namesOf(await eventsOf(world.begin()))).toEqual(['withdrawn']);
    const again = await PrivateSwap.resume(world.storage, swap.id, world.means());
    expect(namesOf(await eventsOf(again))).toEqual(['withdrawn']);
    expect(world.chain.paymentsTo(BigInt(RECIPIENT))).toBe(1);
  });

  it('T3: a reverted swap still withdraws its note if the wallet was closed at the revert', async () => {
    const swap = world.begin();
    await leaveAt('reverted TRANSACTION_REVERTED', swap);
    expect(await PrivateSwap.list(world.storage)).toMatchObject([{ state: 'reverted' }]);
    const again = await PrivateSwap.resume(world.storage, swap.id, world.means());
    expect(namesOf(await eventsOf(again)).at(-1)).toBe('withdrawn');
    expect(world.chain.paymentsTo(BigInt(RECIPIENT))).toBe(1);
    expect(world.first.arrivals).toBe(1);
  });

  it('T3: a reverted swap withdraws its note through another relayer if its own relayer fails', async () => {
    const swap = world.begin();
    await leaveAt('reverted TRANSACTION_REVERTED', swap);
    world.first.fault = () => 'lost';
    const again = await PrivateSwap.resume(world.storage, swap.id, world.means());
    expect(namesOf(await eventsOf(again)).at(-1)).toBe('withdrawn');
    expect(world.second.input.requests).toContain('POST /api/relayer/withdraw');
    expect(world.second.arrivals).toBe(0);
  });

  it('T3: a reverted swap fails if a bot has spent its note', async () => {
    const { chain, swapChain, note } = world;
    const swap = world.begin();
    await leaveAt('reverted TRANSACTION_REVERTED', swap);
    const { hash } = chain.withdraw(note.nullifierHash, BigInt(swapChain.pool));
    const again = await PrivateSwap.resume(world.storage, swap.id, world.means());
    expect((await eventsOf(again)).at(-1)).toMatchObject({
      type: 'failed',
      error: { code: 'NOTE_SPENT_ELSEWHERE', transactionHash: hash },
    });
    expect(chain.paymentsTo(BigInt(RECIPIENT))).toBe(0);
  });

  it('a reverted swap is reported as swapped if a reorg has undone the revert', async () => {
    const { chain, swapChain, note, keys } = world;
    const swap = world.begin();
    await leaveAt('reverted TRANSACTION_REVERTED', swap);
    const { acceptedAtMs } = chain.withdraw(note.nullifierHash, BigInt(swapChain.pool));
    const place = { chainId: swapChain.chainId, pool: swapChain.pool };
    swapChain.leaves.push({
      commitment: keys.note({ ...place, index: 0 }).commitment,
      atMs: acceptedAtMs,
    });
    const again = await PrivateSwap.resume(world.storage, swap.id, world.means());
    expect(namesOf(await eventsOf(again))).toContain('swapped');
  });

  it('a reverted swap stops with advice if every relayer’s fee for a plain withdrawal exceeds the maximum', async () => {
    const swap = world.begin();
    await leaveAt('reverted TRANSACTION_REVERTED', swap);
    for (const relayer of world.relayers) relayer.input.fee = 200n;
    const again = await PrivateSwap.resume(world.storage, swap.id, world.means());
    expect((await eventsOf(again)).at(-1)).toMatchObject({
      type: 'stopped',
      error: { code: 'FEE_ABOVE_MAXIMUM' },
      advice: expect.stringContaining('Withdraw the note plainly'),
    });
  });

  it('a reverted swap fails with ANOTHER_SWAP when it is started again with a different output token', async () => {
    await eventsOf(world.begin());
    const events = await eventsOf(world.begin({ outputToken: '0x1234' }));
    expect(namesOf(events)).toEqual(['failed ANOTHER_SWAP']);
    expect(world.first.arrivals).toBe(1);
  });
});

const stopping = (): PrivateSwap => world.begin({ onRevert: 'stop' });

describe('a private swap that only stops when it reverts', () => {
  beforeEach(() => {
    world.first.isPriceMoving = true;
  });

  it('a swap that stopped after a revert uses the same new note when it is started again', async () => {
    const events = await eventsOf(stopping());
    expect(namesOf(events).slice(-2)).toEqual([
      'reverted TRANSACTION_REVERTED',
      'stopped TRANSACTION_REVERTED',
    ]);
    world.first.isPriceMoving = false;
    expect(namesOf(await eventsOf(stopping()))).toContain('settled');
    const [reverted, made] = world.first.swaps;
    expect(made?.commitment).toBe(reverted?.commitment);
    expect(world.second.arrivals).toBe(0);
  });

  it('a stopped swap fails with NOTE_SPENT_ELSEWHERE after its input note was withdrawn plainly', async () => {
    await eventsOf(stopping());
    const { note, storage } = world;
    const { pool, prover, relayers, locks } = world.means();
    const means = { note, pool, prover, relayers, locks, storage };
    const plainly = Withdrawal.begin({ ...means, recipient: RECIPIENT, maxFee: 100n });
    const events = await passTime(readAll(plainly.events()));
    expect(events.at(-1)).toMatchObject({ type: 'settled' });
    expect(world.chain.paymentsTo(BigInt(RECIPIENT))).toBe(1);
    expect(namesOf(await eventsOf(stopping()))).toEqual(['failed NOTE_SPENT_ELSEWHERE']);
  });
});

describe('a swap and a withdrawal of one note, side by side', () => {
  it.each(['the swap', 'the withdrawal'])(
    'the note is paid only once in total if a swap and a withdrawal run concurrently: %s first',
    async (winner) => {
      const { note, storage } = world;
      const { pool, prover, relayers, locks } = world.means();
      const means = { note, pool, prover, relayers, locks, storage };
      const plainly = Withdrawal.begin({ ...means, recipient: RECIPIENT, maxFee: 100n });
      const swapping = readAll(world.begin().events());
      if (winner === 'the swap') while (world.first.arrivals === 0) await letPass(10);
      const [swap, withdrawal] = await passTime(
        Promise.all([swapping, readAll(plainly.events())]),
        7_200_000,
      );
      const spends = world.chain.transactions.filter(({ isReverted }) => !isReverted);
      expect(spends).toHaveLength(1);
      const ends = [namesOf(swap).at(-1), withdrawal.at(-1)?.type];
      const isSwapped = spends[0]?.recipient === BigInt(world.swapChain.pool);
      expect(ends).toEqual(
        isSwapped ? ['settled', 'failed'] : ['failed NOTE_SPENT_ELSEWHERE', 'settled'],
      );
    },
  );
});

/** Returns options with the first relayer, with replaced responses to matching paths. */
function answering(path: string, body: unknown): Partial<PrivateSwapOptions> {
  const { relayer } = world.first;
  return {
    relayers: [
      {
        ...relayer,
        fetch: async (request) =>
          new URL(request.url).pathname.includes(path)
            ? Response.json(body, { headers: { 'retry-after': '1' } })
            : (relayer.fetch?.(request) ?? Response.error()),
      },
      world.second.relayer,
    ],
  };
}

describe('a relayer of swaps that lies', () => {
  it.each([null, {}, { privateSwap: { swapPool: 'none' } }, { privateSwap: {} }])(
    'a relayer whose list of pools is %j receives no proof of a swap',
    async (body) => {
      const events = await eventsOf(world.begin(answering('/relayer/pools', body)));
      expect(namesOf(events).at(-1)).toBe('settled');
      expect([world.first.arrivals, world.second.arrivals]).toEqual([0, 1]);
    },
  );

  it('a swap reads its success from the chain if its relayer always reports the swap as in flight', async () => {
    const status = { execution_status: 'UNKNOWN', transaction_hash: '0x1', finality: null };
    const events = await eventsOf(world.begin(answering('/submissions/swap-', status)));
    expect(namesOf(events)).toContain('swapped');
    expect(namesOf(events).at(-1)).toBe('settled');
  });

  it('a swap reads its success from the chain if its relayer reports it as reverted', async () => {
    const { relayer } = world.first;
    const late = { ...relayer };
    late.fetch = async (request) => {
      if (!new URL(request.url).pathname.includes('/submissions/swap-'))
        return relayer.fetch?.(request) ?? Response.error();
      await new Promise((resolve) => setTimeout(resolve, 20_000));
      const reverted = { execution_status: 'REVERTED', finality: 'ACCEPTED_ON_L2' };
      return Response.json({ ...reverted, transaction_hash: '0x1', revert_reason: null });
    };
    const events = await eventsOf(world.begin({ relayers: [late] }));
    expect(namesOf(events)).not.toContain('stopped TRANSACTION_REVERTED');
    expect(namesOf(events).at(-1)).toBe('settled');
  });
});

describe('a note that is spent', () => {
  it('a private swap fails before any relayer receives a proof if its input note is already spent', async () => {
    world.chain.withdraw(world.note.nullifierHash, 1n);
    jest.advanceTimersByTime(60_000);
    const events = await eventsOf(world.begin());
    expect(namesOf(events)).toEqual(['failed NOTE_SPENT_ELSEWHERE']);
    expect(world.first.arrivals).toBe(0);
  });

  it('a swap fails if its proof was used for a new note of another owner', async () => {
    const { chain, swapChain, note } = world;
    world.first.fault = (path) => {
      if (!path.endsWith('/private-swap')) return undefined;
      if (chain.spending(note.nullifierHash) === undefined) {
        const theft = chain.withdraw(note.nullifierHash, BigInt(swapChain.pool));
        swapChain.leaves.push({ commitment: 666n, atMs: theft.acceptedAtMs });
      }
      return 'lost';
    };
    const events = namesOf(await eventsOf(world.begin()));
    expect(events.at(-1)).toBe('failed NOTE_SPENT_ELSEWHERE');
    expect(events).toContain('unknown SWAP_NOT_SEEN');
    expect(events).not.toContain('swapped');
  });
});

describe('the withdrawal of the new note', () => {
  it('a swap whose withdrawal is too expensive can be started again', async () => {
    for (const relayer of world.relayers) relayer.output.fee = 200n;
    const events = namesOf(await eventsOf(world.begin()));
    expect(events.slice(-2)).toEqual([
      'withdrawing: needs-new-quote',
      'needs-new-quote FEE_ABOVE_MAXIMUM',
    ]);
    expect(events).toContain('swapped');
    const again = namesOf(await eventsOf(world.begin({ maxWithdrawalFee: 200n })));
    expect(again.at(-1)).toBe('settled');
    expect(world.first.arrivals).toBe(1);
    expect(world.paid).toBe(1);
  });

  it('the withdrawal after a swap pays the recipient of the last call', async () => {
    for (const relayer of world.relayers) relayer.output.fee = 200n;
    await eventsOf(
      world.begin({
        recipient: '0x7beef00000000000000000000000000000000000000000000000000000beef',
      }),
    );
    for (const relayer of world.relayers) relayer.output.fee = 20n;
    expect(namesOf(await eventsOf(world.begin())).at(-1)).toBe('settled');
    expect(world.paid).toBe(1);
    const events = await eventsOf(
      world.begin({
        recipient: '0x7beef00000000000000000000000000000000000000000000000000000beef',
      }),
    );
    expect(namesOf(events)).toEqual(['failed ANOTHER_RECIPIENT']);
  });

  it('a withdrawal that has already started pays its original recipient, and the swap reports this recipient', async () => {
    const swap = world.begin();
    await leaveAt('withdrawing: accepted', swap);
    const events = namesOf(
      await eventsOf(
        world.begin({
          recipient: '0x7beef00000000000000000000000000000000000000000000000000000beef',
        }),
      ),
    );
    expect(events.at(-1)).toBe('failed ANOTHER_RECIPIENT');
    const again = await PrivateSwap.resume(world.storage, swap.id, world.means());
    expect(namesOf(await eventsOf(again)).at(-1)).toBe('settled');
    expect(world.paid).toBe(1);
    expect(await PrivateSwap.list(world.storage)).toMatchObject([
      { state: 'settled', recipient: RECIPIENT },
    ]);
  });

  it('a swap does not advise another withdrawal if its new note was spent by a different transaction', async () => {
    for (const relayer of world.relayers) relayer.output.fee = 200n;
    await eventsOf(world.begin());
    const [swap] = await PrivateSwap.list(world.storage);
    const place = { chainId: world.swapChain.chainId, pool: world.swapChain.pool };
    const output = world.keys.note({ ...place, index: swap?.outputIndex ?? 0 });
    world.swapChain.withdraw(output.nullifierHash, 0xbadn);
    await letPass(60_000);
    const events = await eventsOf(world.begin());
    expect(namesOf(events).at(-1)).toBe('failed NOTE_SPENT_ELSEWHERE');
    expect(await PrivateSwap.list(world.storage)).toMatchObject([{ state: 'failed' }]);
    expect(namesOf(await eventsOf(world.begin())).at(-1)).toBe('failed NOTE_SPENT_ELSEWHERE');
  });

  it('a swap can use a second relayer for the withdrawal of its new note', async () => {
    world.first.fault = (path) => (/\/(?:withdraw|lookup)$/.test(path) ? 'lost' : undefined);
    expect(namesOf(await eventsOf(world.begin())).at(-1)).toBe('settled');
    expect(world.second.output.requests).toContain('POST /api/relayer/withdraw');
  });
});
