/** An account whose key is known. */
export interface KeyedAccount {
  readonly address: bigint;
  readonly publicKey: bigint;
  readonly privateKey: bigint;
}
