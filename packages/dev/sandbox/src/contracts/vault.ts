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
 * Parameters of the deploying method. `amount`: (amount: u256). `loop`: (amount: u256, loops: u8).
 */
export type VaultMethodShape = 'amount' | 'loop';

export interface VaultOptions {
  /** Address of the ERC20 that the vault manages. */
  readonly asset: bigint;
  /** The curator: the only account that may deploy. */
  readonly owner: bigint;
  /** Address that receives deployed funds. */
  readonly strategy: bigint;
  /** Names of the deploying method; several names are aliases. */
  readonly methods: readonly string[];
  readonly shape: VaultMethodShape;
}

/** Storage that genesis and the control interface may set; it has no entry points. */
export const VAULT_STORAGE = {
  /** If non-zero, deployments revert. */
  paused: PAUSED,
} as const;

/** L2 gas of approval, transfer and supply to one lending pool. */
const DEPLOY_L2_GAS = 2_000_000n;
/** L2 gas of one loop: stake, supply, borrow and swap back. */
const LOOP_L2_GAS = 10_000_000n;
const MAX_LOOPS = 10;

/**
 * A vault as its curator sees it. The vault's own token balance is idle, deploying moves it to the
 * strategy, and the sum of both is its assets. The texts `Not owner` and `paused` are the
 * protocol's.
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
 * Checks the caller. @throws Revert for any account but the owner, and while the vault is paused
 */
export function requireAllowed(context: CallContext, owner: bigint): void {
  if (context.caller !== owner) throw new Revert('Not owner');
  if (context.get(VAULT_STORAGE.paused) !== 0n) throw new Revert('paused');
}
