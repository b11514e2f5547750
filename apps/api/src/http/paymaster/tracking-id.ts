import { feltToBigInt, toFelt, type Felt } from '@sotto/kernel';

/** Length of a submission id in bytes: 128 unguessable bits. */
const ID_BYTES = 16;
const HEX_DIGITS = 2 * ID_BYTES;

/**
 * Returns the tracking id of a submission: the bits of the submission's id as a number. So the
 * tracking id is as unguessable as the submission's id.
 * @throws Error if the id does not encode 128 bits
 */
export function trackingIdOf(submissionId: string): Felt {
  const bytes = Buffer.from(submissionId, 'base64url');
  if (bytes.length !== ID_BYTES || bytes.toString('base64url') !== submissionId)
    throw new Error('the id of a submission does not encode 128 bits');
  return toFelt(BigInt(`0x${bytes.toString('hex')}`));
}

/** Returns the submission id of a tracking id. Null if no submission can have this tracking id. */
export function submissionIdOf(trackingId: Felt): string | null {
  const digits = feltToBigInt(trackingId).toString(16).padStart(HEX_DIGITS, '0');
  return digits.length === HEX_DIGITS ? Buffer.from(digits, 'hex').toString('base64url') : null;
}
