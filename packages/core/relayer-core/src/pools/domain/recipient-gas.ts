import { readProofCalldata } from '@sotto/groth16/layout';
import { Felts, toFelt, tryCatch, type Felt } from '@sotto/kernel';
import { readStatement, type WithdrawalStatement } from './withdrawal.js';

/** Selector of an ERC-20 token's `transfer`: sn_keccak("transfer"). */
export const TRANSFER_SELECTOR = 0x83afd3f4caedc6eebf44246fe54e38c95e3179a5ec9ea81740eca5b482d12en;

/** Felts of `transfer`: recipient, and both halves of the amount. */
const TRANSFER_FELTS = 3n;
/** Felts of the second call in `__execute__`: token, selector, length, and the arguments. */
const TAIL_FELTS = 6;
/**
 * Maximum amount of one withdrawal, in fri: 10 STRK. No setting permits more. A transaction with
 * more is not recognised as one of this service, so the auditor reports it.
 */
export const MAX_RECIPIENT_GAS_FRI = 10n * 10n ** 18n;

/** Gas of the additional transfer: one ERC-20 transfer, which changes two balances. */
export const RECIPIENT_GAS_USE = { l2Gas: 1_500_000n, l1Gas: 0n, l1DataGas: 256n };

/** STRK that a withdrawal's transaction transfers to the recipient, in addition to the payout. */
export interface RecipientGas {
  /** STRK token. */
  readonly token: Felt;
  readonly recipient: Felt;
  /** Amount above 0 and at most {@link MAX_RECIPIENT_GAS_FRI}. */
  readonly amountFri: bigint;
}

/**
 * Returns the calldata of a withdrawal followed by a transfer. The calldata of `withdraw` begins
 * with its length, so the transfer begins where the length ends. The felts of the transfer are
 * those of the second call in `__execute__`.
 * @param calldata calldata of `withdraw` with its length felt
 */
export function withRecipientGas(
  calldata: Felts,
  { token, recipient, amountFri }: RecipientGas,
): Felts {
  if (!isAmount(amountFri))
    throw new RangeError('the amount must be above 0 and within the maximum');
  const tail = [BigInt(token), TRANSFER_SELECTOR, TRANSFER_FELTS, BigInt(recipient), amountFri, 0n];
  return Felts.fromBytes(Buffer.concat([calldata.toBytes(), Felts.of(tail).toBytes()]));
}

/** Calldata of `withdraw`, and the transfer that follows it; null if no transfer follows. */
export interface SplitWithdrawal {
  readonly withdrawal: Felts;
  readonly recipientGas: RecipientGas | null;
}

/**
 * Splits the stored calldata of a withdrawal. Calldata in any other layout is returned unchanged,
 * without a transfer.
 */
export function splitRecipientGas(calldata: Felts): SplitWithdrawal {
  const plain = { withdrawal: calldata, recipientGas: null };
  const end = calldata.length - TAIL_FELTS;
  if (end < 1 || calldata.at(0) !== BigInt(end - 1)) return plain;
  const [selector, length, amountFri, high] = [1, 2, 4, 5].map((at) => calldata.at(end + at));
  const isTransfer =
    selector === TRANSFER_SELECTOR &&
    length === TRANSFER_FELTS &&
    amountFri !== undefined &&
    isAmount(amountFri) &&
    high === 0n;
  if (!isTransfer) return plain;
  return {
    withdrawal: calldata.slice(0, end),
    recipientGas: {
      token: calldata.feltAt(end),
      recipient: calldata.feltAt(end + 3),
      amountFri,
    },
  };
}

const isAmount = (amountFri: bigint): boolean =>
  amountFri > 0n && amountFri <= MAX_RECIPIENT_GAS_FRI;

/** Statement of a withdrawal call, and the transfer of the same transaction. */
export interface WithdrawalCall {
  readonly statement: WithdrawalStatement;
  readonly recipientGas: RecipientGas | null;
}

/**
 * Reads the calldata of a withdrawal, with or without a transfer. Null if it can't be read, or if
 * the transfer pays another address than the withdrawal's recipient.
 */
export function readWithdrawalCall(calldata: Felts): WithdrawalCall | null {
  const { withdrawal, recipientGas } = splitRecipientGas(calldata);
  const statement = tryCatch(() => readStatement(readProofCalldata(withdrawal).proof.publicInputs));
  if (!statement.known) return null;
  return recipientGas === null || recipientGas.recipient === statement.value.recipient
    ? { statement: statement.value, recipientGas }
    : null;
}

/**
 * Returns the terms of a request for STRK that its fingerprint covers, in addition to the
 * withdrawal. Empty for a plain withdrawal, whose fingerprint is therefore the same as before.
 */
export function recipientGasTerms(amountFri: bigint): readonly string[] {
  return amountFri === 0n ? [] : [`recipientGas=${toFelt(amountFri)}`];
}
