import { beforeEach, describe, expect, it } from '@jest/globals';
import { LedgerJudge } from '../../src/application/ledger-judge.js';
import { LaneBench } from '../support/lane.js';
import { LANE } from './world.js';

let lane: LaneBench;
let shown: { nonce: bigint; blockNumber: number };
let judge: LedgerJudge;

/** A ledger whose nonces 0 and 1 are open, and a node that shows the account at `shown`. */
beforeEach(async () => {
  lane = await LaneBench.held();
  for (const nonce of [0n, 1n])
    await lane.ledger.apply({ type: 'import', lane: LANE, nonce, through: nonce, fence: 1n });
  const { deps, settings } = lane.context;
  const head = async (): ReturnType<LaneBench['head']> => ({
    ...(await lane.head()),
    blockNumber: shown.blockNumber,
    accounts: new Map([[LANE, { nonce: shown.nonce, balanceFri: 0n }]]),
  });
  const reader = Object.assign(Object.create(lane.chain), { head });
  judge = new LedgerJudge({ ...deps, reader }, settings);
});

const judged = (nonce: bigint, blockNumber: number): Promise<boolean> => {
  shown = { nonce, blockNumber };
  return judge.isUpToChain();
};

describe('nonces that the chain had passed when it was first compared', () => {
  it('have to be settled', async () => {
    expect(await judged(1n, 10)).toBe(false);
    expect(await judged(1n, 11)).toBe(false);
  });

  it('are no more than then: what it passes later is the present ledger’s', async () => {
    expect(await judged(0n, 10)).toBe(true);
    expect(await judged(2n, 11)).toBe(true);
  });

  it.each([10, 11])(
    'are fewer where a rollback has taken some back, at block %i after 10',
    async (blockNumber) => {
      expect(await judged(1n, 10)).toBe(false);
      expect(await judged(0n, blockNumber)).toBe(true);
    },
  );

  it('are not fewer by the word of a node that is behind', async () => {
    expect(await judged(1n, 10)).toBe(false);
    expect(await judged(0n, 9)).toBe(false);
    expect(await judged(1n, 10)).toBe(false);
  });

  it('are named in the log, once each, when they stay undecided', async () => {
    const warned = (): readonly unknown[] =>
      lane.said.flatMap(({ level, fields }) => (level === 'warn' ? [fields] : []));
    await judged(1n, 10);
    lane.clock.advance(29_999);
    await judged(1n, 11);
    expect(warned()).toEqual([]);
    lane.clock.advance(1);
    await judged(1n, 12);
    await judged(1n, 13);
    expect(warned()).toEqual([{ lane: LANE, nonce: '0' }]);
  });
});
