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

/** A pool's method. Only the pool's relayers may call it. */
export const DEPOSIT_ENTRYPOINT = 'deposit';

/** Leaves of a pool's tree, for ever. */
export const TREE_CAPACITY = 1_024;

/** How far ahead a consent may expire. */
const MAX_CONSENT_MS = 3_600_000;

/** Felts of a signature: several owners, or a passkey's, and nothing that would be a burden. */
export const MAX_SIGNATURE_FELTS = 128;

/** What a request for a deposit says, beside its pool. */
export interface DepositTerms {
  /** Of the note that the deposit makes. */
  readonly commitment: bigint;
  /** Whose tokens are taken. Private. */
  readonly depositor: Felt;
  /** When the consent ends. */
  readonly expiresAtMs: number;
  readonly signature: Felts;
}

/** No contract stands at or above it. */
const ADDRESS_BOUND = 2n ** 251n - 256n;

/**
 * @throws CommitmentInvalid, DepositorNotDeployed, DepositSignatureInvalid for what no pool and no
 *   account could take
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
 * The ledger key of the deposit that makes a note, for any payer: `chain|pool|deposit|commitment`.
 */
export function depositKey(chainId: Felt, pool: Felt, commitment: bigint): string {
  return `${chainId}|${pool}|deposit|0x${commitment.toString(16)}`;
}

/** What the attempt is about that makes a note. */
export function depositPurpose(pool: Felt, commitment: bigint): CallPurpose {
  return { kind: 'deposit', subject: pool, memo: `0x${commitment.toString(16)}` };
}

export function isDeposit({ kind }: Pick<CallPurpose, 'kind'>): boolean {
  return kind === 'deposit';
}

/** The commitment of a {@link depositPurpose}; null for an attempt of another kind. */
export function madeCommitment(purpose: CallPurpose): bigint | null {
  return isDeposit(purpose) && purpose.memo !== null ? BigInt(purpose.memo) : null;
}

/**
 * Stands for the depositor wherever something is kept: SHA-256 in hex. Equal for all deposits of
 * one depositor, in whatever pool.
 */
export function depositFingerprint(chainId: Felt, depositor: Felt): string {
  return createHash('sha256').update(`${chainId}|${DEPOSIT_ENTRYPOINT}|${depositor}`).digest('hex');
}

/** Calldata of `deposit(commitment: u256, depositor: ContractAddress)`. */
export function depositCalldata({
  commitment,
  depositor,
}: Pick<DepositTerms, 'commitment' | 'depositor'>): Felts {
  return Felts.of([...u256ToHalves(commitment), feltToBigInt(depositor)]);
}

const HALF_BITS = 128n;
const DEPOSIT_FELTS = 3;

/**
 * What the calldata of {@link depositCalldata} shows; null for felts that are laid out otherwise.
 */
export function readDepositCalldata(
  felts: Felts,
): Pick<DepositTerms, 'commitment' | 'depositor'> | null {
  if (felts.length !== DEPOSIT_FELTS) return null;
  const [low, high] = [felts.at(0), felts.at(1)];
  if (low >> HALF_BITS !== 0n || high >> HALF_BITS !== 0n) return null;
  return { commitment: u256FromHalves(low, high), depositor: felts.feltAt(2) };
}
