import { ec, hash, num } from 'starknet';
import { accountModel } from './account.js';
import type { VaultMethodShape } from './vault.js';

export interface SandboxAccount {
  readonly address: bigint;
  readonly publicKey: bigint;
  readonly privateKey: bigint;
}

export interface SandboxToken {
  readonly address: bigint;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
}

export interface SandboxPool {
  readonly address: bigint;
  readonly token: bigint;
  /** In the token's smallest unit. */
  readonly denomination: bigint;
  readonly maxFeeBps: number;
}

export interface SandboxExchange {
  readonly address: bigint;
  readonly name: string;
  /** What the exchange keeps of every amount it pays, in 1/10,000. */
  readonly feeBps: bigint;
}

export interface SandboxVault {
  readonly address: bigint;
  /** Takes what the vault deploys; no contract stands there. */
  readonly strategy: bigint;
  /**
   * The deploying method, by the specification's name and by that of the live contract where it is
   * another.
   */
  readonly methods: readonly string[];
  readonly shape: VaultMethodShape;
}

export interface SandboxLendingPool {
  readonly address: bigint;
  readonly name: string;
  /** What it lends. */
  readonly asset: bigint;
  /** Stands for a share in the supply; no contract stands there. */
  readonly vaultToken: { readonly address: bigint; readonly symbol: string };
}

/**
 * The private keys follow from this text, so everybody has them: for development, never for money.
 */
const KEY_SEED = 'sotto sandbox: public test keys, worth nothing';

const STRK = {
  address: 0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938dn,
  name: 'Starknet Token',
  symbol: 'STRK',
  decimals: 18,
} as const;
const WBTC = {
  address: 0x03fe2b97c1fd336e750087d68b9b867997fd64a2661ff3ca5a7c771641e8e7acn,
  name: 'Wrapped BTC',
  symbol: 'WBTC',
  decimals: 8,
} as const;
const USDC = {
  address: 0x033068f6539f8e6e6b131e6b2b814e6c34a5224bc66947c47dab9dfee93b35fbn,
  name: 'USD Coin',
  symbol: 'USDC',
  decimals: 6,
} as const;
const ETH = {
  address: 0x049d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7n,
  name: 'Ether',
  symbol: 'ETH',
  decimals: 18,
} as const;

/**
 * What stands on the sandbox's chain, by name. Tokens, oracle, pools, swap pool and router have
 * their mainnet addresses, so a network profile differs from mainnet's in its chain id alone;
 * accounts and exchanges have addresses of their own.
 */
export const sandboxWorld = {
  chainId: 'SN_SOTTO_SANDBOX',
  tokens: { STRK, WBTC, USDC, ETH },
  oracle: 0x2a85bd616f912537c50a49a4076db02c00b29b2cdc8a197ce92ed1837fa875bn,
  pools: {
    sentinel_1x: pool(
      0x2bdb9769851d0307e812351cc1eb31b617951fba786cfd5d58baff36589a33n,
      WBTC,
      20_000n,
    ),
    sentinel_2x: pool(
      0x2a94630f46bcf7362c12ed5b0163b4dd7644eb923aaada61ffb858d7912e03dn,
      WBTC,
      40_000n,
    ),
    stable_10: pool(
      0x4f4af2cf01a1cf28f424ce2ce3d7fed7f11792c88e5ce7a3eedd21cea24a5ebn,
      USDC,
      10_000_000n,
    ),
    /** Inputs of private swaps. What the real ones are denominated in is not published. */
    swap_input_1: pool(
      0xa9ca1d554d7ef360e47de70f89fefcb571b568c8dd049de96fa181e1c69c60n,
      WBTC,
      20_000n,
    ),
    swap_input_2: pool(
      0x6729a96665ddffa05443774414e550d95d473e87874b273f2ed7ae03bda5dcan,
      WBTC,
      40_000n,
    ),
  },
  /**
   * Takes what input pools pay and keeps it in another token; {@link
   * sandboxWorld.accounts.swapOwner} is its owner.
   */
  swapPool: {
    address: 0x59abf82e0bc584a3b4e94fcc5aa4b5f7e9ea946b5fbe236cdecf491ad0b2c72n,
    maxFeeBps: 500,
  },
  /** What the pools check proofs with. */
  verifier: hash.starknetKeccak('sotto sandbox verifier'),
  /** The aggregator's router. */
  router: 0x04270219d365d6b017231b52e92b3fb5d7c8378b05e9abc97724537a80e93b0fn,
  /** Where the router buys and sells. They follow the same rates; the second is the dearer one. */
  exchanges: {
    first: exchangeNamed('Sandbox AMM', 0n),
    second: exchangeNamed('Sandbox Orders', 10n),
  },
  /**
   * Vaults whose asset is WBTC and whose owner is {@link sandboxWorld.accounts.curator}; nothing
   * lies in them at the start.
   */
  vaults: {
    sentinel: vaultAt(
      0x04ec7fdb1679450fb88eae9facc439a46be4ddeba628211e269a7467f6e0971bn,
      'deploy_to_lending',
      'deploy_to_vesu',
    ),
    citadel: vaultAt(
      0x077ad8d0fe4b946cedc02eb8eb61a64e85bcde802a83e879e8c68fed8b9b130en,
      'stake_to_staking',
      'stake_to_endur',
    ),
    trident: {
      ...vaultAt(
        0x058aadc9db62700de03d89a7c8f2952851d94e75f854cc6a340ef92d00cd3fb8n,
        'execute_staking_loop',
      ),
      shape: 'loop',
    },
    delta_neutral: vaultAt(
      0x06c8779ee7ed14b35ac5c6eae5dc721cc3e8104a65ffef4b5252babc407a1012n,
      'deploy_collateral',
    ),
    turbo: vaultAt(
      0x05f3d02005027296ccfb90574544b941d9ddc55c673e6fe0e92cb6f07e68d1f7n,
      'deploy_to_lending',
      'deploy_to_vesu',
    ),
    apex: vaultAt(
      0x071eb7fc3a912c0ee85b1dc795e29fd77ff4203a33384a1171dd4fcb7c7b3df9n,
      'deploy_split',
    ),
  },
  /** Where WBTC is lent. */
  lendingPools: {
    prime: lendingPoolAt(
      0x451fe483d5921a2919ddd81d0de6696669bccdacd859f72a4fba7656b97c3b5n,
      'Prime',
      {
        address: 0x4ecb0667140b9f45b067d026953ed79f22723f1cfac05a7b26c3ac06c88f56cn,
        symbol: 'vWBTC',
      },
    ),
    partner_xbtc: lendingPoolAt(
      0x3a8416bf20d036df5b1cf3447630a2e1cb04685f6b0c3a70ed7fb1473548ecfn,
      'Re7 xBTC',
      {
        address: 0x131cc09160f144ec5880a0bc1a0633999030fa6a546388b5d0667cb171a52a0n,
        symbol: 'vWBTC-Re7xBTC',
      },
    ),
  },
  accounts: {
    /** Takes the fees; signs nothing and owns nothing at the start. */
    feeCollector: account('fee collector'),
    /** The relayer's signing accounts: hold STRK and are the pools' relayers. */
    lane1: account('lane 1'),
    lane2: account('lane 2'),
    lane3: account('lane 3'),
    /** May swap privately: owner of the swap pool, holds STRK. */
    swapOwner: account('swap owner'),
    /** Deploys what lies idle in vaults: owner of them all, holds STRK. */
    curator: account('curator'),
    /** A user: holds WBTC, USDC and STRK, and has approved nothing. */
    depositor: account('depositor'),
    /**
     * Other users, who fill batches: hold WBTC and USDC and have approved every pool without limit.
     */
    crowd1: account('crowd 1'),
    crowd2: account('crowd 2'),
    /** Fresh addresses to be paid to. */
    recipient1: account('recipient 1'),
    recipient2: account('recipient 2'),
    recipient3: account('recipient 3'),
  },
} as const;

/**
 * One more account like the world's lanes, which are the first three.
 * @param number 4 and up; see `extraLanes` of the genesis
 */
export function extraLane(number: number): SandboxAccount {
  return account(`lane ${number}`);
}

function pool(address: bigint, token: SandboxToken, denomination: bigint): SandboxPool {
  // The protocol's default.
  return { address, token: token.address, denomination, maxFeeBps: 500 };
}

function exchangeNamed(name: string, feeBps: bigint): SandboxExchange {
  return { address: hash.starknetKeccak(`sotto sandbox exchange ${name}`), name, feeBps };
}

function vaultAt(address: bigint, ...methods: readonly string[]): SandboxVault {
  return {
    address,
    strategy: hash.starknetKeccak(`sotto sandbox strategy of ${address}`),
    methods,
    shape: 'amount',
  };
}

function lendingPoolAt(
  address: bigint,
  name: string,
  vaultToken: SandboxLendingPool['vaultToken'],
): SandboxLendingPool {
  return { address, name, asset: WBTC.address, vaultToken };
}

function account(name: string): SandboxAccount {
  // A Starknet Keccak has 250 bits, so it is below the curve's order.
  const privateKey = hash.starknetKeccak(`${KEY_SEED}/${name}`);
  const publicKey = BigInt(ec.starkCurve.getStarkKey(num.toHex(privateKey)));
  const address = BigInt(
    hash.calculateContractAddressFromHash(publicKey, accountModel.classHash, [publicKey], 0n),
  );
  return { address, publicKey, privateKey };
}
