/** Functions that encode the privacy pool's actions as felts, in the order of their variants. */

/** Payment of the pool. The amount is in the token's smallest unit. */
export interface PrivatePayment {
  readonly to: bigint;
  readonly token: bigint;
  readonly amount: bigint;
}

/** Felts of a ciphertext. */
export type Ciphertext = readonly [bigint, bigint, bigint];

/** Encoded action. */
export type ActionFelts = readonly bigint[];

const span = (felts: readonly bigint[]): bigint[] => [BigInt(felts.length), ...felts];

export const actionFelts = {
  writeOnce: (address: bigint, ...values: readonly bigint[]): ActionFelts => [
    0n,
    address,
    ...span(values),
  ],
  append: (recipient: bigint, info: Ciphertext): ActionFelts => [1n, recipient, ...info],
  transferFrom: (from: bigint, token: bigint, amount: bigint): ActionFelts => [
    2n,
    from,
    token,
    amount,
  ],
  transferTo: ({ to, token, amount }: PrivatePayment): ActionFelts => [3n, to, token, amount],
  emitViewingKeySet: (user: bigint, publicKey: bigint, key: Ciphertext): ActionFelts => [
    4n,
    user,
    publicKey,
    ...key,
  ],
  emitWithdrawal: (user: Ciphertext, { to, token, amount }: PrivatePayment): ActionFelts => [
    5n,
    ...user,
    to,
    token,
    amount,
  ],
  emitDeposit: (user: bigint, token: bigint, amount: bigint): ActionFelts => [
    6n,
    user,
    token,
    amount,
  ],
  emitOpenNoteCreated: (recipient: Ciphertext, token: bigint, note: bigint): ActionFelts => [
    7n,
    ...recipient,
    token,
    note,
  ],
  emitEncNoteCreated: (note: bigint, value: bigint): ActionFelts => [8n, note, value],
  emitNoteUsed: (nullifier: bigint): ActionFelts => [9n, nullifier],
  invoke: (contract: bigint, calldata: readonly bigint[]): ActionFelts => [
    10n,
    contract,
    ...span(calldata),
  ],
  invokeWithComputation: (contract: bigint, calldata: readonly bigint[]): ActionFelts => [
    11n,
    contract,
    ...span(calldata),
  ],
} as const;
