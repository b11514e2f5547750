import { afterEach, describe, expect, it } from '@jest/globals';
import { Felts, silentLogger, toFelt, type Felt, type LogFields } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import { LedgerUnavailable, type LaneIdentity, type SubmissionSettings } from '../../src/index.js';
import { InMemoryInstanceBus } from '../../src/testing/index.js';
import { InMemoryLedger } from '../../src/testing/in-memory-ledger.js';
import { gate, type Gate } from '../support/gate.js';
import { flush, World } from './world.js';

const LANES: readonly LaneIdentity[] = [1n, 2n, 3n, 4n].map((index) => ({
  address: toFelt(0x1a4en + index),
  role: 'relay',
}));

interface SignerWork {
  hashes: number;
  signatures: number;
}

/** Counts the hashes and signatures of calls that this world's signer makes from now on. */
function countWork({ signer }: World, work: SignerWork): void {
  const hashCall = signer.hashCall.bind(signer);
  const signCall = signer.signCall.bind(signer);
  signer.hashCall = async (...args) => {
    work.hashes += 1;
    return hashCall(...args);
  };
  signer.signCall = async (...args) => {
    work.signatures += 1;
    return signCall(...args);
  };
}

/** Returns `target` with other values for the properties for which `change` returns no null. */
function changed<T extends object>(target: T, change: (name: string | symbol) => unknown): T {
  return new Proxy(target, {
    get(_target, name) {
      const value: unknown = change(name) ?? Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const noHead =
  ({ chain }: World): unknown =>
  async (...request: Parameters<typeof chain.head>) => ({
    ...(await chain.head(...request)),
    accounts: new Map(),
  });
const noSend = (): unknown => async () => ({ kind: 'unclear', code: 'TIMED_OUT' });
const noAccount = (): unknown => async () => 'NOT_DEPLOYED';

/** Lanes that this instance holds. */
const heldBy = ({ engine }: World): readonly Felt[] =>
  engine
    .status()
    .lanes.flatMap(({ state, address }) => (state === 'held_elsewhere' ? [] : [address]));

/** Delays the answers to the next sends until the returned gate is opened. */
function withoutAnswers({ chain }: World, count: number): Gate {
  const answered = gate();
  const unanswered = { arrives: true, answer: { kind: 'taken' }, after: answered.opened } as const;
  chain.script(...Array.from({ length: count }, () => unanswered));
  return answered;
}

describe('lanes that several instances share', () => {
  const hints = new InMemoryInstanceBus();
  const worlds: World[] = [];
  let work: SignerWork = { hashes: 0, signatures: 0 };
  afterEach(async () => {
    work = { hashes: 0, signatures: 0 };
    await Promise.all(worlds.splice(0).map(({ engine }) => engine.stop()));
  });

  async function start(
    name: string,
    beside: World | null,
    change: Partial<SubmissionSettings> = {},
  ): Promise<World> {
    const settings = { instance: name, lanes: LANES, ...change };
    const world =
      beside === null
        ? new World(settings, undefined, hints.instance())
        : beside.restarted(settings, hints.instance());
    worlds.push(world);
    countWork(world, work);
    await world.engine.start();
    return world;
  }
  const rounds = async (count: number, stepMs = 500): Promise<void> => {
    for (let round = 0; round < count; round += 1) {
      await worlds[0]?.round(stepMs);
      await flush();
    }
  };

  it('a second instance gets half of the lanes within a second', async () => {
    const first = await start('first', null);
    expect(heldBy(first)).toHaveLength(4);
    const second = await start('second', first);
    await rounds(2);
    expect([heldBy(first).length, heldBy(second).length]).toEqual([2, 2]);
    expect(new Set([...heldBy(first), ...heldBy(second)]).size).toBe(4);
  });

  it('an instance reports once that another instance has the lane in another role', async () => {
    const first = await start('first', null);
    const errors: LogFields[] = [];
    const second = new World(
      { instance: 'second', lanes: LANES.map((lane) => ({ ...lane, role: 'curator' })) },
      first,
      hints.instance(),
      { logger: { ...silentLogger, error: (fields) => void errors.push(fields) } },
    );
    worlds.push(second);
    await second.engine.start();
    await second.round(500);
    await second.round(500);
    expect(errors).toEqual(
      LANES.map(({ address }) => ({
        lane: address,
        role: 'curator',
        holder: 'first',
        heldAs: 'relay',
      })),
    );
  });

  it('an instance keeps the lanes that only it has in its settings', async () => {
    const first = await start('first', null);
    const second = await start('second', first, { lanes: LANES.slice(0, 1) });
    await rounds(4);
    expect([heldBy(first).length, heldBy(second).length]).toEqual([3, 1]);
  });

  it('a lane whose send has no answer is handed over only after the answer', async () => {
    const first = await start('first', null, { lanes: LANES.slice(0, 2) });
    const answered = withoutAnswers(first, 2);
    await Promise.all([1, 2].map((key) => first.submit({ key: `k${key}` })));
    await flush();
    expect(first.chain.sent).toHaveLength(2);
    const second = await start('second', first, { lanes: LANES.slice(0, 2) });
    await rounds(4);
    const heldMeanwhile = heldBy(first);
    answered.open();
    await flush();
    await rounds(14);
    expect(heldMeanwhile).toHaveLength(2);
    expect([heldBy(first).length, heldBy(second).length]).toEqual([1, 1]);
  });

  it('an instance that is unable to sign gives its lanes to the other instance', async () => {
    const first = await start('first', null);
    const second = await start('second', first);
    await rounds(2);
    expect(heldBy(second)).toHaveLength(2);
    first.signer.signCall = async () => {
      throw new Error('the signer does not answer');
    };
    for (let key = 0; key < 8; key += 1) await first.submit({ key: `k${key}` });
    await rounds(60);
    expect(heldBy(second)).toHaveLength(4);
    expect(new Set(first.chain.sent).size).toBe(8);
    // Both instances would otherwise hand the lanes back and forth.
    await rounds(40);
    expect(heldBy(second)).toHaveLength(4);
  });

  it('an instance that stops leaves its lanes to the others at once', async () => {
    const first = await start('first', null);
    const second = await start('second', first);
    await rounds(2);
    await first.engine.stop();
    await flush();
    await second.round(500);
    await second.round(500);
    expect(heldBy(second)).toHaveLength(4);
  });

  /** Starts two instances with two lanes each. The first one can lose its store. */
  async function startMortal() {
    const clock = new ManualClock();
    const ledger = new InMemoryLedger({ clock });
    const life = { isDead: false };
    const ofFirst = changed(ledger, (name) =>
      life.isDead && typeof Reflect.get(ledger, name) === 'function'
        ? async () => {
            throw new LedgerUnavailable({ message: 'the process is dead' });
          }
        : null,
    );
    const first = new World(
      { instance: 'first', lanes: LANES },
      { clock, ledger: ofFirst },
      hints.instance(),
    );
    worlds.push(first);
    await first.engine.start();
    const second = await start('second', new World({}, { clock, chain: first.chain, ledger }));
    await rounds(2);
    expect(heldBy(second)).toHaveLength(2);
    return { first, second, life };
  }

  it('the lanes of a killed instance are leased by the other one and not handed back to it', async () => {
    const { first, second, life } = await startMortal();
    life.isDead = true;
    let gapMs = 0;
    for (let step = 0; step < 80; step += 1) {
      await second.round(500);
      if (heldBy(second).length < 4) gapMs += 500;
    }
    expect(heldBy(second)).toHaveLength(4);
    expect(gapMs).toBeLessThanOrEqual(16_000);

    life.isDead = false;
    await rounds(60);
    expect([heldBy(first).length, heldBy(second).length]).toEqual([2, 2]);
  });

  it('each call is hashed once and signed once, whichever instance accepts it', async () => {
    const first = await start('first', null);
    const second = await start('second', first);
    await rounds(2);
    for (let index = 0; index < 24; index += 1) {
      const world = index % 2 === 0 ? first : second;
      await world.submit({ key: `k${index}`, memo: `0x${index.toString(16)}` });
      if (index % 4 !== 3) continue;
      await rounds(1);
      first.chain.includeAll();
    }
    // The lanes hold sixteen transactions. The other attempts wait until they belong to no
    // instance any more.
    for (let block = 0; block < 12; block += 1) {
      await rounds(2);
      first.chain.includeAll();
    }
    expect(first.chain.sent).toHaveLength(24);
    expect(new Set(first.chain.sent).size).toBe(24);
    expect(work).toEqual({ hashes: 24, signatures: 24 });
  });

  it('an attempt that an instance without lanes has accepted is sent at once by one other instance', async () => {
    const first = await start('first', null);
    const second = await start('second', first);
    const third = await start('third', first, {
      lanes: LANES.map((lane) => ({ ...lane, isLeftToOthers: true })),
    });
    await rounds(2);
    await third.submit();
    await flush();
    expect(first.chain.sent).toHaveLength(1);
    expect(work).toEqual({ hashes: 1, signatures: 1 });
    expect(heldBy(second)).toHaveLength(2);
  });

  it('an abandoned hand-over moves no lane later', async () => {
    const lanes = LANES.slice(0, 2);
    const first = await start('first', null, { lanes });
    const answered = withoutAnswers(first, 2);
    await Promise.all([1, 2].map((key) => first.submit({ key: `k${key}` })));
    await flush();
    const second = await start('second', first, { lanes });
    await rounds(20);
    await second.engine.stop();
    await rounds(20);
    answered.open();
    await flush();
    await rounds(14);
    expect(heldBy(first)).toHaveLength(2);
  });

  it('another instance sends the attempts that this instance repeatedly fails to prepare', async () => {
    const first = await start('first', null);
    await start('second', first);
    await rounds(14);
    first.rejection = new LedgerUnavailable({
      message: 'the node of this instance does not answer',
    });
    for (let key = 0; key < 4; key += 1) await first.submit({ key: `k${key}` });
    await rounds(30);
    expect(first.chain.sent).toHaveLength(4);
  });

  it('failures from before a hand-over do not move the lanes that an instance gets back', async () => {
    const second = await start('second', null);
    const first = await start('first', second);
    await rounds(14);
    const signCall = first.signer.signCall.bind(first.signer);
    first.signer.signCall = async () => {
      throw new Error('the signer does not answer');
    };
    for (let key = 0; key < 8; key += 1) await first.submit({ key: `k${key}` });
    await rounds(60);
    first.chain.includeAll();
    expect(heldBy(second)).toHaveLength(4);
    first.signer.signCall = signCall;
    await rounds(130);
    expect([heldBy(first).length, heldBy(second).length]).toEqual([2, 2]);
    await rounds(60);
    expect([heldBy(first).length, heldBy(second).length]).toEqual([2, 2]);
  });

  it.each([
    ['is retiring only here', LANES.map((lane, index) => ({ ...lane, isRetiring: index === 0 }))],
    ['is in the settings of the other instance only', LANES.slice(1)],
  ])('an instance hands over one lane but not its others if the lane %s', async (_why, lanes) => {
    const before = await start('before', null);
    await before.submit();
    await flush();
    await before.engine.stop();
    worlds.splice(0);
    const first = await start('first', before, { lanes });
    await rounds(14);
    const [sentOn] = LANES;
    expect(heldBy(first)).toContain(sentOn?.address);
    const second = await start('second', first);
    await rounds(20);
    expect(heldBy(second)).toContain(sentOn?.address);
    expect([heldBy(first).length, heldBy(second).length]).toEqual([2, 2]);
  });

  it('an instance needs no reservations if other instances have lanes of other roles only', async () => {
    const [relay, other] = LANES.map(({ address }) => address);
    if (relay === undefined || other === undefined) throw new Error('two lanes are needed');
    const lanes = (left: LaneIdentity['role']): readonly LaneIdentity[] => [
      { address: relay, role: 'relay', isLeftToOthers: left === 'relay' },
      { address: other, role: 'keeper', isLeftToOthers: left === 'keeper' },
    ];
    const first = await start('first', null, { lanes: lanes('keeper') });
    const second = await start('second', first, { lanes: lanes('relay') });
    await rounds(14);
    expect([heldBy(first), heldBy(second)]).toEqual([[relay], [other]]);
    let reservations = 0;
    const reserve = first.ledger.reserve.bind(first.ledger);
    first.ledger.reserve = async (...request) => {
      reservations += 1;
      return reserve(...request);
    };
    for (let key = 0; key < 8; key += 1) await first.submit({ key: `k${key}` });
    for (let block = 0; block < 12; block += 1) {
      await rounds(1);
      first.chain.includeAll();
    }
    expect(first.chain.sent).toHaveLength(8);
    expect(reservations).toBe(0);
  });

  it('a lane is not handed to an instance that was killed right after it announced its lanes', async () => {
    const { second, life } = await startMortal();
    // The leases are renewed every 5 seconds. Just before that, a notification causes an
    // announcement.
    await rounds(7);
    hints.instance().report({ kind: 'lanes' });
    await rounds(1, 100);
    life.isDead = true;
    let gapMs = 0;
    for (let step = 0; step < 80; step += 1) {
      hints.instance().report({ kind: 'lanes' });
      await second.round(500);
      if (heldBy(second).length < 4) gapMs += 500;
    }
    expect(gapMs).toBeLessThanOrEqual(11_000);
  });

  it('an instance does not try to lease lanes that another instance holds', async () => {
    const first = await start('first', null);
    await start('second', first);
    await rounds(4);
    const tried: string[] = [];
    const lease = first.ledger.lease.bind(first.ledger);
    first.ledger.lease = async (...request) => {
      tried.push(request[1]);
      return lease(...request);
    };
    await rounds(40);
    expect(tried).toEqual([]);
  });

  it.each([
    ['node does not serve the accounts', 'head', noHead],
    ['node accepts no sends', 'send', noSend],
    ['accounts can not sign', 'problemOf', noAccount],
  ])('an instance hands its lanes over and receives none if its %s', async (_why, method, make) => {
    const healthy = new World();
    const failing = make(healthy);
    const chain = changed(healthy.chain, (name) => (name === method ? failing : null));
    const { clock, ledger } = healthy;
    const first = await start('first', new World({}, { clock, ledger, chain }));
    const second = await start('second', healthy);
    await rounds(14);
    for (let key = 0; key < 8; key += 1) await first.submit({ key: `k${key}` });
    await rounds(100);
    expect([heldBy(first).length, heldBy(second).length]).toEqual([0, 4]);
  });

  it('an instance whose accounts can not sign gets no lanes', async () => {
    const first = await start('first', null);
    const { clock, ledger } = first;
    const chain = changed(first.chain, (name) => (name === 'problemOf' ? noAccount() : null));
    const second = await start('second', new World({}, { clock, ledger, chain }));
    await rounds(10);
    expect([heldBy(first).length, heldBy(second).length]).toEqual([4, 0]);
  });

  it('an attempt is sent at once if only the lanes of another instance have enough funds', async () => {
    const first = await start('first', null);
    await start('second', first);
    await rounds(14);
    for (const lane of heldBy(first)) first.chain.setBalance(lane, 0n);
    await rounds(12);
    await first.submit();
    await flush();
    expect(first.chain.sent).toHaveLength(1);
  });

  it('an instance whose node shows too little to judge the ledger gets no lanes and keeps no attempts', async () => {
    const first = await start('first', null);
    const { clock, ledger } = first;
    let isBlind = true;
    const chain = changed(first.chain, (name) =>
      isBlind && name === 'heads' ? () => [Promise.resolve(null)] : null,
    );
    const second = await start('second', new World({}, { clock, ledger, chain }));
    await rounds(12);
    expect(second.engine.status().ledger).toBe('NOT_JUDGED');
    expect([heldBy(first).length, heldBy(second).length]).toEqual([4, 0]);
    await second.submit();
    await flush();
    expect(first.chain.sent).toHaveLength(1);
    isBlind = false;
    await rounds(12);
    expect([heldBy(first).length, heldBy(second).length]).toEqual([2, 2]);
  });

  it('an instance whose node shows too little to judge the ledger hands its lanes over', async () => {
    const world = new World();
    const { clock, ledger } = world;
    const chain = changed(world.chain, (name) =>
      name === 'heads' ? () => [Promise.resolve(null)] : null,
    );
    const first = await start('first', new World({}, { clock, ledger, chain }));
    expect(heldBy(first)).toHaveLength(4);
    const second = await start('second', world);
    await first.submit();
    await rounds(8);
    expect(world.chain.sent).toHaveLength(1);
    await rounds(40);
    expect(heldBy(second)).toHaveLength(4);
  });

  it('a call that is renewed at another instance while its older version is signed is sent once, as the newer one', async () => {
    const first = await start('first', null);
    const second = await start('second', first);
    await rounds(14);
    const slow = gate();
    const signCall = first.signer.signCall.bind(first.signer);
    first.signer.signCall = async (...request) => {
      await slow.opened;
      return signCall(...request);
    };
    const { attempt } = await first.submit();
    await flush();
    const newer = { effect: attempt.effect, fingerprint: 'newer', calldata: Felts.of([7n]) };
    expect(await second.service.renew(attempt, newer)).toBe(true);
    await flush();
    slow.open();
    await rounds(12);
    expect(first.chain.sent).toHaveLength(1);
    expect(await first.last()).toMatchObject({ state: 'broadcast', fingerprint: 'newer' });
    const [hash] = first.chain.sent;
    const parts = hash === undefined ? null : await first.ledger.signedParts(hash);
    expect(parts?.calldata?.equals(Felts.of([7n]))).toBe(true);
  });
});
