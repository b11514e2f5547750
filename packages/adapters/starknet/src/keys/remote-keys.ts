import { FIELD_PRIME, toFelt, type Felt } from '@sotto/kernel';
import type { TypedData } from '@sotto/relayer-core';
import { ec, typedData } from 'starknet';
import { z } from 'zod';
import { unsignedInvokeBytes } from '../invoke-transaction.js';
import { AccountKey, AccountKeyUnusable, type StarkSignature } from './account-key.js';
import {
  CHECKED_HASH,
  type AccountKeys,
  type KeyRejection,
  type UnsignedInvoke,
} from './account-keys.js';
import { SignerMalformedAnswer, SignerRefused } from './errors.js';
import { SignerClient, type SignerEndpoint } from './signer-client.js';

const WireFelt = z
  .string()
  .regex(/^0x(?:0|[1-9a-f][0-9a-f]{0,63})$/)
  .refine((text) => BigInt(text) < FIELD_PRIME)
  .transform(toFelt);
const Signature = z.tuple([WireFelt, WireFelt]);
const Signed = z.object({ hash: WireFelt, signature: Signature });
const Accounts = z.object({
  chain_id: WireFelt,
  accounts: z
    .array(
      z.object({
        address: WireFelt,
        public_key: WireFelt,
        check: z.object({ hash: WireFelt, signature: Signature }),
      }),
    )
    .max(1_000),
});

interface RemoteAccount {
  readonly publicKey: Felt;
  readonly check: z.output<typeof Signed>;
}

/** Publicly known private key. The warm-up makes a signature with this key and verifies it. */
const WARM_UP_KEY = '0x1';
const WARM_UP_ROUNDS = 10;

/**
 * Keys of a remote signer; this process stores no private key. A signature is returned only if the
 * account's public key verifies it over the hash that this process computed. docs/signer.md
 * describes the protocol.
 */
export class RemoteKeys implements AccountKeys {
  readonly #client: SignerClient;
  readonly #chainId: Felt;
  /**
   * Accounts that the signer lists. The cache is cleared if a read fails, and if a signature shows
   * that an account's key has changed.
   */
  #accounts: Promise<ReadonlyMap<Felt, RemoteAccount>> | null = null;
  readonly #rejections = new Map<Felt, { readonly reason: string; readonly atMs: number }>();

  constructor({ chainId, ...endpoint }: SignerEndpoint & { readonly chainId: Felt }) {
    this.#client = new SignerClient(endpoint);
    this.#chainId = chainId;
  }

  async signInvoke(transaction: UnsignedInvoke): Promise<StarkSignature> {
    const { account, hash } = transaction;
    const { publicKey } = await this.#account(account);
    const body = unsignedInvokeBytes(transaction);
    const answer = await this.#client.call('/v1/sign/invoke', Signed, body).catch((error) => {
      this.#remember(account, error);
      throw error;
    });
    const signature = this.#checked(answer, hash, publicKey);
    this.#rejections.delete(account);
    return signature;
  }

  async signMessage(account: Felt, data: TypedData): Promise<StarkSignature> {
    const { publicKey } = await this.#account(account);
    const body = Buffer.from(JSON.stringify({ account, typed_data: data }));
    const signed = await this.#client.call('/v1/sign/message', Signed, body);
    return this.#checked(signed, toFelt(typedData.getMessageHash(data, account)), publicKey);
  }

  async signCheck(account: Felt): Promise<StarkSignature> {
    // The account's key may have changed since the list was read, so the cached list is discarded.
    this.#accounts = null;
    const { check, publicKey } = await this.#account(account);
    return this.#checked(check, CHECKED_HASH, publicKey);
  }

  rejections(): readonly KeyRejection[] {
    const nowMs = performance.now();
    return [...this.#rejections].map(([account, { reason, atMs }]) => ({
      account,
      reason,
      ageMs: nowMs - atMs,
    }));
  }

  async isAnswering(): Promise<boolean> {
    try {
      await this.#read();
      return true;
    } catch {
      return false;
    }
  }

  async warmUp(): Promise<void> {
    const key = new AccountKey({ address: toFelt(1n), privateKey: WARM_UP_KEY });
    const signature = key.sign(CHECKED_HASH);
    const publicKey = toFelt(ec.starkCurve.getStarkKey(WARM_UP_KEY));
    for (let round = 0; round < WARM_UP_ROUNDS; round += 1)
      verifies(CHECKED_HASH, signature, publicKey);
  }

  close(): void {
    this.#client.close();
  }

  #remember(account: Felt, error: unknown): void {
    if (!(error instanceof SignerRefused)) return;
    const { reason } = error.details;
    this.#rejections.set(account, { reason: String(reason), atMs: performance.now() });
  }

  async #account(address: Felt): Promise<RemoteAccount> {
    const reading = (this.#accounts ??= this.#read());
    const accounts = await reading.catch((error: unknown) => {
      if (this.#accounts === reading) this.#accounts = null;
      throw error;
    });
    const account = accounts.get(address);
    if (account !== undefined) return account;
    if (this.#accounts === reading) this.#accounts = null;
    throw new AccountKeyUnusable({
      message: 'the signer holds no key of the account',
      details: { account: address },
    });
  }

  async #read(): Promise<ReadonlyMap<Felt, RemoteAccount>> {
    const { chain_id: chainId, accounts } = await this.#client.call('/v1/accounts', Accounts);
    if (chainId !== this.#chainId)
      throw new SignerMalformedAnswer({ message: 'the signer signs for another chain' });
    return new Map(
      accounts.map(({ address, public_key: publicKey, check }) => [address, { publicKey, check }]),
    );
  }

  #checked(
    { hash, signature }: z.output<typeof Signed>,
    requested: Felt,
    publicKey: Felt,
  ): StarkSignature {
    if (hash === requested && verifies(requested, signature, publicKey)) return signature;
    this.#accounts = null;
    throw new SignerMalformedAnswer();
  }
}

/**
 * Verifies a signature against a public key. A Starknet public key is only an x coordinate, so both
 * curve points with this x are tried.
 */
function verifies(hash: Felt, [r, s]: StarkSignature, publicKey: Felt): boolean {
  const x = publicKey.slice(2).padStart(64, '0');
  const message = hash.slice(2).padStart(64, '0');
  try {
    const signature = new ec.starkCurve.Signature(BigInt(r), BigInt(s));
    return ['02', '03'].some((sign) => ec.starkCurve.verify(signature, message, `${sign}${x}`));
  } catch {
    return false;
  }
}
