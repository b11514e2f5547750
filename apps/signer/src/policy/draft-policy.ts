import { SPECIFIED_METHODS, type CalldataRecipe } from '@sotto/curator-core';
import type { Felt } from '@sotto/kernel';
import {
  guardedDepositTokens,
  leveragedVaults,
  poolsToDeploy,
  profilePools,
  purchaseContract,
  type NetworkProfile,
} from '@sotto/network-profile';
import { APPLY_ACTIONS_ENTRYPOINT } from '@sotto/relayer-core';
import { MESSAGES } from '../messages.js';
import { selectorOf, type PolicyFile } from './policy.js';

type CallRule = PolicyFile['accounts'][number]['calls'][number];

/**
 * Accounts by role, with their limits. The network profile contains the contracts that they call.
 */
export interface Roles {
  readonly relay: readonly Felt[];
  readonly swapOwner: Felt | null;
  readonly curator: Felt | null;
  readonly keepers: readonly Felt[];
  readonly treasury: Felt | null;
  /**
   * True if the policy allows relayed deposits. The signer can't check a depositor's consent. Code
   * that controls the service could therefore spend the amounts that depositors have approved for
   * the pools.
   */
  readonly deposits: boolean;
  readonly budget: PolicyFile['budget'];
  /** Maximum amount that the treasury may transfer per day to accounts of the policy, in fri. */
  readonly topUpPerDayFri: bigint;
  /**
   * Maximum STRK that withdrawals may give to their recipients per hour, in fri; 0 permits none.
   */
  readonly recipientGasPerHourFri: bigint;
  /**
   * Maximum STRK that private actions may approve to the privacy pool per hour, in fri; 0 permits
   * none.
   */
  readonly poolFeesPerHourFri: bigint;
  /**
   * Maximum amount that the treasury may transfer per day to leveraged vaults, in USDC's smallest
   * unit.
   */
  readonly repayPerDay: bigint;
  /**
   * Maximum amount of earned fees that may be sold per day, by ERC-20 token and in its smallest
   * unit.
   */
  readonly soldPerDay: ReadonlyMap<string, bigint>;
}

/** Maximum gas prices in fri, which far exceed the prices that the service offers by default. */
const MAX_L2_PRICE_FRI = '100000000000';
const MAX_L1_PRICE_FRI = '1000000000000000';
/** Maximum STRK that one withdrawal gives to its recipient, in fri: the service's default. */
const RECIPIENT_GAS_FRI = '1000000000000000000';

/**
 * Drafts a policy for a service with this network profile. A person must review and narrow the
 * draft.
 */
export function draftPolicy(chainName: string, profile: NetworkProfile, roles: Roles): PolicyFile {
  const { l2Gas, l1Gas, l1DataGas } = profile.limits.withdrawalBounds;
  const bounds = {
    l2Gas: { maxAmount: String(l2Gas), maxPriceFri: MAX_L2_PRICE_FRI },
    l1Gas: { maxAmount: String(l1Gas), maxPriceFri: MAX_L1_PRICE_FRI },
    l1DataGas: { maxAmount: String(l1DataGas), maxPriceFri: MAX_L1_PRICE_FRI },
    maxTipFri: '0',
  };
  const account = (
    address: Felt,
    calls: readonly CallRule[],
    messages: readonly string[] = [],
  ) => ({
    address,
    messages: MESSAGES.filter((name) => messages.includes(name)),
    calls: [...calls],
    bounds,
  });
  const { relay, swapOwner, curator, keepers, treasury } = roles;
  return {
    version: 1,
    chainId: chainName,
    budget: roles.budget,
    ...(roles.recipientGasPerHourFri === 0n
      ? {}
      : {
          recipientGas: {
            token: profile.tokens.STRK.address,
            most: RECIPIENT_GAS_FRI,
            perHourFri: String(roles.recipientGasPerHourFri),
          },
        }),
    ...privateActions(profile, roles),
    accounts: [
      ...relay.map((address, index) =>
        account(address, relayCalls(profile, roles), index === 0 ? MESSAGES : []),
      ),
      ...(swapOwner === null ? [] : [account(swapOwner, swapCalls(profile))]),
      ...(curator === null ? [] : [account(curator, curatorCalls(profile))]),
      ...keepers.map((address) => account(address, keeperCalls(profile))),
      ...(treasury === null ? [] : [account(treasury, treasuryCalls(profile, treasury, roles))]),
    ],
  };
}

function privateActions(
  { privacyPool, tokens }: NetworkProfile,
  { poolFeesPerHourFri: perHourFri }: Roles,
): Pick<PolicyFile, 'privateActions'> {
  if (privacyPool === undefined) return {};
  const { maxPoolFeeFri } = privacyPool;
  const most = perHourFri < maxPoolFeeFri ? perHourFri : maxPoolFeeFri;
  return {
    privateActions: {
      pool: privacyPool.address,
      token: tokens.STRK.address,
      most: String(most),
      perHourFri: String(perHourFri),
      outsideExecutions: true,
    },
  };
}

const opaque = (contract: Felt, entrypoint: string): CallRule => ({
  contract,
  entrypoint,
  opaque: true,
});

function relayCalls(profile: NetworkProfile, { deposits }: Roles): readonly CallRule[] {
  return [
    // Calldata of withdrawals needs no rule: the proof binds recipient, relayer and fee, and the
    // pool verifies the proof.
    ...profilePools(profile).map(({ address }) => opaque(address, 'withdraw')),
    ...poolsToDeploy(profile).flatMap(({ address: contract }) =>
      ['deploy_batch', 'deploy_partial_batch'].map((entrypoint) => ({
        contract,
        entrypoint,
        felts: 1,
      })),
    ),
    // The proof of private actions binds all payments, and the pool and the network verify it.
    ...(profile.privacyPool === undefined
      ? []
      : [opaque(profile.privacyPool.address, APPLY_ACTIONS_ENTRYPOINT)]),
    ...(deposits ? profile.pools.map(({ address }) => opaque(address, 'deposit')) : []),
    ...guardCalls(profile, deposits),
  ];
}

const selectors = (...names: readonly string[]): string[] => [...new Set(names)].map(selectorOf);

/**
 * Rules for the guard calls before a withdrawal or a deposit. The calldata of such a call contains
 * the number of views, then contract, selector and arguments of each view, and the expected result.
 * The rules fix all values except notes, roots, depositors and amounts.
 */
function guardCalls(profile: NetworkProfile, deposits: boolean): readonly CallRule[] {
  const { guard, entrypoints, pools } = profile;
  if (guard === undefined) return [];
  const { isSpent, isKnownRoot } = entrypoints.pool;
  const notePools = profilePools(profile).map(({ address }) => address);
  const tokens = [...new Set(guardedDepositTokens(profile).values())];
  const views: CallRule = {
    contract: guard.address,
    entrypoint: 'assert_views',
    felts: 15,
    arguments: {
      '0': ['0x2'],
      '1': notePools,
      // The swap pool always has the view names of V4 contracts, even if the other pools of the
      // profile have different names.
      '2': selectors(isSpent, 'is_spent'),
      '3': ['0x2'],
      '6': ['0x1'],
      '7': ['0x0'],
      '8': notePools,
      '9': selectors(isKnownRoot, 'is_known_root'),
      '10': ['0x2'],
      '13': ['0x1'],
      '14': ['0x1'],
    },
  };
  const floors: CallRule = {
    contract: guard.address,
    entrypoint: 'assert_floors',
    felts: 14,
    arguments: {
      '0': ['0x2'],
      '1': tokens,
      '2': selectors('allowance'),
      '3': ['0x2'],
      '5': pools.flatMap((pool) => (pool.hashesBeforePayment ? pool.address : [])),
      '8': tokens,
      '9': selectors('balanceOf'),
      '10': ['0x1'],
    },
  };
  return [views, ...(deposits && tokens.length > 0 ? [floors] : [])];
}

function swapCalls({ swapPool }: NetworkProfile): readonly CallRule[] {
  return swapPool === undefined ? [] : [opaque(swapPool.address, 'private_swap')];
}

function curatorCalls(profile: NetworkProfile): readonly CallRule[] {
  const deployments = profile.vaults.map(({ id, address, entrypoint, calldata }) => {
    const specified = SPECIFIED_METHODS[id];
    return {
      contract: address,
      entrypoint: entrypoint ?? specified.entrypoint,
      ...formOf(calldata ?? specified.calldata),
    };
  });
  const rounds = leveragedVaults(profile).flatMap(({ address, layout }) => {
    const entries = layout.form === 'lever' ? [layout.lever] : [layout.up, layout.down];
    return [...new Set(entries.map(({ entrypoint }) => entrypoint))].map((entrypoint) =>
      opaque(address, entrypoint),
    );
  });
  return [...deployments, ...rounds];
}

/**
 * Returns the number of felts of a call, and the felts with fixed values, from the order of the
 * arguments in its calldata. An amount has two felts.
 */
function formOf(recipe: CalldataRecipe): Pick<CallRule, 'felts' | 'arguments'> {
  const fixed: Record<string, string[]> = {};
  let at = 0;
  for (const part of recipe) {
    if (part !== 'amount') fixed[String(at)] = [`0x${part.toString(16)}`];
    at += part === 'amount' ? 2 : 1;
  }
  return Object.keys(fixed).length === 0 ? { felts: at } : { felts: at, arguments: fixed };
}

function keeperCalls(profile: NetworkProfile): readonly CallRule[] {
  const purchases = purchaseContract(profile);
  if (purchases === null) return [];
  return [opaque(purchases.address, purchases.layout.entrypoints.execute)];
}

const upTo = (at: number, amount: bigint) => ({
  at,
  most: String(amount),
  perDay: String(amount),
});

const transfer = (contract: Felt, recipients: readonly Felt[], perDay: bigint): CallRule => ({
  contract,
  entrypoint: 'transfer',
  felts: 3,
  arguments: { '0': [...recipients] },
  amount: upTo(1, perDay),
});

function treasuryCalls(profile: NetworkProfile, treasury: Felt, roles: Roles): readonly CallRule[] {
  const { relay, swapOwner, curator, keepers, topUpPerDayFri, repayPerDay, soldPerDay } = roles;
  const { STRK, USDC } = profile.tokens;
  const own = [...relay, swapOwner, curator, ...keepers].flatMap((address) => address ?? []);
  const vaults = leveragedVaults(profile).map(({ address }) => address);
  const routers = profile.swapPool?.routers ?? [];
  const sold = [...soldPerDay].flatMap(([symbol, perDay]) => {
    const token = profile.tokens[symbol];
    return token === undefined ? [] : [{ token: token.address, perDay }];
  });
  return [
    ...(topUpPerDayFri === 0n ? [] : [transfer(STRK.address, own, topUpPerDayFri)]),
    ...(repayPerDay === 0n || vaults.length === 0
      ? []
      : [transfer(USDC.address, vaults, repayPerDay)]),
    ...(routers.length === 0 ? [] : sold).map(({ token, perDay }) => ({
      contract: token,
      entrypoint: 'approve',
      felts: 3,
      arguments: { '0': [...routers] },
      amount: upTo(1, perDay),
    })),
    ...(sold.length === 0 ? [] : routers).map((router) => ({
      contract: router,
      entrypoint: 'multi_route_swap',
      arguments: {
        '0': sold.map(({ token }) => token),
        '3': [STRK.address],
        // The rule fixes two arguments: the treasury is the recipient of the bought ERC-20 tokens,
        // and the integrator's share is zero.
        '8': [treasury],
        '9': ['0x0'],
      },
      amount: upTo(
        1,
        sold.reduce((sum, { perDay }) => sum + perDay, 0n),
      ),
    })),
  ];
}
