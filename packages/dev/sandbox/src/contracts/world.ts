import { ec, hash, num } from 'starknet';
import { accountModel } from './account.js';
import { guardModel } from './guard.js';
import { privacyWorld } from './privacy-world.js';
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
  /** Value of one note, in the token's smallest unit. */
  readonly denomination: bigint;
  readonly maxFeeBps: number;
}

export interface SandboxExchange {
  readonly address: bigint;
  readonly name: string;
  /** Fee that the exchange deducts from every payment, in 1/10,000. */
  readonly feeBps: bigint;
}

export interface SandboxVault {
  readonly address: bigint;
  /**
   * Address that receives the vault's deployed funds. For the turbo vault, it is a lending pool.
   * For other vaults, no contract is deployed at this address.
   */
  readonly strategy: bigint;
  /**
   * Names of the method that deploys funds: the name in the specification, and the name in the
   * contract on mainnet if it differs.
   */
  readonly methods: readonly string[];
  readonly shape: VaultMethodShape;
}

export interface SandboxLendingPool {
  readonly address: bigint;
  readonly name: string;
  /** Asset that the pool lends. */
  readonly asset: bigint;
  /** ERC-20 token that represents shares of the supply. No contract is deployed at its address. */
  readonly vaultToken: { readonly address: bigint; readonly symbol: string };
}

/**
 * Seed of all private keys. The seed is public. Use the keys for development only, never for money.
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

const PRIME = 0x451fe483d5921a2919ddd81d0de6696669bccdacd859f72a4fba7656b97c3b5n;

/**
 * Contracts and accounts of the sandbox's chain, by name. Tokens, oracle, pools, swap pool and
 * router have their mainnet addresses, so only the chain id in a network profile differs from
 * mainnet. Accounts and exchanges have other addresses.
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
    /**
     * Input pools of private swaps. The denominations of the real input pools are not published.
     */
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
   * Contract that swaps payments of input pools and stores the output as notes, owned by {@link
   * sandboxWorld.accounts.swapOwner}.
   */
  swapPool: {
    address: 0x59abf82e0bc584a3b4e94fcc5aa4b5f7e9ea946b5fbe236cdecf491ad0b2c72n,
    maxFeeBps: 500,
  },
  /** Contract that pools store as their verifier. */
  verifier: hash.starknetKeccak('sotto sandbox verifier'),
  /**
   * Contract that reverts a transaction before an expensive call if a view has an unexpected
   * result.
   */
  guard: {
    address: hash.starknetKeccak('sotto sandbox guard'),
    classHash: guardModel.classHash,
  },
  /** Privacy pool of STRK20, and the contracts that its actions can invoke. */
  privacyPool: privacyWorld,
  /** Router of the aggregator. */
  router: 0x04270219d365d6b017231b52e92b3fb5d7c8378b05e9abc97724537a80e93b0fn,
  /**
   * Exchanges that the router knows. Both have the same rates, but the second one charges a fee.
   */
  exchanges: {
    first: exchangeNamed('Sandbox AMM', 0n),
    second: exchangeNamed('Sandbox Orders', 10n),
  },
  /**
   * Vaults whose asset is WBTC and whose owner is {@link sandboxWorld.accounts.curator}. The vaults
   * hold no funds initially.
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
    /**
     * Leveraged vault: supplies deployed funds to {@link sandboxWorld.lending}, and can borrow
     * against them.
     */
    turbo: leveragedVaultAt(
      0x05f3d02005027296ccfb90574544b941d9ddc55c673e6fe0e92cb6f07e68d1f7n,
      'deploy_to_lending',
      'deploy_to_vesu',
    ),
    apex: vaultAt(
      0x071eb7fc3a912c0ee85b1dc795e29fd77ff4203a33384a1171dd4fcb7c7b3df9n,
      'deploy_split',
    ),
  },
  /** Lending pools of WBTC. */
  lendingPools: {
    prime: lendingPoolAt(PRIME, 'Prime', {
      address: 0x4ecb0667140b9f45b067d026953ed79f22723f1cfac05a7b26c3ac06c88f56cn,
      symbol: 'vWBTC',
    }),
    partner_xbtc: lendingPoolAt(
      0x3a8416bf20d036df5b1cf3447630a2e1cb04685f6b0c3a70ed7fb1473548ecfn,
      'Re7 xBTC',
      {
        address: 0x131cc09160f144ec5880a0bc1a0633999030fa6a546388b5d0667cb171a52a0n,
        symbol: 'vWBTC-Re7xBTC',
      },
    ),
  },
  /** Terms of the turbo vault's loans of USDC against WBTC. */
  lending: {
    pool: PRIME,
    /** Maximum debt as a share of the collateral's value, where 1e18 is 100 %. */
    maxLtvE18: 85n * 10n ** 16n,
    /** Amount that is available for loans, in USDC's smallest unit. */
    reserve: 10n ** 13n,
  },
  /** Contract for recurring purchases of WBTC. */
  purchases: {
    address: 0x0730f5de50171590132ff9238859d7eccbfa8359393f52083b3b88b397955e56n,
    /**
     * Initial Mayer Multiple, which is consistent with the oracle's price and the aggregator's
     * price history.
     */
    mayerMultipleE18: 9n * 10n ** 17n,
  },
  accounts: {
    /** Address that receives the fees, signs no transactions and has no balance initially. */
    feeCollector: account('fee collector', {
      publicKey: 0x54fcdd69e2d6b5eb21f8f1d81b6904cbe96a4e10df2367438ed21a4c374f62en,
      address: 0x7e73e962fbfb771401beebd952831dda52e08f6f94ad2afe7352051d7931bd4n,
    }),
    /**
     * Accounts with which the relayer signs. Each has STRK, and the pools accept it as a relayer.
     */
    lane1: account('lane 1', {
      publicKey: 0x265a86193e7cdf0da35442c2e64a56772725eaeef3c64a06600ef8b43a34eddn,
      address: 0x890d0e652bb12e72398fb305fb5d5d11d1ce01c5ca9d6089957bc029384d2an,
    }),
    lane2: account('lane 2', {
      publicKey: 0x28a640f91ad9117d30d086aecd3bdbe1bb1a9d80ce6410e1fdeee90f9e9ed82n,
      address: 0x7b5275ee5a7007db3308612553313e6c575a1609899033bf8243253519b49ccn,
    }),
    lane3: account('lane 3', {
      publicKey: 0x7436da8f18e5e0c1ad30fff6bb2b4e6ef8258f11c2c2aeabb89eb57778f9ff0n,
      address: 0x74a696a48c16d258396ec2931421325f74419f1c3587f67e473a0ab7814c7efn,
    }),
    /** Account for private swaps: it owns the swap pool and has STRK. */
    swapOwner: account('swap owner', {
      publicKey: 0xc1839afefedabda96a523b501417f5b880687cf136b2c9712293eb37653bc7n,
      address: 0x7b5af5356954a380cb85bb8889d642a448cfd38ad5f6ea50eb8eb435dd91057n,
    }),
    /** Account that deploys idle funds of vaults: it owns all vaults and has STRK. */
    curator: account('curator', {
      publicKey: 0x794e3cd1e942330f2819db44b2de5af7a6106634db027600b811ddbbeec58een,
      address: 0x2e1374f59ca7dd03d5e868e9021a46f49453fb695a944a082e2fceefdd2c3b3n,
    }),
    /** Accounts with which the keeper signs. Each has STRK. */
    keeper1: account('keeper 1', {
      publicKey: 0x5bbd1b76b161d7f6daf95dfebdaac48c7af7bb522e64f73a1cd026c46551a3bn,
      address: 0x7c8548b0708ed5f8e5ea970594e6e3d0e1c76987c8291d403e9b9728ef451bcn,
    }),
    keeper2: account('keeper 2', {
      publicKey: 0x70b5f62786e1ad9ec8e6d1b8628ed435f802038f1159c36a99996994fac9940n,
      address: 0x14f67afde007d69fa5cb6bd886f32015c6402991e5454560974eea852e17f83n,
    }),
    /** Account that tops up the other accounts and has STRK, WBTC and USDC. */
    treasury: account('treasury', {
      publicKey: 0x2f9fc34fc0e9cda41d879956f596014522ecdf63f2a9b75a563f6741b02709an,
      address: 0x7ed7436ba26a1f69d64dce13a1ef12bfdbfce8f456047ebdf4dc4116200610cn,
    }),
    /** Account of a user with recurring purchases, with WBTC, USDC and STRK but no approvals. */
    buyer: account('buyer', {
      publicKey: 0xd5517d5021fd960285c07cfdc8a0177d3248f2c82b072c0613a481ee95a4dn,
      address: 0x79062ff272c2e0250016a1d7adb9fa6e14eb0a7876c115f17d32c45102ad481n,
    }),
    /** Account of a user, with WBTC, USDC and STRK but no approvals. */
    depositor: account('depositor', {
      publicKey: 0x63557e38a3af01c16b2d5a6d91b7dbe34dab19e4b3c61a560b572709206cb40n,
      address: 0x3b6c154ef80b30faad1e255fa2c6bfa31decbe04d4e3f93a4ab0b636ded34fn,
    }),
    /**
     * Accounts of other users, whose deposits fill batches. Each has WBTC and USDC, and has
     * approved every pool without limit.
     */
    crowd1: account('crowd 1', {
      publicKey: 0x18bc474ddacea1c59bffc604c622c38d093c2420912a3ce6a590df011e4a626n,
      address: 0x408855a98f21993238dbeda218693826848fc08806d348271c19299b29339c1n,
    }),
    crowd2: account('crowd 2', {
      publicKey: 0xd7e91b05adc08291468090cbabda82d9b345c3c111a75d66a23d9d1e7f2facn,
      address: 0x6ad5dd1dbb85ae5bd18be92e7f7c90c2bb2d62aff22d694b063f3ae2e2300a5n,
    }),
    /** Addresses that receive payouts, initially without a balance and without transactions. */
    recipient1: account('recipient 1', {
      publicKey: 0x10054f03901a7ab07840dbfdeb64b084fab2efedf1323a93d36857c929e797cn,
      address: 0x3541d2b009aa6de9b8fa02d8f8fd5d6941373418d7c5ab15a4033eb2109ab28n,
    }),
    recipient2: account('recipient 2', {
      publicKey: 0x1be58fd6d1ff8a3f76d0ac91de1415d239f98a3e0d17b98eff9183a5aa7a9a0n,
      address: 0x81822e86052e7c0197b3c5010aa90643f0f0c60172254467fac808c90b34a3n,
    }),
    recipient3: account('recipient 3', {
      publicKey: 0xd27ba9591854494179777a3267c80d31387e4ba7042114f5a6464a77b5ff4cn,
      address: 0x76f31d44dfd271bd7d7a18fc0df93c9c5babbc22264bd1b2ebb4e81abf5c5f6n,
    }),
  },
} as const;

/**
 * Returns an additional lane account, derived in the same manner as the first three lanes.
 * @param number lane number from 4; see `extraLanes` of the genesis
 */
export function extraLane(number: number): SandboxAccount {
  const known = extraLanes.get(number) ?? account(`lane ${number}`);
  extraLanes.set(number, known);
  return known;
}

/**
 * Cache of additional lanes, because the computation of a key and an address is as slow as a
 * request.
 */
const extraLanes = new Map<number, SandboxAccount>();

function pool(address: bigint, token: SandboxToken, denomination: bigint): SandboxPool {
  // The maximum fee is the protocol's default.
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

function leveragedVaultAt(address: bigint, ...methods: readonly string[]): SandboxVault {
  return { address, strategy: PRIME, methods, shape: 'amount' };
}

function lendingPoolAt(
  address: bigint,
  name: string,
  vaultToken: SandboxLendingPool['vaultToken'],
): SandboxLendingPool {
  return { address, name, asset: WBTC.address, vaultToken };
}

/**
 * Derives an account from its name.
 * @param known stored public key and address, which a test compares with the computed ones.
 *   Computing them for every account would add a third of a second to each process and test file
 */
function account(name: string, known?: PublicSide): SandboxAccount {
  // A Starknet Keccak has 250 bits, so it is below the curve's order.
  const privateKey = hash.starknetKeccak(`${KEY_SEED}/${name}`);
  return { ...(known ?? publicSideOf(privateKey)), privateKey };
}

type PublicSide = Pick<SandboxAccount, 'publicKey' | 'address'>;

/** Returns the public key and the address of a private key's account. */
export function publicSideOf(privateKey: bigint): PublicSide {
  const publicKey = BigInt(ec.starkCurve.getStarkKey(num.toHex(privateKey)));
  const address = BigInt(
    hash.calculateContractAddressFromHash(publicKey, accountModel.classHash, [publicKey], 0n),
  );
  return { publicKey, address };
}
