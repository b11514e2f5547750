import { isDeepStrictEqual } from 'node:util';
import { FIELD_PRIME, toFelt, u256FromHalves, type Felt } from '@sotto/kernel';
import { feeQuoteTypedData, statusTypedData } from '@sotto/relayer-core';
import { z } from 'zod';
import { Refused } from './refusal.js';
import type { MessageRequest } from './requests.js';

/**
 * Kinds of messages that the service's account signs, in addition to transactions. The consent to a
 * deposit is not included, because depositors sign it. A consent signed by the service's account
 * would spend that account's ERC-20 tokens.
 */
export const MESSAGES = ['FeeQuote', 'ServiceStatus'] as const;
export type MessageName = (typeof MESSAGES)[number];

/** Typed data that the signer has built, in the type of the library. */
type OwnTypedData = ReturnType<typeof feeQuoteTypedData> | ReturnType<typeof statusTypedData>;

const HALF = 1n << 128n;
const MAX_ID_CHARACTERS = 100;
const Half = z
  .string()
  .regex(/^(0|[1-9]\d{0,38})$/)
  .transform(BigInt)
  .refine((half) => half < HALF);
const U256 = z
  .strictObject({ low: Half, high: Half })
  .transform(({ low, high }) => u256FromHalves(low, high));
const Seconds = z
  .string()
  .regex(/^[1-9]\d{0,11}$/)
  .transform(Number);
const Address = z
  .string()
  .regex(/^0x[1-9a-f][0-9a-f]{0,63}$/)
  .refine((text) => BigInt(text) < FIELD_PRIME)
  .transform((text): Felt => toFelt(text));

const FeeQuote = z
  .strictObject({
    id: z
      .string()
      .max(MAX_ID_CHARACTERS)
      .regex(/^[\w-]+$/),
    pool: Address,
    relayer: Address,
    fee: U256,
    expires_at: Seconds,
  })
  .transform(({ id, pool, relayer, fee: feeAmount, expires_at: seconds }) => ({
    id,
    pool,
    relayer,
    feeAmount,
    expiresAtMs: seconds * 1_000,
  }));
const ServiceStatus = z
  .strictObject({ issued_at: Seconds, digest: U256 })
  .transform(({ issued_at: issuedAt, digest }) => ({ issuedAt, digest }));

/** Functions that build typed data from the content of a message and a chain id. */
const MADE: Readonly<Record<MessageName, (message: unknown, chainId: Felt) => OwnTypedData>> = {
  FeeQuote: (message, chainId) => feeQuoteTypedData({ ...FeeQuote.parse(message), chainId }),
  ServiceStatus: (message, chainId) =>
    statusTypedData({ ...ServiceStatus.parse(message), chainId }),
};

const isName = (name: string): name is MessageName => MESSAGES.some((known) => known === name);

/**
 * Builds the typed data again from the content of the requested message. The request is rejected if
 * any member of its typed data differs from the built data, including domain and types. The signer
 * signs only the data that it built.
 * @throws Refused
 */
export function readMessage(
  { typed_data: given }: MessageRequest,
  chainId: Felt,
): { readonly name: MessageName; readonly data: OwnTypedData } {
  const { primaryType: name } = given;
  if (!isName(name)) throw new Refused('SIGNER_REFUSED_MESSAGE');
  const data = made(name, given.message, chainId);
  if (data === null || !isDeepStrictEqual(given, data)) throw new Refused('SIGNER_REFUSED_MESSAGE');
  return { name, data };
}

function made(name: MessageName, message: unknown, chainId: Felt): OwnTypedData | null {
  try {
    return MADE[name](message, chainId);
  } catch {
    return null;
  }
}
