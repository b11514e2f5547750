import { StarknetLeveragePositions, StarknetSnapshots, selectorOf } from '@sotto/adapter-starknet';
import * as runner from '@jest/globals';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  leverageCalldata,
  leverageEntry,
  type LeverageCall,
  type LeverageLayout,
  type LeveragedVault,
} from '@sotto/curator-core';
import { describeLeveragePositionsContract } from '@sotto/curator-core/testing/contracts';
import { DomainError, Felts, toFelt, u256ToHalves } from '@sotto/kernel';
import type { Snapshot } from '@sotto/submission-core';
import { z } from 'zod';
import type { ChainStack } from '../support/chain-stack.js';
import type { ChainWorld } from '../support/chain-world.js';
import { describeOnChain, describePortsOnChain } from '../support/node-under-test.js';

const ONE_WBTC = 10n ** 8n;
const BORROWED = 20_000n * 10n ** 6n;
/**
 * Liquidity that the pool can lend at first: its maximum utilization of 95 % times its initial
 * reserve.
 */
const FREE_AT_FIRST = 9_500_000n * 10n ** 6n;
const EVERYTHING = 10n ** 12n;
const MAX_LTV_E18 = 85n * 10n ** 16n;

/** Layout of the leveraged vault in the development stack. */
const LAYOUT: LeverageLayout = {
  form: 'rounds',
  position: {
    entrypoint: 'position',
    fields: [
      { field: 'collateral', felts: 2 },
      { field: 'debt', felts: 2 },
      { field: 'nominalDebt', felts: 2 },
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

/** Performs the actions of the vault's curator in a test. */
class Turbo {
  readonly vault: LeveragedVault;

  constructor(private readonly stack: ChainStack) {
    this.vault = turboOf(stack.world);
  }

  latest(): Promise<Snapshot> {
    return new StarknetSnapshots(this.stack.node).latest(null);
  }

  /** Transfers this many sats to the vault and supplies them. */
  async supply(sats: bigint): Promise<Snapshot> {
    await this.stack.giveWbtc(this.vault.address, sats);
    return this.#byCurator('deploy_to_lending', Felts.of(u256ToHalves(sats)));
  }

  round(call: Omit<LeverageCall, 'routes' | 'minimumOut'>): Promise<Snapshot> {
    const { exchanges, tokens } = this.stack.world;
    const pair = [tokens.USDC.address, tokens.WBTC.address];
    const [sell = 0n, buy = 0n] = call.direction === 'up' ? pair : pair.toReversed();
    const routes = Felts.of([1n, sell, buy, exchanges.first.address, EVERYTHING, 0n]);
    return this.#byCurator(
      leverageEntry(LAYOUT, call.direction).entrypoint,
      leverageCalldata(LAYOUT, { ...call, minimumOut: 1n, routes }),
    );
  }

  /** Transfers this much USDC to the vault. */
  async give(amount: bigint): Promise<Snapshot> {
    const { accounts, tokens } = this.stack.world;
    const calldata = Felts.of([BigInt(this.vault.address), ...u256ToHalves(amount)]);
    const [giver, usdc] = [toFelt(accounts.crowd1.address), toFelt(tokens.USDC.address)];
    await this.stack.send(await this.stack.sign(giver, usdc, 'transfer', calldata));
    await this.stack.mine();
    return this.latest();
  }

  /** Returns the collateral at the newest block, from the vault's view. */
  async collateral(): Promise<bigint> {
    const request = {
      contract_address: this.vault.address,
      entry_point_selector: selectorOf(LAYOUT.position.entrypoint),
      calldata: [],
    };
    const [low = 0n] = await this.stack.node.call({
      method: 'starknet_call',
      params: { request, block_id: 'latest' },
      result: z.array(z.string().transform(BigInt)),
    });
    return low;
  }

  async #byCurator(entrypoint: string, calldata: Felts): Promise<Snapshot> {
    const curator = toFelt(this.stack.world.accounts.curator.address);
    await this.stack.send(await this.stack.sign(curator, this.vault.address, entrypoint, calldata));
    await this.stack.mine();
    return this.latest();
  }
}

describePortsOnChain((chain) => {
  describeLeveragePositionsContract(runner, chain.name, async () => {
    const stack = await chain.start();
    const turbo = new Turbo(stack);
    return {
      subject: new StarknetLeveragePositions(stack.node, 0n),
      vault: turbo.vault,
      maxLtvE18: MAX_LTV_E18,
      latest: async () => turbo.latest(),
      lever: async (collateral, debt) => {
        await turbo.supply(collateral / 2n);
        await turbo.round({ direction: 'up', expectedDebt: 0n, amount: debt });
        return turbo.supply(collateral - (await turbo.collateral()));
      },
      give: async (amount) => turbo.give(amount),
      breakDown: async () => stack.breakDown(),
      stop: async () => stack.stop(),
    };
  });
});

describeOnChain((chain) => {
  describe('position of the turbo vault', () => {
    let stack: ChainStack;
    let turbo: Turbo;
    let vault: LeveragedVault;
    let subject: StarknetLeveragePositions;
    beforeEach(async () => {
      stack = await chain.start();
      turbo = new Turbo(stack);
      ({ vault } = turbo);
      subject = new StarknetLeveragePositions(stack.node, 0n);
    });
    afterEach(async () => stack.stop());

    it('the initial position of a leveraged vault has no collateral and no debt, and contains the lending pool’s free liquidity', async () => {
      expect(await subject.read(vault, await turbo.latest())).toEqual({
        collateral: 0n,
        debt: 0n,
        nominalDebt: 0n,
        held: 0n,
        freeLiquidity: FREE_AT_FIRST,
        borrowRateE18: 0n,
        supplyRateE18: expect.any(BigInt),
        maxLtvE18: MAX_LTV_E18,
      });
    });

    it('the position of a vault changes with leverage rounds in both directions', async () => {
      const supplied = await turbo.supply(ONE_WBTC);
      const up = await turbo.round({ direction: 'up', expectedDebt: 0n, amount: BORROWED });
      const atUp = await subject.read(vault, up);
      expect(atUp).toMatchObject({ debt: BORROWED, freeLiquidity: FREE_AT_FIRST - BORROWED });
      expect(atUp.collateral).toBeGreaterThan(ONE_WBTC);
      expect(atUp.borrowRateE18).toBeGreaterThan(0n);
      const amount = atUp.collateral / 100n;
      const { nominalDebt: expectedDebt } = atUp;
      const down = await turbo.round({ direction: 'down', expectedDebt, amount });
      const atDown = await subject.read(vault, down);
      expect(atDown.collateral).toBe(atUp.collateral - amount);
      expect(atDown.debt).toBeLessThan(BORROWED);
      expect(atDown.freeLiquidity + atDown.debt).toBe(FREE_AT_FIRST);
      expect(await subject.read(vault, up)).toEqual(atUp);
      expect(await subject.read(vault, supplied)).toMatchObject({ collateral: ONE_WBTC, debt: 0n });
    });

    it('rejects a read of a vault’s position at a block that the node lacks', async () => {
      const at = await turbo.latest();
      const elsewhere = { ...at, hash: toFelt('0xdead') };
      await expect(subject.read(vault, elsewhere)).rejects.toBeInstanceOf(DomainError);
      const nowhere = { ...vault, address: toFelt('0xdead') };
      await expect(subject.read(nowhere, at)).rejects.toBeInstanceOf(DomainError);
    });
  });
});
