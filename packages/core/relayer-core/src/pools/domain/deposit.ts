import { createHash } from 'node:crypto';
import {
  Felts,
  feltToBigInt,
  u256FromHalves,
  u256ToHalves,
  type DomainError,
  type Felt,
} from '@sotto/kernel';
import type { CallPurpose } from '@sotto/submission-core';
import { CommitmentInvalid } from '../../errors.js';
import {
  DepositExpired,
  DepositExpiryTooFar,
  DepositSignatureInvalid,
  DepositorNotDeployed,
} from '../../deposit-errors.js';
import { BN254_SCALAR_ORDER } from './withdrawal.js';

/** Entrypoint of a pool that makes a deposit. Only the pool's relayers may call it. */
export const DEPOSIT_ENTRYPOINT = 'deposit';

/** Total number of leaves of a pool's Merkle tree. */
export const TREE_CAPACITY = 1_024;

/** Maximum time from now until a consent expires, in milliseconds. */
const MAX_CONSENT_MS = 3_600_000;

/**
 * Maximum length of a signature in felts. Signatures of several owners or of a passkey are shorter,
 * and signatures up to this length are cheap to store and check.
 */
export const MAX_SIGNATURE_FELTS = 128;

/** Terms of a deposit request, except the pool. */
export interface DepositTerms {
  /** Commitment of the note that the deposit creates. */
  readonly commitment: bigint;
  /** Account that pays the deposit. The address is private. */
  readonly depositor: Felt;
  /** Time at which the depositor's consent expires. */
  readonly expiresAtMs: number;
  readonly signature: Felts;
}

/** Exclusive maximum of contract addresses. */
const ADDRESS_BOUND = 2n ** 251n - 256n;

/** Returns the error if no pool can accept the commitment; null otherwise. */
export function commitmentRejection(commitment: bigint): DomainError | null {
  return commitment > 0n && commitment < BN254_SCALAR_ORDER ? null : new CommitmentInvalid();
}

/** Returns the error if no account can have the address; null otherwise. */
export function depositorRejection(depositor: Felt): DomainError | null {
  const address = feltToBigInt(depositor);
  return address > 0n && address < ADDRESS_BOUND ? null : new DepositorNotDeployed();
}

/** Returns the error if the signature is empty or too long; null otherwise. */
export function signatureRejection({ length }: Felts): DomainError | null {
  return length > 0 && length <= MAX_SIGNATURE_FELTS ? null : new DepositSignatureInvalid();
}

/** Returns the error if the consent has expired or expires too late; null otherwise. */
export function expiryRejection(expiresAtMs: number, nowMs: number): DomainError | null {
  if (expiresAtMs <= nowMs) return new DepositExpired();
  return expiresAtMs > nowMs + MAX_CONSENT_MS ? new DepositExpiryTooFar() : null;
}

/**
 * Returns the ledger key of the deposit that creates a note: `chain|pool|deposit|commitment`. The
 * key does not depend on the depositor.
 */
export function depositKey(chainId: Felt, pool: Felt, commitment: bigint): string {
  return `${chainId}|${pool}|deposit|0x${commitment.toString(16)}`;
}

/** Purpose of the deposit that creates the note with this commitment. */
export function depositPurpose(pool: Felt, commitment: bigint): CallPurpose {
  return { kind: 'deposit', subject: pool, memo: `0x${commitment.toString(16)}` };
}

export function isDeposit({ kind }: Pick<CallPurpose, 'kind'>): boolean {
  return kind === 'deposit';
}

/** Returns the commitment of a {@link depositPurpose}; null if the attempt is not a deposit. */
export function madeCommitment(purpose: CallPurpose): bigint | null {
  return isDeposit(purpose) && purpose.memo !== null ? BigInt(purpose.memo) : null;
}

/**
 * Returns a pseudonym of the depositor for stored data: SHA-256 in hex. A depositor has the same
 * pseudonym for all its deposits in all pools.
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

/**
 * Parses calldata made by {@link depositCalldata}. Returns null if the felts have another layout.
 */
export function readDepositCalldata(
  felts: Felts,
): Pick<DepositTerms, 'commitment' | 'depositor'> | null {
  if (felts.length !== DEPOSIT_FELTS) return null;
  const [low, high] = [felts.at(0), felts.at(1)];
  if (low >> HALF_BITS !== 0n || high >> HALF_BITS !== 0n) return null;
  return { commitment: u256FromHalves(low, high), depositor: felts.feltAt(2) };
}
