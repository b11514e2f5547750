import { createHash } from 'node:crypto';
import { Felts, feltToBigInt, u256FromHalves, u256ToHalves, type Felt } from '@sotto/kernel';
import type { CallPurpose } from '@sotto/submission-core';
import { CommitmentInvalid } from '../../errors.js';
import {
  DepositExpired,
  DepositExpiryTooFar,
  DepositSignatureInvalid,
  DepositorNotDeployed,
} from '../../deposit-errors.js';
import { BN254_SCALAR_ORDER } from './withdrawal.js';

/** Method of a pool. Only the pool's relayers may call it. */
export const DEPOSIT_ENTRYPOINT = 'deposit';

/** Total number of leaves of a pool's tree. */
export const TREE_CAPACITY = 1_024;

/** Maximum time until the expiry of a consent, in milliseconds. */
const MAX_CONSENT_MS = 3_600_000;

/**
 * Maximum length of a signature in felts: enough for several owners or a passkey, without being a
 * burden.
 */
export const MAX_SIGNATURE_FELTS = 128;

/** Terms of a request for a deposit, without its pool. */
export interface DepositTerms {
  /** Commitment of the note that the deposit creates. */
  readonly commitment: bigint;
  /** Account that pays. Private. */
  readonly depositor: Felt;
  /** Expiry of the consent. */
  readonly expiresAtMs: number;
  readonly signature: Felts;
}

/** Exclusive upper bound of contract addresses. */
const ADDRESS_BOUND = 2n ** 251n - 256n;

/**
 * @throws CommitmentInvalid, DepositorNotDeployed, DepositSignatureInvalid for values that no pool
 *   and no account can accept
 */
export function checkDepositLayout({ commitment, depositor, signature }: DepositTerms): void {
  if (commitment <= 0n || commitment >= BN254_SCALAR_ORDER) throw new CommitmentInvalid();
  const address = feltToBigInt(depositor);
  if (address === 0n || address >= ADDRESS_BOUND) throw new DepositorNotDeployed();
  if (signature.length === 0 || signature.length > MAX_SIGNATURE_FELTS)
    throw new DepositSignatureInvalid();
}

/** @throws DepositExpired, DepositExpiryTooFar */
export function checkDepositExpiry({ expiresAtMs }: DepositTerms, nowMs: number): void {
  if (expiresAtMs <= nowMs) throw new DepositExpired();
  if (expiresAtMs > nowMs + MAX_CONSENT_MS) throw new DepositExpiryTooFar();
}

/**
 * Returns the ledger key of the deposit that creates a note, for any payer:
 * `chain|pool|deposit|commitment`.
 */
export function depositKey(chainId: Felt, pool: Felt, commitment: bigint): string {
  return `${chainId}|${pool}|deposit|0x${commitment.toString(16)}`;
}

/** Purpose of the attempt that creates a note. */
export function depositPurpose(pool: Felt, commitment: bigint): CallPurpose {
  return { kind: 'deposit', subject: pool, memo: `0x${commitment.toString(16)}` };
}

export function isDeposit({ kind }: Pick<CallPurpose, 'kind'>): boolean {
  return kind === 'deposit';
}

/** Returns the commitment of a {@link depositPurpose}; null for an attempt of another kind. */
export function madeCommitment(purpose: CallPurpose): bigint | null {
  return isDeposit(purpose) && purpose.memo !== null ? BigInt(purpose.memo) : null;
}

/**
 * Returns a pseudonym of the depositor for stored data: SHA-256 in hex. The pseudonym is equal for
 * all deposits of a depositor, in all pools.
 */
export function depositFingerprint(chainId: Felt, depositor: Felt): string {
  return createHash('sha256').update(`${chainId}|${DEPOSIT_ENTRYPOINT}|${depositor}`).digest('hex');
}

/** Builds the calldata of `deposit(commitment: u256, depositor: ContractAddress)`. */
export function depositCalldata({
  commitment,
  depositor,
}: Pick<DepositTerms, 'commitment' | 'depositor'>): Felts {
  return Felts.of([...u256ToHalves(commitment), feltToBigInt(depositor)]);
}

const HALF_BITS = 128n;
const DEPOSIT_FELTS = 3;

/** Parses the calldata of {@link depositCalldata}; null for felts in another layout. */
export function readDepositCalldata(
  felts: Felts,
): Pick<DepositTerms, 'commitment' | 'depositor'> | null {
  if (felts.length !== DEPOSIT_FELTS) return null;
  const [low, high] = [felts.at(0), felts.at(1)];
  if (low >> HALF_BITS !== 0n || high >> HALF_BITS !== 0n) return null;
  return { commitment: u256FromHalves(low, high), depositor: felts.feltAt(2) };
}
