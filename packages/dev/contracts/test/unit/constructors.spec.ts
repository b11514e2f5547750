import { describe, expect, it } from '@jest/globals';
import { CallData } from 'starknet';
import {
  constructorCalldata,
  contractNames,
  loadContract,
  type ConstructorParameters,
} from '../../src/index.js';

/**
 * Constructor parameters that all have different values, so that a wrong order of parameters is
 * detected.
 */
const parameters: ConstructorParameters = {
  Erc20: { name: 'Wrapped BTC', symbol: 'WBTC', decimals: 8, minter: 1n },
  Exchange: { owner: 1n, feeBps: 2 },
  LendingPool: {
    owner: 1n,
    curve: {
      minTargetUtilization: 2n,
      targetUtilization: 3n,
      maxTargetUtilization: 4n,
      zeroUtilizationRate: 5n,
      minFullUtilizationRate: 6n,
      maxFullUtilizationRate: 7n,
      halfLifeSeconds: 8n,
      targetRateE18: 2n ** 200n,
    },
    terms: {
      priceOracle: 9n,
      collateralAsset: 10n,
      debtAsset: 11n,
      maxLtvE18: 2n ** 200n + 12n,
    },
  },
  Guard: {},
  PriceOracle: { owner: 1n },
  PurchaseKeeper: { owner: 1n, wbtc: 2n, router: 3n },
  Router: { owner: 1n },
  ShieldedPool: {
    owner: 1n,
    token: 2n,
    denomination: 2n ** 200n + 3n,
    maxFeeBps: 4,
    verifier: 5n,
    relayers: [6n, 7n],
    autoDeploy: true,
    developmentAllowsRespending: false,
  },
  SwapPool: {
    owner: 1n,
    wbtc: 2n,
    router: 3n,
    maxFeeBps: 4,
    verifier: 5n,
    developmentAllowsRespending: true,
  },
  TurboVault: { owner: 1n, asset: 2n, debtAsset: 3n, lendingPool: 4n, router: 5n },
  UncheckedGroth16Verifier: {},
  Vault: { owner: 1n, asset: 2n, strategy: 3n, methods: ['deploy_to_lending', 'deploy_to_vesu'] },
};

describe('constructorCalldata', () => {
  it.each(contractNames)(
    'encodes the constructor parameters of %s in the order of the compiled class’s ABI',
    (name) => {
      const { abi } = loadContract(name).sierra;
      const expected =
        name === 'UncheckedGroth16Verifier'
          ? []
          : new CallData(abi).compile('constructor', named(parameters[name]));
      expect(constructorCalldata(name, parameters[name])).toEqual(expected.map(BigInt));
    },
  );

  it.each(['', 'x'.repeat(32), 'Bücher'])('rejects the text "%s" as a short string', (text) => {
    expect(() => constructorCalldata('Erc20', { ...parameters.Erc20, symbol: text })).toThrow(
      RangeError,
    );
  });

  it.each([-1n, 2n ** 256n])('rejects %s as a u256', (denomination) => {
    expect(() =>
      constructorCalldata('ShieldedPool', { ...parameters.ShieldedPool, denomination }),
    ).toThrow(RangeError);
  });
});

type Named = Record<string, string | number | bigint | boolean | string[] | bigint[] | object>;

/** Renames the fields to Cairo's parameter names, which have no units. */
function named(values: object): Named {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key
        .replace(/(Seconds|E18)$/, '')
        .replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value !== null && typeof value === 'object' && !Array.isArray(value) ? named(value) : value,
    ]),
  );
}
