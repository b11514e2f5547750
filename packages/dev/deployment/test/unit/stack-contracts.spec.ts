import { describe, expect, it } from '@jest/globals';
import { loadContract } from '@sotto/contracts';
import { sandboxWorld } from '@sotto/sandbox';
import { planStackContracts, type StackTerms } from '../../src/stack/stack-contracts.js';
import type { StackPool } from '../../src/stack/deployed-stack.js';
import { LENDING, MAYER_MULTIPLE_E18, VAULTS } from '../../src/stack/description.js';
import { planSetUps } from '../../src/stack/stack-set-ups.js';

const terms: StackTerms = {
  chainId: 'SN_SEPOLIA',
  deployer: { address: 0xdn, privateKey: 0x5ec2e7n, publicKey: 1n },
  accountClassHash: '0xacc',
  verifier: { kind: 'class', contractClass: loadContract('UncheckedGroth16Verifier') },
  salt: 'test',
  reserved: [],
  load: loadContract,
};
const planned = planStackContracts(terms);
const addressesOf = (other: Partial<StackTerms>): readonly bigint[] =>
  planStackContracts({ ...terms, ...other }).contracts.map(({ address }) => address);
const addresses = addressesOf({});

const termsOf = ({ denomination, maxFeeBps }: StackPool) => ({ denomination, maxFeeBps });

function mapped<T, Made>(
  record: Readonly<Record<string, T>>,
  make: (value: T) => Made,
): Readonly<Record<string, Made>> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, make(value)]));
}

describe('planStackContracts', () => {
  it('planStackContracts assigns a distinct address to every contract, and the same addresses in every plan', () => {
    expect(new Set(addresses).size).toBe(addresses.length);
    expect(addressesOf({})).toEqual(addresses);
  });

  it.each([
    ['another salt', { salt: 'other' }],
    [
      'another deployer',
      { deployer: { ...terms.deployer, address: 0xd2n, privateKey: 0x5ec2e8n } },
    ],
  ])('a stack planned with %s has different addresses', (_, other) => {
    const { verifier, guard } = planned.stack;
    const ownerless = [verifier, guard.address];
    expect(
      addressesOf(other).filter(
        (address) => addresses.includes(address) && !ownerless.includes(address),
      ),
    ).toEqual([]);
  });

  it('the planned stack has the same contracts, accounts and terms as the sandbox', () => {
    const { stack } = planned;
    expect(mapped(stack.pools, termsOf)).toEqual(mapped(sandboxWorld.pools, termsOf));
    expect(VAULTS).toEqual(mapped(sandboxWorld.vaults, ({ methods }) => methods));
    expect(mapped(stack.exchanges, ({ name, feeBps }) => [name, feeBps])).toEqual(
      mapped(sandboxWorld.exchanges, ({ name, feeBps }) => [name, feeBps]),
    );
    expect(mapped(stack.lendingPools, ({ name, vaultToken }) => [name, vaultToken])).toEqual(
      mapped(sandboxWorld.lendingPools, ({ name, vaultToken }) => [name, vaultToken]),
    );
    expect(mapped(stack.tokens, ({ symbol, decimals }) => [symbol, decimals])).toEqual(
      mapped(sandboxWorld.tokens, ({ symbol, decimals }) => [symbol, decimals]),
    );
    const { lending, purchases } = sandboxWorld;
    expect([LENDING.maxLtvE18, LENDING.market.reserve, MAYER_MULTIPLE_E18]).toEqual([
      lending.maxLtvE18,
      lending.reserve,
      purchases.mayerMultipleE18,
    ]);
    expect(stack.vaults.turbo.strategy).toBe(stack.lendingPools[LENDING.pool].address);
    expect(sandboxWorld.vaults.turbo.strategy).toBe(lending.pool);
    expect(Object.keys(stack.accounts)).toEqual(Object.keys(sandboxWorld.accounts));
  });

  it('planStackContracts plans no deployment of a verifier if a verifier contract exists', () => {
    const { stack, contracts } = planStackContracts({
      ...terms,
      verifier: { kind: 'address', address: 0x7e51n },
    });
    expect(stack.verifier).toBe(0x7e51n);
    expect(contracts.map(({ name }) => name)).not.toContain('verifier');
    const pools = contracts.filter(({ name }) => name.startsWith('pool '));
    expect(pools).toHaveLength(5);
    for (const { constructorCalldata } of pools) expect(constructorCalldata).toContain(0x7e51n);
  });

  it('planStackContracts deploys a verifier class that is given by its hash', () => {
    const { contracts } = planStackContracts({
      ...terms,
      verifier: { kind: 'class', contractClass: { classHash: '0x7e52' } },
    });
    expect(contracts.find(({ name }) => name === 'verifier')?.contractClass).toEqual({
      classHash: '0x7e52',
    });
  });

  it('planStackContracts deploys only the accounts that sign transactions', () => {
    const names = planned.contracts
      .map(({ name }) => name)
      .filter((name) => name.startsWith('account '));
    expect(names.map((name) => name.slice('account '.length))).toEqual([
      'lane1',
      'lane2',
      'lane3',
      'swapOwner',
      'curator',
      'keeper1',
      'keeper2',
      'treasury',
      'buyer',
      'depositor',
      'crowd1',
      'crowd2',
    ]);
  });
});

describe('planSetUps', () => {
  const oneStrk = 10n ** 18n;

  it('planSetUps transfers STRK and ETH of the deployer only for gas, unless reserves are given', () => {
    const { STRK, ETH } = planned.stack.tokens;
    const transfers = (reserves: Parameters<typeof planSetUps>[1]['reserves']) =>
      planSetUps(planned.stack, { strkEachFri: oneStrk, reserves })
        .flatMap(({ calls }) => calls)
        .filter(
          ({ contract, entrypoint }) =>
            [STRK.address, ETH.address].includes(contract) && entrypoint === 'transfer',
        );
    expect(transfers({})).toHaveLength(12);
    expect(transfers({ ETH: 5n })).toHaveLength(14);
  });

  it('planSetUps funds an account again only if it has less than half of the STRK amount', () => {
    const setUp = planSetUps(planned.stack, { strkEachFri: oneStrk, reserves: {} }).find(
      ({ name }) => name === 'STRK for gas',
    );
    expect(setUp?.isDone([oneStrk / 2n, 0n])).toBe(true);
    expect(setUp?.isDone([oneStrk / 2n - 1n, 0n])).toBe(false);
  });

  it('the accounts of the crowd send only their own approve calls during the set-up', () => {
    const { crowd1, crowd2 } = planned.stack.accounts;
    const others = planSetUps(planned.stack, { strkEachFri: oneStrk, reserves: {} }).filter(
      ({ by }) => by !== undefined,
    );
    expect(new Set(others.map(({ by }) => by))).toEqual(new Set([crowd1.address, crowd2.address]));
    expect(
      others.flatMap(({ calls }) => calls).every(({ entrypoint }) => entrypoint === 'approve'),
    ).toBe(true);
  });
});
