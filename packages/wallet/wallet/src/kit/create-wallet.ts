import type { DepositAccount } from '../deposits/deposit-account.js';
import type { FeltInput } from '../fields.js';
import { jsonRpcNode } from '../node/json-rpc-node.js';
import type { NodeReader } from '../node/node-reader.js';
import { deriveNoteKeys } from '../notes/note-keys.js';
import { ShieldedPool } from '../pools/shielded-pool.js';
import type { Prover } from '../prover.js';
import type { Relayer } from '../relayers/relayers.js';
import type { WalletStorage } from '../storage.js';
import { Wallet } from './wallet.js';
import type { WalletPool } from './wallet-types.js';

/** Pool from a source that the wallet trusts, for example its network profile. */
export interface PoolOptions {
  /** Address of the pool's contract as 0x hex. */
  readonly address: string;
  /** ERC-20 token of the deposits as 0x hex. */
  readonly token: string;
  /** Block in which the pool was deployed. @default 0, which makes the node scan more blocks */
  readonly fromBlock?: number;
}

export interface CreateWalletOptions {
  /** At least 32 random bytes, or the 64 bytes of a BIP-39 seed; never a signature. */
  readonly seed: Uint8Array;
  /** URL of a Starknet node, or a reader of one. */
  readonly node: string | NodeReader;
  /** Relayers with their keys, in the sequence of preference. */
  readonly relayers: readonly Relayer[];
  readonly pools: readonly PoolOptions[];
  /** Pool of swapped notes. @default none: the wallet does not swap */
  readonly swapPool?: Omit<PoolOptions, 'token'>;
  /** Storage of this seed's work, shared by all tabs. Another seed needs another storage. */
  readonly storage: WalletStorage;
  readonly prover: Prover;
  /** Account that pays for deposits. @default none */
  readonly account?: DepositAccount;
  /** Expected chain id. @default any chain */
  readonly chainId?: FeltInput;
}

/**
 * Opens the pools and creates a wallet over them. Call `resumeAll` afterwards to continue the work
 * of earlier sessions.
 * @throws WalletError SEED_UNSUITABLE, CHAIN_MISMATCH, and the errors of `ShieldedPool.open`
 */
export async function createWallet(options: CreateWalletOptions): Promise<Wallet> {
  const { seed, pools, swapPool, relayers, storage, prover, account = null, chainId } = options;
  const keys = deriveNoteKeys(seed);
  const node = typeof options.node === 'string' ? jsonRpcNode({ url: options.node }) : options.node;
  const expected = chainId === undefined ? {} : { chainId };
  const means = { node, cache: storage, ...expected };
  const [shielded, swapped] = await Promise.all([
    Promise.all(
      pools.map(async (pool): Promise<WalletPool> => {
        const view = await ShieldedPool.open({ ...means, ...pool });
        return { view, token: pool.token, amount: view.denomination ?? null };
      }),
    ),
    swapPool === undefined
      ? null
      : ShieldedPool.open({ ...means, ...swapPool, kind: 'swap' }).then((view): WalletPool => ({
          view,
          token: null,
          amount: null,
          leafValue: (leafIndex) => view.valueOf(leafIndex),
        })),
  ]);
  const own = { keys, relayers, storage, prover, account };
  return new Wallet({ ...own, pools: shielded, swapPool: swapped });
}
