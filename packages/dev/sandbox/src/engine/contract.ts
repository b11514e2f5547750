/**
 * Error thrown by a contract model: the transaction reverts with this text (a short string of the
 * contract).
 */
export class Revert extends Error {}

/** The block of a call, as seen by a contract. */
export interface BlockContext {
  readonly number: number;
  readonly timestampSeconds: number;
}

/** Operations available to a contract model while one of its entry points runs. */
export interface CallContext {
  readonly self: bigint;
  readonly caller: bigint;
  readonly block: BlockContext;
  /** Reads this contract's storage; missing keys return 0n. Keys are any strings. */
  get(key: string): bigint;
  set(key: string, value: bigint): void;
  /** Makes a nested call with `self` as the caller. */
  call(to: bigint, entrypoint: string, calldata: readonly bigint[]): bigint[];
  emit(keys: readonly bigint[], data: readonly bigint[]): void;
  /** Adds to the L2 gas used. */
  useL2Gas(amount: bigint): void;
}

/** One external or view function of a contract: felts in, felts out. */
export type Entrypoint = (context: CallContext, calldata: readonly bigint[]) => bigint[];

/** A contract in the sandbox: TypeScript functions by entry point name instead of Sierra. */
export interface ContractModel {
  readonly name: string;
  readonly classHash: bigint;
  /** Sierra version of the class. @default 1.7.0 */
  readonly sierraVersion?: readonly [major: number, minor: number, patch: number];
  readonly entrypoints: Readonly<Record<string, Entrypoint>>;
}
