import type { TestRunner } from '@sotto/kernel/testing';
import { feltToBigInt, toFelt } from '@sotto/kernel';
import { feeQuoteTypedData, type FeeQuote } from '../../fees/domain/fee-quote.js';
import type { TypedData } from '../../relay/domain/typed-data.js';
import type {
  TypedDataSignature,
  TypedDataSigner,
} from '../../relay/ports/typed-data-signer.port.js';
import { statusTypedData, type StatusDigest } from '../../status/domain/status-typed-data.js';

export interface TypedDataSignerHarness<Message> {
  readonly subject: TypedDataSigner;
  /**
   * Returns true if the signature is the signer's signature of exactly this message. If the kind of
   * signature allows this, the check does not use the signer under test.
   */
  verifies(message: Message, signature: TypedDataSignature): Promise<boolean>;
  stop(): Promise<void>;
}

/** Messages of one type that are signed as typed data, for example quotes. */
export interface SignedMessages<Message> {
  readonly what: string;
  readonly typedData: (message: Message) => TypedData;
  readonly message: Message;
  /** Messages that are signed in addition to `message`, for example with the highest amount. */
  readonly others: readonly Message[];
  readonly forgeries: readonly (readonly [string, Partial<Message>])[];
}

const quote: FeeQuote = {
  id: 'Zq0_x4tq-ioPGnYvb8U8Sw0123456789abcdefghij',
  chainId: toFelt('0x534e5f5345504f4c4941'),
  pool: toFelt('0x2bdb9769851d0307e812351cc1eb31b617951fba786cfd5d58baff36589a33'),
  relayer: toFelt('0xfee'),
  operation: 'withdraw',
  leafIndex: null,
  feeAmount: 26n,
  expiresAtMs: 1_760_000_120_000,
};

const digest: StatusDigest = {
  chainId: toFelt('0x534e5f5345504f4c4941'),
  issuedAt: 1_760_000_000,
  digest: 2n ** 255n + 7n,
};

export const QUOTES: SignedMessages<FeeQuote> = {
  what: 'quotes',
  typedData: feeQuoteTypedData,
  message: quote,
  others: [{ ...quote, feeAmount: 2n ** 256n - 1n }],
  forgeries: [
    ['another id', { id: 'Zq0_x4tq-ioPGnYvb8U8Sw0123456789abcdefghiJ' }],
    ['another chain', { chainId: toFelt('0x534e5f4d41494e') }],
    ['another pool', { pool: toFelt('0x1') }],
    ['another relayer', { relayer: toFelt('0xfef') }],
    ['a lower fee', { feeAmount: 25n }],
    ['a fee that differs in its high half', { feeAmount: 26n + 2n ** 128n }],
    ['a later expiry', { expiresAtMs: quote.expiresAtMs + 1_000 }],
  ],
};

export const STATUS_DIGESTS: SignedMessages<StatusDigest> = {
  what: 'status digests',
  typedData: statusTypedData,
  message: digest,
  others: [],
  forgeries: [
    ['another chain', { chainId: toFelt('0x534e5f4d41494e') }],
    ['a later moment', { issuedAt: digest.issuedAt + 1 }],
    ['another digest', { digest: digest.digest + 1n }],
    ['a digest that differs in its high half', { digest: digest.digest ^ (1n << 200n) }],
  ],
};

export function describeTypedDataSignerContract<Message extends object>(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  { what, typedData, message, others, forgeries }: SignedMessages<Message>,
  start: () => Promise<TypedDataSignerHarness<Message>>,
): void {
  describe(`TypedDataSigner contract (${what}, ${name})`, () => {
    let harness: TypedDataSignerHarness<Message>;
    const sign = (signed = message): Promise<TypedDataSignature> =>
      harness.subject.sign(typedData(signed));
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('returns a signature and the account that signed', async () => {
      const { signature, signer } = await sign();
      expect(signature).toHaveLength(2);
      for (const felt of [...signature, signer]) expect(toFelt(feltToBigInt(felt))).toBe(felt);
      expect(signer).not.toBe('0x0');
    });

    it('returns a valid signature for each message, also when it signs the message a second time', async () => {
      for (const signed of [message, message, ...others])
        expect(await harness.verifies(signed, await sign(signed))).toBe(true);
    });

    it.each(forgeries)('returns a signature that is invalid for %s', async (_, change) => {
      expect(await harness.verifies({ ...message, ...change }, await sign())).toBe(false);
    });

    it('a signature is invalid for another account or after a change of its values', async () => {
      const signed = await sign();
      const [r, s] = signed.signature;
      const forged = [
        { ...signed, signer: toFelt('0x99') },
        { ...signed, signature: [r, toFelt(feltToBigInt(s) ^ 1n)] as const },
        { ...signed, signature: [s, r] as const },
      ];
      for (const signature of forged)
        expect(await harness.verifies(message, signature)).toBe(false);
    });
  });
}
