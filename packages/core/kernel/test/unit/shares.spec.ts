import { describe, expect, it } from '@jest/globals';
import { SHARED_CALLER, Shares, UNNAMED_CALLER, type Caller } from '../../src/index.js';

/**
 * Returns a caller at this address, with the network names that the HTTP interface would derive.
 */
function callerAt(address: string): Caller {
  const [a = '', b, c, d = ''] = address.split(/[.:]/);
  if (!address.includes(':')) return { name: address, networks: [`${a}.${b}.${c}.0/24`] };
  const wide = `${a}:${b}:${c}`;
  return {
    name: address,
    networks: [`${wide}:${d.padStart(4, '0').slice(0, 2)}00::/56`, `${wide}::/48`],
  };
}

/**
 * Acquires a share for each address of the list for which the limits allow a share.
 * @returns number of acquired shares
 */
function takenBy(shares: Shares, addresses: Iterable<string>): number {
  let taken = 0;
  for (const address of addresses) {
    const caller = callerAt(address);
    if (shares.rejection(caller) !== null) continue;
    shares.take(caller);
    taken += 1;
  }
  return taken;
}

/** Returns addresses of different /64s of one /56. */
const ofOne56 = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `2001:db8:1:${(index % 256).toString(16)}::1`);
/** Returns addresses of different /56s of one /48. */
const ofOne48 = (count: number): string[] =>
  Array.from(
    { length: count },
    (_, index) => `2001:db8:2:${((index % 256) * 256).toString(16)}::1`,
  );
const ofOne24 = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `203.0.113.${index % 256}`);
const ofMany = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `198.51.${index}.1`);

/** Returns this many addresses of different /64s of the /48 with this number. */
const spread = (network: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `2001:db8:${network}:${index.toString(16)}::1`);

/** Returns the number of shares that the shared listener may have if there are `inAll` shares. */
function takenByShared(inAll: number): number {
  const shares = new Shares({ inAll, perClient: 2 });
  while (shares.rejection(SHARED_CALLER) === null) shares.take(SHARED_CALLER);
  return shares.held;
}

describe('Shares', () => {
  it('limits the number of shares for each caller and for all callers together, and releases each share only once', () => {
    const shares = new Shares({ inAll: 5, perClient: 2 });
    const one = callerAt('203.0.113.1');
    const [two, three] = [callerAt('198.51.100.1'), callerAt('192.0.2.1')];
    const giveBack = shares.take(one);
    shares.take(one);
    expect([shares.rejection(one), shares.rejection(two)]).toEqual(['caller', null]);
    for (const caller of [two, two, three]) shares.take(caller);
    expect([shares.rejection(one), shares.rejection(three)]).toEqual(['caller', 'all']);
    giveBack();
    giveBack();
    expect([shares.held, shares.callers, shares.rejection(one)]).toEqual([4, 3, null]);
  });

  it.each([
    ['/56', ofOne56(256), 4],
    ['/48', ofOne48(256), 16],
    ['/24', ofOne24(256), 4],
  ])(
    'S10 the shares of a %s network are limited once more than half of all shares are held',
    (_network, addresses, times) => {
      const quiet = new Shares({ inAll: 1_000, perClient: 2 });
      expect(takenBy(quiet, addresses)).toBe(256);
      const busy = new Shares({ inAll: 1_000, perClient: 2 });
      expect(takenBy(busy, [...ofMany(251), ...ofMany(251)])).toBe(502);
      expect(takenBy(busy, [...addresses, ...addresses, ...addresses])).toBe(2 * times);
      expect(takenBy(busy, ['192.0.2.1'])).toBe(1);
    },
  );

  it('the shared listener gets sixteen times the shares of one address, but at most half of all shares', () => {
    expect([takenByShared(1_000), takenByShared(20)]).toEqual([32, 10]);
  });

  describe('of one network', () => {
    it.each([
      [64, 64],
      [64, 1_000],
      [63, 1],
      [2, 2],
    ])(
      'T14 a single network gets half of %i shares, even if one address may hold %i shares',
      (inAll, perClient) => {
        const shares = new Shares({ inAll, perClient });
        expect(takenBy(shares, spread(1, 200))).toBe(Math.ceil(inAll / 2));
        expect(shares.rejection(callerAt('2001:db8:1:ffff::1'))).toBe('caller');
        expect(takenBy(shares, ['198.51.100.1'])).toBe(1);
      },
    );

    it('a single network gets the only share if no more shares exist', () => {
      const shares = new Shares({ inAll: 1, perClient: 1 });
      expect(takenBy(shares, spread(1, 2))).toBe(1);
    });

    it('requests without a known caller get all shares', () => {
      const shares = new Shares({ inAll: 8, perClient: 8 });
      while (shares.rejection(UNNAMED_CALLER) === null) shares.take(UNNAMED_CALLER);
      expect(shares.held).toBe(8);
    });

    it('T14 a network gets at most a quarter of all shares while other networks hold shares', () => {
      const shares = new Shares({ inAll: 64, perClient: 64 });
      takenBy(shares, spread(1, 32));
      expect(takenBy(shares, spread(2, 200))).toBe(16);
      expect(takenBy(shares, spread(1, 200))).toBe(0);
      expect(takenBy(shares, spread(3, 200))).toBe(16);
    });

    it('T14: the last share is reserved for a waiting network', () => {
      const shares = new Shares({ inAll: 16, perClient: 8 });
      const attackers = Array.from({ length: 8 }, (_, index) => callerAt(`203.0.${index}.1`));
      const releases = attackers.flatMap((caller) => [shares.take(caller), shares.take(caller)]);
      const honest = callerAt('198.51.100.1');
      expect(shares.rejection(honest)).toBe('all');
      releases[0]?.();
      expect(attackers.map((caller) => shares.rejection(caller))).toEqual(
        attackers.map(() => 'all'),
      );
      expect(shares.rejection(honest)).toBeNull();
      shares.take(honest);
      releases[1]?.();
      // No caller waits any more.
      expect(shares.rejection(callerAt('203.0.1.1'))).toBeNull();
    });

    it('T14: a network is limited to a quarter of the shares after another network was rejected', () => {
      const shares = new Shares({ inAll: 8, perClient: 8 });
      const hog = callerAt('2001:db8:1:1::1');
      const releases = Array.from({ length: 4 }, () => shares.take(hog));
      for (const address of ['192.0.2.1', '192.0.3.1']) {
        shares.take(callerAt(address));
        shares.take(callerAt(address));
      }
      const other = callerAt('198.51.100.1');
      expect(shares.rejection(other)).toBe('all');
      releases[0]?.();
      expect([shares.rejection(hog), shares.rejection(other)]).toEqual(['caller', null]);
    });
  });
});
