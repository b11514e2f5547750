import { StarknetSnapshots, StarknetVaultFunds } from '@sotto/adapter-starknet';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { toFelt, u256ToHalves } from '@sotto/kernel';
import { describeOnDevnet } from '../support/describe-on-devnet.js';
import { DevnetChain, type ContractCall } from '../support/devnet-chain.js';

/**
 * Names of each vault's deploy method: first in the specification, then in the contract that is
 * live on mainnet.
 */
const VAULTS = {
  sentinel: ['deploy_to_lending', 'deploy_to_vesu'],
  citadel: ['stake_to_staking', 'stake_to_endur'],
  trident: ['execute_staking_loop'],
  delta_neutral: ['deploy_collateral'],
  turbo: ['deploy_to_lending', 'deploy_to_vesu'],
  apex: ['deploy_split'],
} as const;

const LOOP = 'execute_staking_loop';
const METHODS = [...new Set(Object.values(VAULTS).flat())];
const IDLE = 1_000_000n;
const STRATEGY = 0x57a7e97n;

describeOnDevnet('vaults', () => {
  let chain: DevnetChain;
  let wbtc: bigint;
  let funds: StarknetVaultFunds;
  beforeAll(async () => {
    chain = await DevnetChain.start();
    wbtc = await chain.deploy('Erc20', {
      name: 'Wrapped BTC',
      symbol: 'WBTC',
      decimals: 8,
      minter: chain.owner,
    });
    funds = new StarknetVaultFunds(chain.node, toFelt(wbtc));
  });
  afterAll(() => chain.stop());

  /** Deploys a vault with a million idle sats and returns its address. */
  const vaultOf = async (methods: readonly string[]): Promise<bigint> => {
    const vault = await chain.deploy('Vault', {
      owner: chain.owner,
      asset: wbtc,
      strategy: STRATEGY,
      methods,
    });
    await chain.send({
      contract: wbtc,
      entrypoint: 'mint',
      calldata: [vault, ...u256ToHalves(IDLE)],
    });
    return vault;
  };
  const idleSats = async (vault: bigint): Promise<bigint> =>
    funds.idle(toFelt(vault), await new StarknetSnapshots(chain.node).latest(null));
  const deployedSats = async (): Promise<bigint> => {
    const [low = 0n] = await chain.view({
      contract: wbtc,
      entrypoint: 'balance_of',
      calldata: [STRATEGY],
    });
    return low;
  };

  it.each(Object.entries(VAULTS))(
    'vault %s deploys idle funds only through the methods for its own kind of vault',
    async (_id, methods) => {
      const vault = await vaultOf(methods);
      expect(await chain.view({ contract: vault, entrypoint: 'asset' })).toEqual([wbtc]);
      expect(await chain.view({ contract: vault, entrypoint: 'owner' })).toEqual([chain.owner]);
      let idle = IDLE;
      for (const method of methods) {
        const deployed = await deployedSats();
        expect(await chain.send(call(vault, method, 300_000n))).toMatchObject({
          revertReason: undefined,
        });
        idle -= 300_000n;
        expect([await idleSats(vault), await deployedSats()]).toEqual([idle, deployed + 300_000n]);
        expect(await chain.view({ contract: vault, entrypoint: 'total_assets' })).toEqual(
          u256ToHalves(idle + deployed + 300_000n),
        );
      }
      for (const other of METHODS.filter((method) => !methods.some((own) => own === method))) {
        const { revertReason } = await chain.send(call(vault, other));
        expect([other, revertReason]).toEqual([
          other,
          expect.stringContaining('ENTRYPOINT_NOT_FOUND'),
        ]);
      }
      expect(await idleSats(vault)).toBe(idle);
    },
  );

  it('only the curator can deploy funds of a vault or pause it', async () => {
    const vault = await vaultOf(VAULTS.apex);
    for (const refused of [
      call(vault, 'deploy_split'),
      { contract: vault, entrypoint: 'set_paused', calldata: [1n] },
    ]) {
      expect((await chain.sendAsStranger(refused)).revertReason).toContain('Not owner');
    }
    expect(await idleSats(vault)).toBe(IDLE);
  });

  it('a paused vault deploys no funds', async () => {
    const vault = await vaultOf(VAULTS.delta_neutral);
    await chain.send({ contract: vault, entrypoint: 'set_paused', calldata: [1n] });
    expect((await chain.send(call(vault, 'deploy_collateral'))).revertReason).toContain("'paused'");
    await chain.send({ contract: vault, entrypoint: 'set_paused', calldata: [0n] });
    expect((await chain.send(call(vault, 'deploy_collateral'))).revertReason).toBeUndefined();
  });

  it('a paused turbo vault does not change its leverage', async () => {
    const vault = await chain.deploy('TurboVault', {
      owner: chain.owner,
      asset: wbtc,
      debtAsset: wbtc,
      lendingPool: STRATEGY,
      router: STRATEGY,
    });
    const pause = { contract: vault, entrypoint: 'set_paused', calldata: [1n] };
    expect((await chain.sendAsStranger(pause)).revertReason).toContain('Not owner');
    await chain.send(pause);
    const round = [1n, 1n, 1n].flatMap(u256ToHalves).concat(0n);
    for (const refused of [
      call(vault, 'deploy_to_lending'),
      { contract: vault, entrypoint: 'leverage_round', calldata: round },
      { contract: vault, entrypoint: 'deleverage_round', calldata: round },
    ])
      expect((await chain.send(refused)).revertReason).toContain("'paused'");
  });

  it.each([
    ['nothing', 'Zero amount', 0n, 3n],
    ['more than lies idle', 'Insufficient idle', IDLE + 1n, 3n],
    ['in no loop', 'Invalid loops', 1n, 0n],
    ['in eleven loops', 'Invalid loops', 1n, 11n],
  ])('a vault rejects an invalid deployment: %s', async (_what, reason, amount, loops) => {
    const vault = await vaultOf(VAULTS.trident);
    expect((await chain.send(call(vault, LOOP, amount, loops))).revertReason).toContain(reason);
    expect(await idleSats(vault)).toBe(IDLE);
    expect((await chain.send(call(vault, LOOP, IDLE, 10n))).revertReason).toBeUndefined();
    expect(await idleSats(vault)).toBe(0n);
  });
});

function call(contract: bigint, entrypoint: string, amount = 1n, loops = 3n): ContractCall {
  return {
    contract,
    entrypoint,
    calldata: entrypoint === LOOP ? [...u256ToHalves(amount), loops] : u256ToHalves(amount),
  };
}
