import { toFelt } from '@sotto/kernel';
import { sandboxWorld, type SandboxAccount, type SandboxPool } from '@sotto/sandbox';
import type { DevAccount, DevDescriptionJson, DevPool, TokenSymbol } from '../description.js';

type PoolJson = DevDescriptionJson['pools'][keyof DevDescriptionJson['pools']];
type WorldDescription = Pick<
  DevDescriptionJson,
  'chainId' | 'signer' | 'feeAddress' | 'tokens' | 'pools' | 'swapPool' | 'accounts'
>;

/** Returns the description of contracts and accounts of the sandbox's chain. */
export function describeWorld(): WorldDescription {
  const { chainId, accounts, pools, swapPool } = sandboxWorld;
  const { sentinel_1x, sentinel_2x, stable_10, swap_input_1, swap_input_2 } = pools;
  return {
    chainId,
    signer: {
      address: toFelt(accounts.lane1.address),
      publicKey: toFelt(accounts.lane1.publicKey),
    },
    feeAddress: toFelt(accounts.feeCollector.address),
    tokens: {
      STRK: tokenOf('STRK'),
      ETH: tokenOf('ETH'),
      WBTC: tokenOf('WBTC'),
      USDC: tokenOf('USDC'),
    },
    pools: {
      sentinel_1x: poolOf(sentinel_1x, 'withdraw'),
      sentinel_2x: poolOf(sentinel_2x, 'withdraw'),
      stable_10: poolOf(stable_10, 'stable'),
      swap_input_1: poolOf(swap_input_1, 'swap_input'),
      swap_input_2: poolOf(swap_input_2, 'swap_input'),
    },
    swapPool: { address: toFelt(swapPool.address) },
    accounts: {
      depositor: accountOf(accounts.depositor),
      buyer: accountOf(accounts.buyer),
      crowd1: accountOf(accounts.crowd1),
      crowd2: accountOf(accounts.crowd2),
      recipient1: accountOf(accounts.recipient1),
      recipient2: accountOf(accounts.recipient2),
      recipient3: accountOf(accounts.recipient3),
    },
  };
}

function tokenOf(symbol: TokenSymbol) {
  const { address, decimals } = sandboxWorld.tokens[symbol];
  return { address: toFelt(address), decimals };
}

function poolOf({ address, token, denomination }: SandboxPool, kind: DevPool['kind']): PoolJson {
  const { USDC } = sandboxWorld.tokens;
  return {
    address: toFelt(address),
    kind,
    token: token === USDC.address ? 'USDC' : 'WBTC',
    denomination: String(denomination),
  };
}

function accountOf({ address, privateKey }: SandboxAccount): DevAccount {
  return { address: toFelt(address), privateKey: toFelt(privateKey) };
}
