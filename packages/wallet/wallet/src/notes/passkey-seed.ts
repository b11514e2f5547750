import { WalletError } from '../errors.js';

/** Declares the part of the Web Authentication API that this file uses. */
interface PasskeyOptions {
  readonly publicKey: object;
}

interface PasskeyCredential {
  readonly rawId: ArrayBuffer;
  getClientExtensionResults(): {
    readonly prf?: {
      readonly enabled?: boolean;
      readonly results?: { readonly first?: ArrayBuffer | ArrayBufferView };
    };
  };
}

interface Credentials {
  create(options: PasskeyOptions): Promise<PasskeyCredential | null>;
  get(options: PasskeyOptions): Promise<PasskeyCredential | null>;
}

declare const navigator: { readonly credentials?: Credentials } | undefined;

/** Passkey as the wallet's page stores it. The id is no secret. */
export interface Passkey {
  /** Id of the credential. */
  readonly id: Uint8Array<ArrayBuffer>;
}

/** Input of the pseudo-random function. Another input would give another seed. */
const SALT = new TextEncoder().encode('sotto-passkey-seed-1');
const ES256 = -7;
const RS256 = -257;
const CHALLENGE_BYTES = 32;
const USER_ID_BYTES = 16;
const SEED_BYTES = 32;

/**
 * Creates a passkey of this page's domain whose pseudo-random function can derive a seed. Call this
 * function in reaction to the user's click.
 * @param name name that the user sees, for the page and for this wallet
 * @throws WalletError PASSKEY_UNSUITABLE if browser or authenticator do not support the function
 *   (WebAuthn extension `prf`), or if the user declined
 */
export async function createPasskey(name: {
  readonly page: string;
  readonly wallet: string;
}): Promise<Passkey> {
  const credential = await answered((credentials) =>
    credentials.create({
      publicKey: {
        challenge: random(CHALLENGE_BYTES),
        rp: { name: name.page },
        user: { id: random(USER_ID_BYTES), name: name.wallet, displayName: name.wallet },
        pubKeyCredParams: [ES256, RS256].map((alg) => ({ type: 'public-key', alg })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        extensions: { prf: {} },
      },
    }),
  );
  if (credential.getClientExtensionResults().prf?.enabled !== true) throw unsuitable();
  return { id: new Uint8Array(credential.rawId) };
}

/**
 * Derives the seed of a passkey: always the same 32 bytes for the same passkey. The user confirms
 * this at the authenticator. The passkey on this page's domain gives access to all notes of the
 * seed. If the passkey is lost, the notes are lost, unless the seed is also stored elsewhere.
 * @param passkey passkey of `createPasskey`; without it, the user chooses a passkey of the domain
 * @throws WalletError PASSKEY_UNSUITABLE
 */
export async function passkeySeed(passkey?: Passkey): Promise<Uint8Array<ArrayBuffer>> {
  const allowed = passkey === undefined ? [] : [{ type: 'public-key', id: passkey.id }];
  const credential = await answered((credentials) =>
    credentials.get({
      publicKey: {
        challenge: random(CHALLENGE_BYTES),
        allowCredentials: allowed,
        userVerification: 'required',
        extensions: { prf: { eval: { first: SALT } } },
      },
    }),
  );
  const first = credential.getClientExtensionResults().prf?.results?.first;
  const seed = first === undefined ? undefined : bytesOf(first);
  if (seed?.length !== SEED_BYTES) throw unsuitable();
  return seed;
}

async function answered(
  request: (credentials: Credentials) => Promise<PasskeyCredential | null>,
): Promise<PasskeyCredential> {
  const credentials = typeof navigator === 'undefined' ? undefined : navigator.credentials;
  if (credentials === undefined) throw unsuitable();
  try {
    const credential = await request(credentials);
    if (credential !== null) return credential;
  } catch (cause) {
    throw unsuitable({ cause });
  }
  throw unsuitable();
}

function bytesOf(value: ArrayBuffer | ArrayBufferView): Uint8Array<ArrayBuffer> {
  return ArrayBuffer.isView(value)
    ? Uint8Array.from(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
    : new Uint8Array(value.slice(0));
}

function random(length: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(length));
}

function unsuitable(options?: ErrorOptions): WalletError {
  return new WalletError(
    'PASSKEY_UNSUITABLE',
    'no seed can be derived from a passkey here: browser, authenticator or user did not allow it',
    options,
  );
}
