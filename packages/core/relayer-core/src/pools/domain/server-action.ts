import { domainError, feltToBigInt, type Felt, type Felts } from '@sotto/kernel';

/**
 * Error for calldata that is not that of `apply_actions`. `details.at` is the index of the first
 * felt that could not be read, because of `details.reason`. The caller sends the call as the client
 * built it.
 */
export class ActionsUnreadable extends domainError('PRIVATE_ACTIONS_UNREADABLE') {}

/** Payment of the pool. Amounts are in the smallest unit of the token. */
interface TokenTransfer {
  readonly token: Felt;
  readonly amount: bigint;
}

/**
 * One action that the pool applies. Only the fields that a relayer needs are read; the others are
 * checked for their length and range. Source: the pool's `ServerAction`, version 2.0.
 */
export type ServerAction =
  /** Writes values to storage. Reverts if the first value is not zero: this prevents replays. */
  | { readonly kind: 'write_once'; readonly address: Felt }
  | { readonly kind: 'append'; readonly recipient: Felt }
  /** A deposit: the pool takes the tokens by the allowance of `from`. */
  | ({ readonly kind: 'transfer_from'; readonly from: Felt } & TokenTransfer)
  /** A payment of the pool. The relayer's fee is one of these. */
  | ({ readonly kind: 'transfer_to'; readonly to: Felt } & TokenTransfer)
  | { readonly kind: 'invoke'; readonly contract: Felt }
  /** Emits an event. */
  | { readonly kind: EventKind };

/** Actions that only emit an event. */
type EventKind =
  | 'emit_viewing_key_set'
  | 'emit_withdrawal'
  | 'emit_deposit'
  | 'emit_open_note_created'
  | 'emit_enc_note_created'
  | 'emit_note_used';

/** Exclusive maximum of contract addresses and of storage addresses in Starknet. */
const ADDRESS_LIMIT = 2n ** 251n;
const U128_LIMIT = 2n ** 128n;

/** Reads the felts of a call one after the other. */
export class FeltReader {
  #next: number;

  constructor(
    private readonly felts: Felts,
    start = 0,
  ) {
    this.#next = start;
  }

  /** Index of the next felt. */
  get position(): number {
    return this.#next;
  }

  /** Number of felts that were not read. */
  get left(): number {
    return this.felts.length - this.#next;
  }

  felt(): Felt {
    if (this.left < 1) throw this.#unreadable('ENDS_EARLY');
    const felt = this.felts.feltAt(this.#next);
    this.#next += 1;
    return felt;
  }

  address(): Felt {
    return this.#below(ADDRESS_LIMIT, 'NOT_AN_ADDRESS').felt;
  }

  u128(): bigint {
    return this.#below(U128_LIMIT, 'NOT_A_U128').value;
  }

  /** Reads the number of items that follow; each item has at least one felt. */
  count(): number {
    const { value } = this.#below(BigInt(this.left + 1), 'ENDS_EARLY');
    if (value > BigInt(this.left)) throw this.#unreadable('ENDS_EARLY', 1);
    return Number(value);
  }

  skip(count: number): void {
    if (this.left < count) throw this.#unreadable('ENDS_EARLY');
    this.#next += count;
  }

  /** Returns the error for the felt `back` felts before the next one. */
  #unreadable(reason: string, back = 0): ActionsUnreadable {
    return new ActionsUnreadable({ details: { at: this.#next - back, reason } });
  }

  /** Returns the error that the last felt that was read has no meaning. */
  unknown(reason: string): ActionsUnreadable {
    return this.#unreadable(reason, 1);
  }

  #below(limit: bigint, reason: string): { readonly felt: Felt; readonly value: bigint } {
    const felt = this.felt();
    const value = feltToBigInt(felt);
    if (value >= limit) throw this.#unreadable(reason, 1);
    return { felt, value };
  }
}

const readWriteOnce = (felts: FeltReader): ServerAction => {
  const address = felts.address();
  felts.skip(felts.count());
  return { kind: 'write_once', address };
};

const readAppend = (felts: FeltReader): ServerAction => {
  const recipient = felts.address();
  felts.skip(ENCRYPTED_FELTS);
  return { kind: 'append', recipient };
};

const readTransfer = (felts: FeltReader): TokenTransfer => ({
  token: felts.address(),
  amount: felts.u128(),
});

const readInvoke = (felts: FeltReader): ServerAction => {
  const contract = felts.address();
  felts.skip(felts.count());
  return { kind: 'invoke', contract };
};

/** Number of felts of each ciphertext: two keys and the encrypted value. */
const ENCRYPTED_FELTS = 3;

/** Reads an event whose fields have no meaning for a relayer. */
const readEvent =
  (kind: EventKind, ...fields: readonly ('felt' | 'address' | 'u128' | 'encrypted')[]) =>
  (felts: FeltReader): ServerAction => {
    for (const field of fields)
      if (field === 'encrypted') felts.skip(ENCRYPTED_FELTS);
      else felts[field]();
    return { kind };
  };

/** Readers of the actions, by the index of the action's variant. */
const READERS: readonly ((felts: FeltReader) => ServerAction)[] = [
  readWriteOnce,
  readAppend,
  (felts) => ({ kind: 'transfer_from', from: felts.address(), ...readTransfer(felts) }),
  (felts) => ({ kind: 'transfer_to', to: felts.address(), ...readTransfer(felts) }),
  readEvent('emit_viewing_key_set', 'address', 'felt', 'encrypted'),
  readEvent('emit_withdrawal', 'encrypted', 'address', 'address', 'u128'),
  readEvent('emit_deposit', 'address', 'address', 'u128'),
  readEvent('emit_open_note_created', 'encrypted', 'address', 'felt'),
  readEvent('emit_enc_note_created', 'felt', 'felt'),
  readEvent('emit_note_used', 'felt'),
  readInvoke,
  readInvoke,
];

/**
 * Reads the next action.
 * @throws ActionsUnreadable for an unknown variant, a field out of range or a missing felt
 */
export function readServerAction(felts: FeltReader): ServerAction {
  const variant = feltToBigInt(felts.felt());
  const read = variant < BigInt(READERS.length) ? READERS[Number(variant)] : undefined;
  if (read === undefined) throw felts.unknown('UNKNOWN_ACTION');
  return read(felts);
}
