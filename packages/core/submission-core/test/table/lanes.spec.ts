import { describe, expect, it } from '@jest/globals';
import { aSignedTransaction, foreign, took } from '../../src/testing/index.js';
import { CEILING_FRI, LANE, SECOND_LANE, Table, rejectedWith } from './table.js';

const noopAt = (nonce: bigint) => aSignedTransaction(`no-op ${nonce}`, CEILING_FRI);

describe('transition table: nonces that the chain has passed (import)', () => {
  const table = Table.forEachTest();

  it('import: the next nonce gets an open row without an owner', async () => {
    await table.driver.introduce(5n);
    expect(await table.driver.import(5n)).toMatchObject({
      applied: true,
      attempt: null,
      nonce: { nonce: 5n, through: 5n, version: 1, state: 'open', owner: null },
    });
    expect(await table.lane()).toMatchObject({ nextNonce: 6n });
    expect(await table.driver.settle(5n, foreign)).toMatchObject({ applied: true });
  });

  it('import: a range of nonces becomes one final row with an unknown consumer', async () => {
    await table.driver.introduce(5n);
    table.nowMs = 6_000;
    expect(await table.driver.import(5n, 4_000n)).toMatchObject({
      applied: true,
      nonce: {
        nonce: 5n,
        through: 4_000n,
        version: 1,
        state: 'settled',
        owner: null,
        settlement: {
          hash: null,
          isForeign: true,
          execution: null,
          block: null,
          feeFri: null,
          disprovesRejection: false,
          atMs: 6_000,
          isFinal: true,
        },
      },
    });
    expect(await table.lane()).toMatchObject({ nextNonce: 4_001n });
    expect(await table.ledger.openNonces(LANE)).toEqual([]);
    expect(await table.driver.settle(5n, foreign, { version: 1 })).toMatchObject(
      rejectedWith('nonce_settled'),
    );
  });

  it('import: the smallest range has two nonces', async () => {
    await table.driver.introduce(5n);
    expect(await table.driver.import(5n, 6n)).toMatchObject({ nonce: { state: 'settled' } });
    expect(await table.lane()).toMatchObject({ nextNonce: 7n });
  });

  it('import: a nonce directly below the lane’s first nonce gets an open row, and the next nonce does not change', async () => {
    await table.driver.introduce(5n);
    expect(await table.driver.import(4n)).toMatchObject({
      applied: true,
      nonce: { nonce: 4n, state: 'open', owner: null },
    });
    expect(await table.lane()).toMatchObject({ nextNonce: 5n });
    expect(await table.driver.import(4n)).toMatchObject(rejectedWith('nonce_taken'));
  });

  it('import: a nonce far below the lane’s first nonce does not lower the next nonce', async () => {
    await table.driver.introduce(5n);
    expect(await table.driver.import(2n)).toMatchObject({ applied: true, nonce: { nonce: 2n } });
    expect(await table.lane()).toMatchObject({ nextNonce: 5n });
  });

  it('import: the command is rejected for a nonce that already has a row', async () => {
    expect(await table.driver.import(0n)).toMatchObject(rejectedWith('nonce_taken'));
    await table.driver.introduce(5n);
    expect(await table.driver.import(6n)).toMatchObject(rejectedWith('nonce_taken'));
    expect(await table.driver.import(5n, 4n)).toMatchObject(rejectedWith('nonce_taken'));
    await table.driver.import(5n);
    expect(await table.driver.import(5n)).toMatchObject(rejectedWith('nonce_taken'));
    table.driver.fence -= 1n;
    expect(await table.driver.import(6n)).toMatchObject(rejectedWith('stale_fence'));
  });
});

describe('transition table: a lane is introduced', () => {
  const table = Table.forEachTest();
  const doubtful = { isAccepted: false, window: 8n } as const;

  it('introduce: a lane that an operator has accepted starts at its nonce on chain, without a quarantine', async () => {
    expect(await table.driver.introduce(57n)).toMatchObject({
      applied: true,
      attempt: null,
      nonce: null,
    });
    expect(await table.lane()).toMatchObject({ nextNonce: 57n, quarantine: null });
  });

  it('introduce: without an operator’s acceptance, the first lane of an empty ledger is behind its chain', async () => {
    await table.driver.introduce(57n, doubtful);
    expect(await table.lane()).toMatchObject({
      nextNonce: 57n,
      quarantine: { cause: 'behind', until: 65n, sinceMs: 5_000, isAged: false },
    });
  });

  it('introduce: if the ledger already has other lanes, only the new lane is in quarantine', async () => {
    const second = await table.secondLane();
    await second.introduce(0n);
    await table.driver.introduce(57n, doubtful);
    expect(await table.lane()).toMatchObject({ quarantine: { cause: 'introduced', until: 65n } });
  });

  it('introduce: a new lane is behind its chain if another ledger of this service has sent calls from it', async () => {
    const second = await table.secondLane();
    await second.introduce(0n);
    await table.driver.introduce(57n, { ...doubtful, hasSentCalls: true });
    expect(await table.lane()).toMatchObject({ quarantine: { cause: 'behind', until: 65n } });
  });

  it('introduce: a new lane is behind its chain if all other lanes were introduced without acceptance too', async () => {
    const second = await table.secondLane();
    await second.introduce(0n, doubtful);
    await table.driver.introduce(57n, doubtful);
    expect(await table.lane()).toMatchObject({ quarantine: { cause: 'behind' } });
    expect(await table.lane(SECOND_LANE)).toMatchObject({ quarantine: { cause: 'behind' } });
  });

  it('introduce: the command is rejected for a lane that was introduced already, and with an old fence', async () => {
    table.driver.fence -= 1n;
    expect(await table.driver.introduce(57n)).toMatchObject(rejectedWith('stale_fence'));
    table.driver.fence += 1n;
    await table.driver.introduce(57n);
    expect(await table.driver.introduce(58n, doubtful)).toMatchObject(
      rejectedWith('known_already'),
    );
    expect(await table.lane()).toMatchObject({ nextNonce: 57n, quarantine: null });
  });
});

describe('transition table: a lane is in quarantine', () => {
  const table = Table.forEachTest();

  it('quarantine: the command puts a known lane into quarantine with the cause `behind`', async () => {
    await table.driver.introduce(5n);
    table.nowMs = 6_000;
    expect(await table.driver.quarantine(13n)).toMatchObject({ applied: true });
    expect(await table.lane()).toMatchObject({
      nextNonce: 5n,
      quarantine: { cause: 'behind', until: 13n, sinceMs: 6_000, isAged: false },
    });
  });

  it('quarantine: the ageing of a quarantine does not change its cause or start', async () => {
    const second = await table.secondLane();
    await second.introduce(0n);
    await table.driver.introduce(5n, { isAccepted: false, window: 8n });
    table.nowMs = 9_000;
    expect(await table.driver.quarantine(12n, true)).toMatchObject({ applied: true });
    expect(await table.lane()).toMatchObject({
      quarantine: { cause: 'introduced', until: 13n, sinceMs: 5_000, isAged: true },
    });
    expect(await table.driver.quarantine(99n, true)).toMatchObject(rejectedWith('known_already'));
    await second.quarantine(3n);
    await second.quarantine(4n, true);
    expect(await table.lane(SECOND_LANE)).toMatchObject({
      quarantine: { cause: 'behind', until: 4n, isAged: true },
    });
  });

  it('quarantine: the cause of a lane’s quarantine changes to `behind` if the ledger falls behind its chain', async () => {
    const second = await table.secondLane();
    await second.introduce(0n);
    await table.driver.introduce(5n, { isAccepted: false, window: 8n });
    await table.driver.quarantine(13n, true);
    table.nowMs = 6_000;
    expect(await table.driver.quarantine(12n)).toMatchObject({ applied: true });
    expect(await table.lane()).toMatchObject({
      quarantine: { cause: 'behind', until: 13n, sinceMs: 5_000, isAged: false },
    });
  });

  it('quarantine: the command is rejected for a lane that is already in quarantine or was never introduced', async () => {
    expect(await table.driver.quarantine(9n)).toMatchObject(rejectedWith('unknown_row'));
    await table.driver.introduce(5n);
    expect(await table.driver.quarantine(9n, true)).toMatchObject(rejectedWith('known_already'));
    await table.driver.quarantine(9n);
    expect(await table.driver.quarantine(12n)).toMatchObject(rejectedWith('known_already'));
    expect(await table.lane()).toMatchObject({ quarantine: { until: 9n } });
    table.driver.fence -= 1n;
    expect(await table.driver.quarantine(12n, true)).toMatchObject(rejectedWith('stale_fence'));
  });
});

describe('transition table: a quarantine ends', () => {
  const table = Table.forEachTest();

  /**
   * Puts nonces 5 and 6 of the lane into quarantine. The first `noops` of these nonces each get a
   * no-op of this ledger.
   */
  async function inQuestion({ isAged = true, noops = 2 } = {}): Promise<void> {
    await table.driver.introduce(5n, { isAccepted: false, window: 2n });
    if (isAged) await table.driver.quarantine(7n, true);
    for (let nonce = 5n; nonce < 5n + BigInt(noops); nonce += 1n)
      await table.noop(nonce, noopAt(nonce));
  }

  it('end_quarantine: a quarantine can end once every quarantined nonce is consumed', async () => {
    await inQuestion();
    expect(await table.driver.endQuarantine()).toMatchObject(rejectedWith('lane_quarantined'));
    await table.driver.settle(5n, took(noopAt(5n).hash));
    expect(await table.driver.endQuarantine()).toMatchObject(rejectedWith('lane_quarantined'));
    await table.driver.settle(6n, foreign);
    expect(await table.driver.endQuarantine()).toMatchObject({ applied: true });
    expect(await table.lane()).toMatchObject({ quarantine: null, nextNonce: 7n });
    await table.driver.broadcast('a', 7n);
  });

  it('end_quarantine: the quarantine can end although a nonce above its last nonce is open', async () => {
    await table.driver.introduce(5n);
    await table.driver.broadcast('before', 5n);
    await table.driver.quarantine(5n);
    await table.driver.quarantine(5n, true);
    expect(await table.driver.endQuarantine()).toMatchObject({ applied: true });
  });

  it('end_quarantine: the command is rejected while a quarantined nonce has no row yet', async () => {
    await inQuestion({ noops: 1 });
    await table.driver.settle(5n, foreign);
    expect(await table.driver.endQuarantine()).toMatchObject(rejectedWith('lane_quarantined'));
  });

  it('end_quarantine: the command is rejected before the lifetime of a mempool is over', async () => {
    await inQuestion({ isAged: false, noops: 0 });
    await table.driver.import(5n, 20n);
    expect(await table.driver.endQuarantine()).toMatchObject(rejectedWith('lane_quarantined'));
    await table.driver.quarantine(7n, true);
    expect(await table.driver.endQuarantine()).toMatchObject({ applied: true });
  });

  it('end_quarantine: the command is rejected for an unknown lane and for a lane that is not in quarantine', async () => {
    expect(await table.driver.endQuarantine(SECOND_LANE)).toMatchObject(
      rejectedWith('unknown_row'),
    );
    await table.driver.introduce(5n);
    expect(await table.driver.endQuarantine()).toMatchObject(rejectedWith('lane_quarantined'));
  });

  it('end_quarantine: all lanes that are behind their chain must end their quarantine together', async () => {
    const second = await table.secondLane();
    await table.driver.introduce(5n);
    await second.introduce(5n);
    for (const one of [table.driver, second]) {
      await one.quarantine(5n);
      await one.quarantine(5n, true);
    }
    expect(await table.driver.endQuarantine(LANE)).toMatchObject(rejectedWith('lane_quarantined'));
    expect(await table.driver.endQuarantine(LANE, SECOND_LANE)).toMatchObject({ applied: true });
    expect([await table.lane(), await table.lane(SECOND_LANE)]).toMatchObject([
      { quarantine: null },
      { quarantine: null },
    ]);
  });

  it('end_quarantine: an unconsumed nonce of one lane prevents the end of quarantine for all lanes behind their chain', async () => {
    const second = await table.secondLane();
    await table.driver.introduce(5n);
    await second.introduce(5n);
    await table.driver.quarantine(5n);
    await table.driver.quarantine(5n, true);
    await second.quarantine(9n);
    await second.quarantine(9n, true);
    expect(await table.driver.endQuarantine(LANE, SECOND_LANE)).toMatchObject(
      rejectedWith('lane_quarantined'),
    );
  });

  it('end_quarantine: a new lane can end its quarantine while another lane is behind its chain', async () => {
    const second = await table.secondLane();
    await second.introduce(0n);
    await table.driver.introduce(5n, { isAccepted: false, window: 0n });
    await table.driver.quarantine(5n, true);
    await second.quarantine(3n);
    expect(await table.driver.endQuarantine(LANE)).toMatchObject({ applied: true });
    expect(await table.lane(SECOND_LANE)).toMatchObject({ quarantine: { cause: 'behind' } });
  });
});
