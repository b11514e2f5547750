import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Felts, toFelt } from '@sotto/kernel';
import type { Lane, LedgerAcceptance, SubmissionSettings } from '../../src/index.js';
import { LANE, World, flush, settings, inMemory } from './world.js';

const SECOND = toFelt('0x2a4e');
const BOTH: SubmissionSettings['lanes'] = [
  { address: LANE, role: 'relay' },
  { address: SECOND, role: 'relay' },
];
const LIFETIME_MS = settings.mempoolLifetimeMs;
const WINDOW = BigInt(settings.nonceWindow);
const { chainId } = settings;

let worlds: World[];
let world: World;
beforeEach(() => {
  worlds = [];
});
afterEach(async () => {
  for (const one of worlds) await one.engine.stop();
});
const start = async (...given: ConstructorParameters<typeof World>): Promise<World> => {
  world = new World(...given);
  worlds.push(world);
  await world.engine.start();
  return world;
};
const lane = async (address = LANE): Promise<Lane | undefined> =>
  (await world.ledger.state()).lanes.find((row) => row.address === address);
/** Polls this many times, each time at a later block. */
const looks = async (count = 1, ms: number = settings.idleIntervalMs): Promise<void> => {
  for (let poll = 0; poll < count; poll += 1) {
    world.chain.mine();
    await world.round(ms);
  }
};
/** Restarts the engine on the same ledger. */
const restart = async (change: Partial<SubmissionSettings> = {}): Promise<void> => {
  const before = world;
  await before.engine.stop();
  worlds = [];
  await start(change, before);
};
const noops = async (): Promise<readonly bigint[]> =>
  (await world.ledger.openNonces(LANE)).flatMap(({ row, transactions }) =>
    transactions.some(({ kind, gone }) => kind === 'noop' && gone === null) ? [row.nonce] : [],
  );

const accepting = (
  ...nonces: readonly (readonly [Lane['address'], bigint])[]
): LedgerAcceptance => ({
  chainId,
  nonces: new Map(nonces),
});
const started = async (
  acceptance: LedgerAcceptance,
  change: Partial<SubmissionSettings> = {},
): Promise<void> => {
  world = new World({ acceptance, ...change });
  worlds.push(world);
  world.chain.setNonce(LANE, 3n);
  await world.engine.start();
};

describe('lane that the ledger has never held', () => {
  it('a lane that an operator has accepted starts at its account’s nonce on chain', async () => {
    await started('always');
    expect(await lane()).toMatchObject({ nextNonce: 3n, quarantine: null });
    await world.submit();
    await flush();
    expect(await world.last()).toMatchObject({ state: 'broadcast', nonce: 3n });
  });

  it('a new lane is in quarantine unless an operator has accepted it', async () => {
    await started(null);
    expect(await lane()).toMatchObject({
      nextNonce: 3n,
      quarantine: { cause: 'behind', until: 3n + WINDOW, isAged: false },
    });
    expect(world.engine.status()).toMatchObject({
      ledger: 'LEDGER_BEHIND_CHAIN',
      lanes: [{ state: 'quarantined', reason: 'LEDGER_BEHIND_CHAIN' }],
    });
  });

  it('a new lane is accepted if the acceptance setting contains its chain and its account’s nonce', async () => {
    await started(accepting([LANE, 3n]));
    expect(await lane()).toMatchObject({ quarantine: null });
  });

  it.each([
    ['another nonce', accepting([LANE, 2n])],
    ['another chain', { chainId: toFelt('0xbad'), nonces: new Map([[LANE, 3n]]) }],
    ['another account only', accepting([SECOND, 0n])],
    ['a further account with another nonce', accepting([LANE, 3n], [SECOND, 1n])],
  ] as const)(
    'a new lane is not accepted if the acceptance setting contains %s',
    async (_what, acceptance) => {
      await started(acceptance);
      expect(await lane()).toMatchObject({ quarantine: { cause: 'behind' } });
    },
  );

  it('a new lane is not accepted while an account in the acceptance setting can not be read', async () => {
    world = new World({ acceptance: accepting([LANE, 0n], [SECOND, 0n]) });
    worlds.push(world);
    world.chain.unreadable(SECOND);
    await world.engine.start();
    expect(await lane()).toMatchObject({ quarantine: { cause: 'behind' } });
  });

  it('a new lane is accepted even if the nonce of an older lane differs from the acceptance setting', async () => {
    await start({ acceptance: accepting([LANE, 0n]) });
    await world.submit();
    await flush();
    world.chain.includeAll();
    await looks(2);
    await restart({ lanes: BOTH, acceptance: accepting([LANE, 0n], [SECOND, 0n]) });
    await looks();
    expect(await lane(SECOND)).toMatchObject({ nextNonce: 0n, quarantine: null });
  });

  it('a new lane is behind its chain if its last transaction was a call of this service', async () => {
    await start();
    world.remember('of another ledger', { calldata: Felts.of([77n]) });
    const [call] = world.requested;
    world.chain.includeForeign(SECOND, { calls: call === undefined ? null : [call] });
    const known = world.requested;
    await world.engine.stop();
    const before = world;
    worlds = [];
    world = new World({ lanes: BOTH, acceptance: null }, before);
    worlds.push(world);
    world.requested.push(...known);
    await world.engine.start();
    expect(await lane(SECOND)).toMatchObject({ nextNonce: 1n, quarantine: { cause: 'behind' } });
  });

  it('a new lane does not block other lanes that the ledger already knows', async () => {
    await start();
    await restart({ lanes: BOTH, acceptance: null });
    await looks();
    expect(await lane(SECOND)).toMatchObject({
      quarantine: { cause: 'introduced', until: WINDOW },
    });
    expect(world.engine.status()).toMatchObject({
      ledger: null,
      lanes: [{ state: 'ready' }, { state: 'quarantined', reason: 'INTRODUCED' }],
    });
  });
});

describe('nonces that the chain has passed without the ledger', () => {
  it('an unknown transaction puts a new lane behind its chain', async () => {
    await start();
    await restart({ lanes: BOTH, acceptance: null });
    await looks();
    expect(await lane(SECOND)).toMatchObject({ quarantine: { cause: 'introduced' } });
    world.chain.includeForeign(SECOND);
    await looks();
    expect(await lane(SECOND)).toMatchObject({ quarantine: { cause: 'behind' } });
    expect(world.engine.status().ledger).toBe('LEDGER_BEHIND_CHAIN');
  });

  it('a nonce that a foreign transaction has consumed is settled as foreign', async () => {
    await start();
    world.chain.includeForeign(LANE);
    world.chain.includeForeign(LANE);
    await looks(2);
    expect(await lane()).toMatchObject({ nextNonce: 2n, quarantine: null });
    expect(await world.ledger.openNonces(LANE)).toEqual([]);
    expect(world.engine.status().alarms).toMatchObject({ foreign: 2 });
  });

  it('the lane is paused if the chain has passed its nonces and the settings require a pause', async () => {
    await start({ pauseOnForeign: true });
    world.chain.includeForeign(LANE);
    await looks(2);
    expect(world.engine.status().lanes).toMatchObject([
      { state: 'paused', reason: 'FOREIGN_TRANSACTION' },
    ]);
    await world.submit();
    await looks();
    expect(await world.last()).toMatchObject({ state: 'accepted' });
    await world.ledger.pauseLane(LANE, null);
    await looks(2);
    expect(await world.last()).toMatchObject({ state: 'broadcast', nonce: 1n });
  });

  it('other lanes do not wait while a large number of passed nonces is imported', async () => {
    await start({ lanes: BOTH });
    await looks();
    world.chain.jump(LANE, 60n);
    await looks();
    const first = (await lane())?.nextNonce ?? 0n;
    expect(first).toBeGreaterThan(0n);
    expect(first).toBeLessThan(60n);
    await looks(4);
    expect(await lane()).toMatchObject({ nextNonce: 60n });
  });

  it('a single block is not enough to accept more passed nonces than a mempool holds', async () => {
    await start();
    await looks();
    world.chain.jump(LANE, 201n);
    // A second read at the same block does not confirm the jump.
    for (let poll = 0; poll < 3; poll += 1) await world.round();
    expect(world.engine.status().lanes).toMatchObject([{ state: 'resting', reason: 'NONCE_JUMP' }]);
    expect(await lane()).toMatchObject({ nextNonce: 0n, quarantine: null });
    world.chain.jump(LANE, -201n);
    await looks();
    expect(world.engine.status().lanes).toMatchObject([{ state: 'ready' }]);
  });

  it('the ledger is behind its chain if several blocks show more passed nonces than a mempool holds', async () => {
    await start();
    await looks();
    world.chain.jump(LANE, 201n);
    await looks(2);
    expect(await lane()).toMatchObject({
      nextNonce: 201n,
      quarantine: { cause: 'behind', until: 201n + WINDOW },
    });
    expect(await world.ledger.openNonces(LANE)).toEqual([]);
    expect(world.engine.status().ledger).toBe('LEDGER_BEHIND_CHAIN');
  });

  it('the account nonce is read again if the second response is lower than the first response', async () => {
    await start();
    await looks();
    world.chain.jump(LANE, 400n);
    await looks();
    world.chain.jump(LANE, -100n);
    await looks();
    expect(await lane()).toMatchObject({ nextNonce: 0n });
    await looks();
    expect(await lane()).toMatchObject({ nextNonce: 300n });
  });

  it('even a single passed nonce puts a newly opened ledger behind its chain', async () => {
    await start();
    await restart();
    await world.engine.stop();
    world.chain.includeForeign(LANE);
    await restart();
    await looks(2);
    expect(await lane()).toMatchObject({ quarantine: { cause: 'behind' } });
  });
});

describe('lane in quarantine', () => {
  it('each quarantined nonce is consumed by a no-op after a mempool’s lifetime by the store’s clock', async () => {
    await start({ acceptance: null });
    await looks(1, LIFETIME_MS - 5_000);
    expect(await lane()).toMatchObject({ quarantine: { isAged: false } });
    expect(world.chain.sent).toEqual([]);
    await looks(1, 5_000);
    expect(await lane()).toMatchObject({ quarantine: { isAged: true, until: WINDOW } });
    await looks();
    expect(await noops()).toEqual([0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n]);
    const open = await world.ledger.openNonces(LANE);
    expect(
      open.every(({ transactions }) =>
        transactions.every(({ bounds }) => bounds.l2Gas.maxPriceFri === settings.ceilingL2PriceFri),
      ),
    ).toBe(true);
  });

  it('a quarantine consumes no nonce at or above its end', async () => {
    await start({ acceptance: null });
    world.chain.setNonce(LANE, 2n);
    await looks(1, LIFETIME_MS);
    expect(await lane()).toMatchObject({ quarantine: { isAged: true, until: 2n + WINDOW } });
    await looks();
    expect(await lane()).toMatchObject({ nextNonce: 2n + WINDOW });
    expect((await noops()).at(-1)).toBe(1n + WINDOW);
  });

  it('stores a limited number of no-ops in each poll, and the remaining no-ops in later polls', async () => {
    await start({ acceptance: null, nonceWindow: 20 });
    await looks(1, LIFETIME_MS);
    await looks();
    expect(await noops()).toHaveLength(16);
    await looks();
    expect(await noops()).toHaveLength(20);
  });

  it('a quarantined lane that can not pay its no-ops is reported as short of funds', async () => {
    await start({ acceptance: null });
    await looks(1, LIFETIME_MS);
    world.chain.setBalance(LANE, 10n ** 15n);
    await looks();
    expect(await noops()).toEqual([]);
    world.chain.setBalance(LANE, 10n ** 24n);
    await looks();
    expect(await noops()).toHaveLength(8);
  });

  it('sends calls again after the no-ops of the quarantined lane are included', async () => {
    await start({ acceptance: null });
    await looks(1, LIFETIME_MS);
    for (let poll = 0; poll < 4; poll += 1) {
      await looks();
      world.chain.includeAll();
    }
    await looks(2);
    expect(world.engine.status()).toMatchObject({ ledger: null, lanes: [{ state: 'ready' }] });
    await world.submit();
    await looks();
    expect(await world.last()).toMatchObject({ state: 'broadcast', nonce: WINDOW });
  });
});

/** Lowers the account's nonce to 0, although the ledger has settled that nonce. */
const below = async (): Promise<void> => {
  await start();
  await world.submit();
  await flush();
  world.chain.includeAll();
  await looks(2);
  world.chain.setNonce(LANE, 0n);
};

describe('lane whose account is below its ledger', () => {
  it('a lane sends nothing if its account’s nonce on chain is below the ledger’s nonce for too long', async () => {
    await below();
    await looks(5, 5_000);
    expect(world.engine.status().lanes).toMatchObject([{ state: 'ready' }]);
    await looks(3, 5_000);
    expect(world.engine.status().lanes).toMatchObject([
      { state: 'resting', reason: 'ACCOUNT_NONCE_BELOW_LEDGER' },
    ]);
    world.chain.setNonce(LANE, 1n);
    await looks();
    expect(world.engine.status().lanes).toMatchObject([{ state: 'ready' }]);
  });

  it('the time of an account nonce below the ledger’s nonce is measured from the last poll without this problem', async () => {
    await below();
    await looks(5, 5_000);
    world.chain.setNonce(LANE, 1n);
    await looks();
    world.chain.setNonce(LANE, 0n);
    await looks(5, 5_000);
    expect(world.engine.status().lanes).toMatchObject([{ state: 'ready' }]);
  });
});

describe('node below the height that the ledger has noted', () => {
  it('sends nothing at the start while the node is below the block height that the ledger has stored', async () => {
    await start();
    await looks(3, 61_000);
    expect((await world.ledger.state()).lastBlock).toBeGreaterThan(0);
    await world.engine.stop();
    worlds = [];
    const copy = inMemory(world.ledger).copy();
    const chain = world.chain;
    chain.rollback(0);
    await start({}, { clock: world.clock, chain, ledger: copy });
    await world.submit({ calldata: Felts.of([9n]) });
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'accepted' });
    expect(world.engine.status().ledger).toBe('NOT_JUDGED');
    chain.mine(5);
    await world.round();
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'broadcast' });
  });
});
