import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { sandboxWorld, type SandboxToken } from '@sotto/sandbox';
import {
  leveragedVaults,
  NetworkProfile,
  purchaseContract,
  repeatedAddresses,
} from '@sotto/network-profile';

const shipped = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../profiles/${name}.json`, import.meta.url), 'utf8'));

const listed = ({ address, decimals }: SandboxToken): object => ({
  address: toFelt(address),
  decimals,
});

function problemsOf(profile: unknown): string[] {
  const { error } = NetworkProfile.safeParse(profile);
  const issues = (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
  return [...issues, ...repeatedAddresses(profile)];
}

describe('the shipped profiles', () => {
  it.each(['mainnet', 'sandbox'])('the network profile %s passes all domain checks', (name) => {
    expect(problemsOf(shipped(name))).toEqual([]);
  });

  it('the network profile mainnet has all parts of the protocol, but no verification key', () => {
    const { pools, vaults, lendingPools, swapPool, verificationKey, limits } = NetworkProfile.parse(
      shipped('mainnet'),
    );
    const kinds = pools.map(({ kind }) => kind);
    expect(
      ['withdraw', 'stable', 'swap_input'].map(
        (kind) => kinds.filter((other) => other === kind).length,
      ),
    ).toEqual([8, 4, 4]);
    expect(vaults.map(({ id, entrypoint }) => [id, entrypoint])).toEqual([
      ['sentinel', 'deploy_to_vesu'],
      ['citadel', 'stake_to_endur'],
      ['trident', 'execute_staking_loop'],
      ['delta_neutral', 'deploy_collateral'],
      ['turbo', 'deploy_to_vesu'],
      ['apex', 'deploy_split'],
    ]);
    expect(vaults[2]?.calldata).toEqual(['amount', 3]);
    expect(lendingPools.map(({ slug, risk }) => [slug, risk])).toEqual([
      ['prime', { label: 'Low', level: 1 }],
      ['partner-xbtc', { label: 'Low-Medium', level: 2 }],
    ]);
    expect(swapPool).toMatchObject({ outputTokens: ['ETH', 'USDC', 'STRK'], branchRoutes: false });
    expect(verificationKey).toBeUndefined();
    expect(limits).toMatchObject({
      // Gas for the estimates before the first receipts are known. The 35 M of the specification do
      // not suffice for a withdrawal with a real verifier (docs/measured/gas.md).
      withdrawL2Gas: 60_000_000n,
      depositL2Gas: 800_000n,
      deployBatchL2Gas: 1_200_000n,
      privateSwapL2Gas: 65_000_000n,
      withdrawalBounds: {
        l2Gas: 1_200_000_000n,
        priceMultiplier: 3n,
        l1Gas: 256n,
        l1DataGas: 20_480n,
      },
    });
  });

  it('the network profile sandbox has the chain, addresses and pools of the sandbox chain', () => {
    const profile = NetworkProfile.parse(shipped('sandbox'));
    const { chainId, tokens, oracle, pools, swapPool, router, vaults, lendingPools } = sandboxWorld;
    const { purchases, verifier } = sandboxWorld;
    expect(profile.chainId).toBe(toFelt(`0x${Buffer.from(chainId).toString('hex')}`));
    expect(profile.tokens).toEqual(
      Object.fromEntries(Object.entries(tokens).map(([symbol, token]) => [symbol, listed(token)])),
    );
    expect(profile.oracle.address).toBe(toFelt(oracle));
    expect(
      profile.pools.map(({ key, address, token }) => [
        key,
        address,
        profile.tokens[token]?.address,
      ]),
    ).toEqual(
      Object.entries(pools).map(([key, pool]) => [key, toFelt(pool.address), toFelt(pool.token)]),
    );
    expect(profile.swapPool).toMatchObject({
      address: toFelt(swapPool.address),
      routers: [toFelt(router)],
      verifier: toFelt(verifier),
    });
    expect([...new Set(profile.pools.map((pool) => pool.verifier))]).toEqual([toFelt(verifier)]);
    // The vaults use the methods of the specification, so the profile contains no methods.
    expect(profile.vaults.map(({ leverage: _leverage, ...vault }) => vault)).toEqual(
      Object.entries(vaults).map(([id, { address }]) => ({ id, address: toFelt(address) })),
    );
    expect(leveragedVaults(profile)).toMatchObject([
      {
        id: 'turbo',
        address: toFelt(vaults.turbo.address),
        lendingPool: toFelt(lendingPools.prime.address),
        layout: { form: 'rounds' },
      },
    ]);
    expect(purchaseContract(profile)).toMatchObject({ address: toFelt(purchases.address) });
    expect(
      profile.lendingPools.map(({ address, vaultToken, vaultTokenSymbol }) => [
        address,
        vaultToken,
        vaultTokenSymbol,
      ]),
    ).toEqual(
      Object.values(lendingPools).map(({ address, vaultToken }) => [
        toFelt(address),
        toFelt(vaultToken.address),
        vaultToken.symbol,
      ]),
    );
  });
});
