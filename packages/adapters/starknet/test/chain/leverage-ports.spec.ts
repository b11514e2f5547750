import { StarknetLeveragePositions, StarknetSnapshots } from '@sotto/adapter-starknet';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  leverageCalldata,
  leverageEntry,
  type LeverageCall,
  type LeverageLayout,
  type LeveragedVault,
} from '@sotto/curator-core';
import { DomainError, Felts, toFelt, u256ToHalves } from '@sotto/kernel';
import type { Snapshot } from '@sotto/submission-core';
import type { ChainStack } from '../support/chain-stack.js';
import type { ChainWorld } from '../support/chain-world.js';
import { describeOnChain } from '../support/node-under-test.js';

const ONE_WBTC = 10n ** 8n;
const BORROWED = 20_000n * 10n ** 6n;
/** 95 % of what the pool has to lend at first, its highest utilization. */
const FREE_AT_FIRST = 9_500_000n * 10n ** 6n;
const EVERYTHING = 10n ** 12n;
const TO_DEPLOY = Felts.of([...u256ToHalves(ONE_WBTC)]);

/** Of the development stack. */
const LAYOUT: LeverageLayout = {
  form: 'rounds',
  position: {
    entrypoint: 'position',
    fields: [
      { field: 'collateral', felts: 2 },
      { field: 'debt', felts: 2 },
    ],
  },
  up: {
    entrypoint: 'leverage_round',
    calldata: ['expected_debt', 'borrow', 'minimum', 'routes'],
  },
  down: {
    entrypoint: 'deleverage_round',
    calldata: ['expected_debt', 'withdraw', 'minimum', 'routes'],
  },
};

function turboOf({ lendingPools, tokens, vaults }: ChainWorld): LeveragedVault {
  return {
    id: 'turbo',
    address: toFelt(vaults.turbo.address),
    lendingPool: toFelt(lendingPools.prime.address),
    collateral: { symbol: 'WBTC', address: toFelt(tokens.WBTC.address), decimals: 8 },
    debt: { symbol: 'USDC', address: toFelt(tokens.USDC.address), decimals: 6 },
    layout: LAYOUT,
  };
}

describeOnChain((chain) => {
  describe('the position of the turbo vault', () => {
    let stack: ChainStack;
    let vault: LeveragedVault;
    let subject: StarknetLeveragePositions;
    beforeEach(async () => {
      stack = await chain.start();
      vault = turboOf(stack.world);
      subject = new StarknetLeveragePositions(stack.node);
    });
    afterEach(async () => stack.stop());

    const latest = async (): Promise<Snapshot> => new StarknetSnapshots(stack.node).latest(null);
    const byCurator = async (entrypoint: string, calldata: Felts): Promise<Snapshot> => {
      const curator = toFelt(stack.world.accounts.curator.address);
      await stack.send(await stack.sign(curator, vault.address, entrypoint, calldata));
      await stack.mine();
      return latest();
    };
    const round = async (call: Omit<LeverageCall, 'routes' | 'minimumOut'>): Promise<Snapshot> => {
      const { exchanges, tokens } = stack.world;
      const pair = [tokens.USDC.address, tokens.WBTC.address];
      const [sell = 0n, buy = 0n] = call.direction === 'up' ? pair : pair.toReversed();
      const routes = Felts.of([1n, sell, buy, exchanges.first.address, EVERYTHING, 0n]);
      return byCurator(
        leverageEntry(LAYOUT, call.direction).entrypoint,
        leverageCalldata(LAYOUT, { ...call, minimumOut: 1n, routes }),
      );
    };

    it('is nothing at first, with what the pool has to lend', async () => {
      expect(await subject.read(vault, await latest())).toEqual({
        collateral: 0n,
        debt: 0n,
        freeLiquidity: FREE_AT_FIRST,
        borrowRateE18: 0n,
        supplyRateE18: expect.any(BigInt),
        maxLtvE18: 85n * 10n ** 16n,
      });
    });

    it('follows rounds up and down, and stays what it was at the blocks before', async () => {
      await stack.giveWbtc(vault.address, ONE_WBTC);
      const supplied = await byCurator('deploy_to_lending', TO_DEPLOY);
      const up = await round({ direction: 'up', expectedDebt: 0n, amount: BORROWED });
      const atUp = await subject.read(vault, up);
      expect(atUp).toMatchObject({ debt: BORROWED, freeLiquidity: FREE_AT_FIRST - BORROWED });
      expect(atUp.collateral).toBeGreaterThan(ONE_WBTC);
      expect(atUp.borrowRateE18).toBeGreaterThan(0n);
      const amount = atUp.collateral / 100n;
      const down = await round({ direction: 'down', expectedDebt: BORROWED, amount });
      const atDown = await subject.read(vault, down);
      expect(atDown.collateral).toBe(atUp.collateral - amount);
      expect(atDown.debt).toBeLessThan(BORROWED);
      expect(atDown.freeLiquidity + atDown.debt).toBe(FREE_AT_FIRST);
      expect(await subject.read(vault, up)).toEqual(atUp);
      expect(await subject.read(vault, supplied)).toMatchObject({ collateral: ONE_WBTC, debt: 0n });
    });

    it('can’t be read at a block that the node does not have, nor of a vault that is not', async () => {
      const at = await latest();
      const elsewhere = { ...at, hash: toFelt('0xdead') };
      await expect(subject.read(vault, elsewhere)).rejects.toBeInstanceOf(DomainError);
      const nowhere = { ...vault, address: toFelt('0xdead') };
      await expect(subject.read(nowhere, at)).rejects.toBeInstanceOf(DomainError);
    });

    it('can’t be read when the node does not answer', async () => {
      const at = await latest();
      await stack.breakDown();
      await expect(subject.read(vault, at)).rejects.toBeInstanceOf(DomainError);
    });
  });
});
