import { describe, expect, it } from '@jest/globals';
import {
  EXAMPLE_PROFILE,
  NetworkProfile,
  leveragedVaults,
  purchaseContract,
} from '../../src/index.js';

const { purchases, vaults } = EXAMPLE_PROFILE;
const turbo = vaults[1];

function problemsOf(changes: object): string[] {
  const { error } = NetworkProfile.safeParse({ ...EXAMPLE_PROFILE, ...changes });
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('contract of recurring purchases in a profile', () => {
  it('the purchases contract has the usual entry point names if the profile contains none', () => {
    expect(purchaseContract(NetworkProfile.parse(EXAMPLE_PROFILE))).toEqual({
      address: '0x7001',
      firstBlock: 1_200_000,
      keeperFeeBps: 10,
      layout: {
        fields: purchases.order.fields,
        created: purchases.created,
        mayerMultiple: { size: 'u256', scale: 10n ** 18n },
        entrypoints: {
          order: 'get_order',
          mayerMultiple: 'get_mayer_multiple',
          execute: 'execute_order',
        },
        execution: ['order', 'minimum', 'routes'],
      },
    });
  });

  it('the purchases contract is null if the profile has no section for it', () => {
    const { purchases: _none, ...rest } = EXAMPLE_PROFILE;
    expect(purchaseContract(NetworkProfile.parse(rest))).toBeNull();
  });

  it('rejects a purchases contract whose layout lacks a field, and the error names this field', () => {
    const fields = purchases.order.fields.filter(({ name }) => name !== 'remaining');
    expect(problemsOf({ purchases: { ...purchases, order: { fields } } })).toEqual([
      'purchases: the order has no field remaining or deposited',
      'purchases: the order has no field remaining or spent',
    ]);
    expect(
      problemsOf({ purchases: { ...purchases, execute: { calldata: ['order', 'minimum'] } } }),
    ).toEqual(['purchases: the call that executes an order has to have routes once']);
  });

  it('rejects a purchases contract with an unknown order field', () => {
    const fields = [...purchases.order.fields, { name: 'owner', size: 'felt' }];
    const [problem] = problemsOf({ purchases: { ...purchases, order: { fields } } });
    expect(problem).toMatch(/^purchases\.order\.fields\.10\.name: /);
  });
});

describe('vault with leverage in a profile', () => {
  it('parses the leverage settings of a vault with the vault’s tokens and the layout of its calls', () => {
    expect(leveragedVaults(NetworkProfile.parse(EXAMPLE_PROFILE))).toEqual([
      {
        id: 'turbo',
        address: '0x5002',
        lendingPool: '0x6001',
        collateral: { symbol: 'WBTC', address: '0x1001', decimals: 8 },
        debt: { symbol: 'USDC', address: '0x1002', decimals: 6 },
        layout: turbo.leverage.layout,
      },
    ]);
  });

  it('accepts a leverage layout with one entry point for both directions of leverage', () => {
    const { position } = turbo.leverage.layout;
    const lever = {
      entrypoint: 'modify_lever',
      calldata: ['increase', 'borrow', 'withdraw', 'expected_debt', 'minimum', 'routes', 0],
    };
    const layout = { form: 'lever', position, lever };
    const profile = {
      ...EXAMPLE_PROFILE,
      vaults: [{ ...turbo, leverage: { lendingPool: '0x6001', layout } }],
    };
    expect(leveragedVaults(NetworkProfile.parse(profile))[0]?.layout).toEqual(layout);
  });

  it.each([
    [
      'a call without the debt that it expects',
      { up: { entrypoint: 'leverage_round', calldata: ['borrow', 'minimum', 'routes'] } },
      'vaults.0.leverage.layout.up.calldata: must have each of expected_debt, borrow, minimum, routes once',
    ],
    [
      'a position without its debt',
      {
        position: {
          fields: [
            { field: 'collateral', felts: 2 },
            { field: 'unused', felts: 2 },
          ],
        },
      },
      'vaults.0.leverage.layout.position.fields: must have collateral and debt once',
    ],
  ])('rejects a leverage layout for %s', (_name, change, problem) => {
    const layout = { ...turbo.leverage.layout, ...change };
    const leverage = { ...turbo.leverage, layout };
    expect(problemsOf({ vaults: [{ ...turbo, leverage }] })).toEqual([problem]);
  });
});
