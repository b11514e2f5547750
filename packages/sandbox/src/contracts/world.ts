import { ec, hash, num } from 'starknet';
import { accountModel } from './account.js';

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

/** The private keys follow from this text, so everybody has them: for development, never for money. */
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

/**
 * What stands on the sandbox's chain, by name. Tokens, oracle and pools have their mainnet addresses, so a network
 * profile differs from mainnet's in its chain id alone; accounts have addresses and keys of their own.
 */
export const sandboxWorld = {
  chainId: 'SN_SOTTO_SANDBOX',
  tokens: { STRK, WBTC, USDC },
  oracle: 0x2a85bd616f912537c50a49a4076db02c00b29b2cdc8a197ce92ed1837fa875bn,
  pools: {
    sentinel_1x: pool(0x2bdb9769851d0307e812351cc1eb31b617951fba786cfd5d58baff36589a33n, WBTC, 20_000n),
    sentinel_2x: pool(0x2a94630f46bcf7362c12ed5b0163b4dd7644eb923aaada61ffb858d7912e03dn, WBTC, 40_000n),
    stable_10: pool(0x4f4af2cf01a1cf28f424ce2ce3d7fed7f11792c88e5ce7a3eedd21cea24a5ebn, USDC, 10_000_000n),
  },
  accounts: {
    /** Takes the fees; signs nothing and owns nothing at the start. */
    feeCollector: account('fee collector'),
    /** The relayer's signing accounts: hold STRK and are the pools' relayers. */
    lane1: account('lane 1'),
    lane2: account('lane 2'),
    lane3: account('lane 3'),
    /** A user: holds WBTC, USDC and STRK, and has approved nothing. */
    depositor: account('depositor'),
    /** Other users, who fill batches: hold WBTC and USDC and have approved every pool without limit. */
    crowd1: account('crowd 1'),
    crowd2: account('crowd 2'),
    /** Fresh addresses to be paid to. */
    recipient1: account('recipient 1'),
    recipient2: account('recipient 2'),
    recipient3: account('recipient 3'),
  },
} as const;

function pool(address: bigint, token: SandboxToken, denomination: bigint): SandboxPool {
  // The protocol's default.
  return { address, token: token.address, denomination, maxFeeBps: 500 };
}

function account(name: string): SandboxAccount {
  // A Starknet Keccak has 250 bits, so it is below the curve's order.
  const privateKey = hash.starknetKeccak(`${KEY_SEED}/${name}`);
  const publicKey = BigInt(ec.starkCurve.getStarkKey(num.toHex(privateKey)));
  const address = BigInt(hash.calculateContractAddressFromHash(publicKey, accountModel.classHash, [publicKey], 0n));
  return { address, publicKey, privateKey };
}
