import {
  Revert,
  type CallContext,
  type ContractModel,
  type Entrypoint,
} from '../engine/contract.js';
import { Arguments, modelClassHash, u256Felts } from './calldata.js';
import { tokenBalance } from './erc20.js';
import { PAUSED, view } from './pool-parts.js';

/**
 * Parameters of the method that deploys funds. `amount` is (amount: u256). `loop` is (amount: u256,
 * loops: u8).
 */
export type VaultMethodShape = 'amount' | 'loop';

export interface VaultOptions {
  /** Address of the ERC-20 token that the vault manages. */
  readonly asset: bigint;
  /** Address of the curator: the only account that may deploy funds. */
  readonly owner: bigint;
  /** Address that receives deployed funds. */
  readonly strategy: bigint;
  /** Names of the method that deploys funds. Several names are aliases of one method. */
  readonly methods: readonly string[];
  readonly shape: VaultMethodShape;
}

/** Storage keys that genesis and the control interface may set. No entry point sets them. */
export const VAULT_STORAGE = {
  /** Pause flag. While it is not zero, deployments revert. */
  paused: PAUSED,
} as const;

/** L2 gas of a deployment: approval, transfer and supply to one lending pool. */
const DEPLOY_L2_GAS = 2_000_000n;
/** L2 gas of one loop: stake, supply, borrow and swap. */
const LOOP_L2_GAS = 10_000_000n;
const MAX_LOOPS = 10;

/**
 * Vault, reduced to the interface that its curator uses. The vault's own token balance is idle, and
 * a deployment moves it to the strategy. The vault's assets are the sum of both. The texts `Not
 * owner` and `paused` are the protocol's texts.
 */
export function vault(options: VaultOptions): ContractModel {
  const { asset, owner, strategy, methods } = options;
  const deploy = deployIdle(options);
  return {
    name: 'Vault',
    classHash: modelClassHash('Vault'),
    entrypoints: {
      asset: view(() => [asset]),
      owner: view(() => [owner]),
      total_assets: view((context) =>
        u256Felts(
          tokenBalance(context, asset, context.self) + tokenBalance(context, asset, strategy),
        ),
      ),
      ...Object.fromEntries(methods.map((name) => [name, deploy])),
    },
  };
}

function deployIdle({ asset, owner, strategy, shape }: VaultOptions): Entrypoint {
  return (context, calldata) => {
    const args = new Arguments(calldata);
    const amount = args.u256();
    const loops = shape === 'loop' ? args.u32() : 0;
    args.end();
    context.useL2Gas(DEPLOY_L2_GAS + LOOP_L2_GAS * BigInt(loops));
    requireAllowed(context, owner);
    if (amount === 0n) throw new Revert('Zero amount');
    if (shape === 'loop' && (loops === 0 || loops > MAX_LOOPS)) throw new Revert('Invalid loops');
    if (amount > tokenBalance(context, asset, context.self)) throw new Revert('Insufficient idle');
    context.call(asset, 'transfer', [strategy, ...u256Felts(amount)]);
    return [];
  };
}

/**
 * Checks the caller and the pause flag. @throws Revert if the caller is not the owner, or while the
 * vault is paused
 */
export function requireAllowed(context: CallContext, owner: bigint): void {
  if (context.caller !== owner) throw new Revert('Not owner');
  if (context.get(VAULT_STORAGE.paused) !== 0n) throw new Revert('paused');
}
