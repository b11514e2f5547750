/**
 * Thrown by a contract model: the transaction reverts with this text (a short string of the
 * contract).
 */
export class Revert extends Error {}

/** The block a call runs in, as a contract sees it. */
export interface BlockContext {
  readonly number: number;
  readonly timestampSeconds: number;
}

/** What a contract model may do while one of its entry points runs. */
export interface CallContext {
  readonly self: bigint;
  readonly caller: bigint;
  readonly block: BlockContext;
  /** Storage of this contract; missing keys read 0n. Keys are any strings. */
  get(key: string): bigint;
  set(key: string, value: bigint): void;
  /** Nested call with `self` as the caller. */
  call(to: bigint, entrypoint: string, calldata: readonly bigint[]): bigint[];
  emit(keys: readonly bigint[], data: readonly bigint[]): void;
  /** Adds to the L2 gas used. */
  useL2Gas(amount: bigint): void;
}

/** One external or view function of a contract: felts in, felts out. */
export type Entrypoint = (context: CallContext, calldata: readonly bigint[]) => bigint[];

/**
 * A contract as the sandbox runs it: TypeScript functions by entry point name instead of Sierra.
 */
export interface ContractModel {
  readonly name: string;
  readonly classHash: bigint;
  /** Of the Sierra that its class would hold. @default 1.7.0 */
  readonly sierraVersion?: readonly [major: number, minor: number, patch: number];
  readonly entrypoints: Readonly<Record<string, Entrypoint>>;
}
