import { describe, expect, it } from '@jest/globals';
import { UNNAMED_CALLER } from '@sotto/kernel';
import { SponsorShares } from '../../src/private-actions/application/sponsor-shares.js';

const DAY = 20_422;
const wallet = { name: 'wallet', budgetPerDayFri: 1_000n, budgetPerNetworkFri: 100n };
const other = { ...wallet, name: 'other' };
const callerOf = (network: string, host = '1') => ({
  name: `${network}.${host}`,
  networks: [`${network}.0/24`],
});

describe('SponsorShares', () => {
  it('addresses of one network share one part', () => {
    const shares = new SponsorShares();
    expect(shares.take(callerOf('10.0.1', '1'), wallet, DAY, 60n)).not.toBeNull();
    expect(shares.take(callerOf('10.0.1', '2'), wallet, DAY, 41n)).toBeNull();
    expect(shares.take(callerOf('10.0.1', '2'), wallet, DAY, 40n)).not.toBeNull();
    expect(shares.take(callerOf('10.0.1', '3'), wallet, DAY, 1n)).toBeNull();
  });

  it('each network, each sponsor and each day has its own part', () => {
    const shares = new SponsorShares();
    for (const [caller, sponsor, day] of [
      [callerOf('10.0.1'), wallet, DAY],
      [callerOf('10.0.2'), wallet, DAY],
      [callerOf('10.0.1'), other, DAY],
      [callerOf('10.0.1'), wallet, DAY + 1],
    ] as const) {
      expect(shares.take(caller, sponsor, day, 100n)).not.toBeNull();
      expect(shares.take(caller, sponsor, day, 1n)).toBeNull();
    }
  });

  it('a released amount can be reserved again, but not after the day of its reservation', () => {
    const shares = new SponsorShares();
    const release = shares.take(callerOf('10.0.1'), wallet, DAY, 100n);
    release?.();
    const late = shares.take(callerOf('10.0.1'), wallet, DAY, 100n);
    expect(late).not.toBeNull();
    expect(shares.take(callerOf('10.0.1'), wallet, DAY + 1, 100n)).not.toBeNull();
    late?.();
    expect(shares.take(callerOf('10.0.1'), wallet, DAY + 1, 1n)).toBeNull();
  });

  it('a second release changes nothing, and a clock that is set back renews no part', () => {
    const shares = new SponsorShares();
    shares.take(callerOf('10.0.1'), wallet, DAY, 60n);
    const release = shares.take(callerOf('10.0.1'), wallet, DAY, 40n);
    release?.();
    release?.();
    expect(shares.take(callerOf('10.0.1'), wallet, DAY - 1, 41n)).toBeNull();
    expect(shares.take(callerOf('10.0.1'), wallet, DAY, 40n)).not.toBeNull();
  });

  it('requests without a known caller are limited only by the whole budget', () => {
    const shares = new SponsorShares();
    for (let request = 0; request < 3; request += 1)
      expect(shares.take(UNNAMED_CALLER, wallet, DAY, 100n)).not.toBeNull();
  });
});
