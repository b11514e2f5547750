import { Cached, DomainError, type Felt } from '@sotto/kernel';
import type { GetKeeperStatus, SubjectStatus } from '@sotto/keeper-core';
import type { LatestBlock, Snapshot, Snapshots } from '@sotto/submission-core';
import { methodOf, type CuratedVault, type VaultId } from '../domain/vault.js';
import type { VaultFunds } from '../ports/vault-funds.port.js';

export interface ListedVault {
  readonly id: VaultId;
  readonly address: Felt;
  /** Name of the contract's entry point that deploys idle funds. */
  readonly method: string;
  /** Idle WBTC in sats; null if the balance can't be read now. */
  readonly idleSats: bigint | null;
  /** Result of the keeper's last check of the vault's idle funds; null before the first check. */
  readonly curated: SubjectStatus | null;
  /** Result of the keeper's last check of the vault's leverage; null before the first check. */
  readonly leveraged: SubjectStatus | null;
  /** True if the network profile describes how the vault borrows. */
  readonly canBorrow: boolean;
}

export interface VaultList {
  /** Block at which the idle funds were read; null if the node is unavailable. */
  readonly block: Snapshot | null;
  readonly vaults: readonly ListedVault[];
}

export interface ListVaultsPorts {
  readonly snapshots: Snapshots;
  readonly funds: VaultFunds;
  readonly latestBlock: Pick<LatestBlock, 'number'>;
  readonly keeper: Pick<GetKeeperStatus, 'execute'>;
}

export interface ListVaultsPolicy {
  readonly vaults: readonly CuratedVault[];
  /** Ids of the vaults that can borrow. */
  readonly leveraged: readonly VaultId[];
}

interface IdleFunds {
  readonly block: Snapshot;
  readonly sats: ReadonlyMap<VaultId, bigint | null>;
}

const ALL = 'all';

/** Lists the vaults of the network profile with their idle funds and the keeper's last checks. */
export class ListVaults {
  /**
   * Cached idle funds. A result is not cached if it is incomplete or if it is of a block before the
   * newest block.
   */
  readonly #idle = new Cached<IdleFunds & { readonly latest: number }>({
    freshMs: ({ block, latest, sats }) =>
      block.number < latest || [...sats.values()].includes(null) ? 0 : Infinity,
  });

  constructor(
    private readonly ports: ListVaultsPorts,
    private readonly policy: ListVaultsPolicy,
  ) {}

  /**
   * Returns the vaults in the profile's order. All balances are of one block, and the balances of a
   * block are read once for all callers. A value is null if the node or the store can't provide it;
   * the call does not reject for a missing value.
   */
  async execute(): Promise<VaultList> {
    const [idle, tasks] = await Promise.all([
      orNull(this.#idleFunds()),
      orNull(this.ports.keeper.execute()),
    ]);
    const inspect = (name: 'curator' | 'leverage', id: VaultId): SubjectStatus | null =>
      tasks
        ?.find(({ task }) => task === name)
        ?.subjects.find(({ subject, lastPoll }) => subject === id && lastPoll !== null) ?? null;
    return {
      block: idle?.block ?? null,
      vaults: this.policy.vaults.map((vault) => ({
        id: vault.id,
        address: vault.address,
        method: methodOf(vault).entrypoint,
        idleSats: idle?.sats.get(vault.id) ?? null,
        curated: inspect('curator', vault.id),
        leveraged: inspect('leverage', vault.id),
        canBorrow: this.policy.leveraged.includes(vault.id),
      })),
    };
  }

  async #idleFunds(): Promise<IdleFunds> {
    const { latestBlock, snapshots, funds } = this.ports;
    const latest = await latestBlock.number();
    return this.#idle.get(
      ALL,
      async () => {
        const block = await snapshots.latest(null);
        const sats = await Promise.all(
          this.policy.vaults.map(
            async ({ id, address }) => [id, await orNull(funds.idle(address, block))] as const,
          ),
        );
        return { latest, block, sats: new Map(sats) };
      },
      latest,
    );
  }
}

/**
 * Returns null if the source rejects with a `DomainError`; other errors, which are defects, are
 * rethrown.
 */
async function orNull<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
