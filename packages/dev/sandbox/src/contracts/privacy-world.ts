import { hash } from 'starknet';
import type { GenesisContract } from '../engine/genesis.js';
import { hostileContract } from './hostile-contract.js';
import {
  privacyPool,
  privacyPoolClassHash,
  SCREENING_POLICY,
  type PrivacyPoolOptions,
  type PrivacyPoolVersion,
} from './privacy-pool.js';
import { mapEntry, PRIVACY_POOL_STORAGE as STORAGE, slotAt } from './privacy-pool-storage.js';
import { privacySwap } from './privacy-swap.js';
import type { ContractStorage } from './storage.js';

/** Key pair of the screening service. The private key is public: use it for development only. */
const SCREENER = {
  privateKey: hash.starknetKeccak('sotto sandbox screening service'),
  publicKey: 0x4ca221a8b62db88d4f01c96d986f019ed12731f09bd865850321db685defa49n,
} as const;

/** Privacy pool of the sandbox, and the contracts that its actions can invoke. */
export const privacyWorld = {
  address: hash.starknetKeccak('sotto sandbox privacy pool'),
  /** Class of the pool in the genesis. */
  classHash: privacyPoolClassHash('2.0'),
  /**
   * Class hashes of the pool: the initial one, one with the same code, and the class before
   * version 2.0.
   */
  classes: {
    current: privacyPoolClassHash('2.0'),
    next: privacyPoolClassHash('2.0', 2),
    older: privacyPoolClassHash('before 2.0'),
  },
  /** Initial number of blocks in which the pool accepts a proof. */
  validityBlocks: 450,
  feeCollector: hash.starknetKeccak('sotto sandbox privacy fee collector'),
  screener: SCREENER,
  /** Contract that swaps a private balance into an open note. */
  swap: hash.starknetKeccak('sotto sandbox privacy swap'),
  /** Contract that misbehaves on request. */
  hostile: hash.starknetKeccak('sotto sandbox hostile contract'),
} as const;

/** Addresses of other contracts that the privacy contracts use. */
export interface PrivacySurroundings {
  readonly feeToken: bigint;
  readonly router: bigint;
  readonly exchange: bigint;
  /** True if a second write to a storage address of the pool reverts. @default true */
  readonly enforceWriteOnce?: boolean | undefined;
}

/** Changes of the privacy pool. Omitted members do not change. */
export interface PrivacyPoolChanges {
  readonly isPaused?: boolean | undefined;
  /** Fee of each `apply_actions`, in fri. */
  readonly feeFri?: bigint | undefined;
  /** Number of blocks after its base block in which the pool accepts a proof. */
  readonly validityBlocks?: number | undefined;
  /** True if deposits need an attestation of the screening service. */
  readonly isScreening?: boolean | undefined;
}

/** Returns the classes that the pool can have. */
export function privacyPoolClasses({ feeToken, enforceWriteOnce }: PrivacySurroundings) {
  const shared = { feeToken, enforceWriteOnce };
  const classOf = (rest: Pick<PrivacyPoolOptions, 'version' | 'release'>) =>
    privacyPool({ ...shared, ...rest });
  return {
    current: classOf({ version: '2.0' }),
    next: classOf({ version: '2.0', release: 2 }),
    older: classOf({ version: 'before 2.0' }),
  };
}

/** Returns the pool, and the contracts that it can invoke, whose deposits need no screening. */
export function privacyContracts(
  surroundings: PrivacySurroundings,
  version: PrivacyPoolVersion,
): GenesisContract[] {
  const { current, older } = privacyPoolClasses(surroundings);
  const { address, swap, hostile, validityBlocks, feeCollector, screener } = privacyWorld;
  return [
    {
      address,
      model: version === '2.0' ? current : older,
      storage: {
        [STORAGE.validityBlocks]: BigInt(validityBlocks),
        [STORAGE.feeCollector]: feeCollector,
        [STORAGE.screenerPublicKey]: screener.publicKey,
        [policyOf(swap)]: SCREENING_POLICY.exempt,
        [policyOf(hostile)]: SCREENING_POLICY.exempt,
      },
    },
    { address: swap, model: privacySwap(surroundings) },
    { address: hostile, model: hostileContract },
  ];
}

/** Returns the storage key of an invoked contract's screening policy. */
function policyOf(contract: bigint): string {
  return slotAt(mapEntry('open_note_depositor_screening_policies', contract));
}

/** Changes the pool in its storage, as if an administrator had done so. */
export function setPrivacyPool(
  storage: ContractStorage,
  { isPaused, feeFri, validityBlocks, isScreening }: PrivacyPoolChanges,
): void {
  if (isPaused !== undefined) storage.set(STORAGE.paused, isPaused ? 1n : 0n);
  if (feeFri !== undefined) storage.set(STORAGE.feeAmount, feeFri);
  if (validityBlocks !== undefined) storage.set(STORAGE.validityBlocks, BigInt(validityBlocks));
  if (isScreening !== undefined)
    storage.set(STORAGE.screenerPublicKey, isScreening ? privacyWorld.screener.publicKey : 0n);
}
