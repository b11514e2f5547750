/** Error that a contract model throws to revert the transaction with this text, a short string. */
export class Revert extends Error {}

/**
 * Number, timestamp and other properties of the block in which a call runs, as the contract reads
 * them.
 */
export interface BlockContext {
  readonly number: number;
  readonly timestampSeconds: number;
}

/** Operations that a contract model can use while one of its entry points runs. */
export interface CallContext {
  readonly self: bigint;
  readonly caller: bigint;
  readonly block: BlockContext;
  /** Reads a value of this contract's storage; 0n if the key is missing. A key is any string. */
  get(key: string): bigint;
  set(key: string, value: bigint): void;
  /** Makes a nested call with `self` as the caller. */
  call(to: bigint, entrypoint: string, calldata: readonly bigint[]): bigint[];
  emit(keys: readonly bigint[], data: readonly bigint[]): void;
  /** Adds `amount` to the L2 gas that the call has used. */
  useL2Gas(amount: bigint): void;
}

/** Function of a contract, either external or view. Arguments and results are felts. */
export type Entrypoint = (context: CallContext, calldata: readonly bigint[]) => bigint[];

/** Model of a contract. TypeScript functions, by entry point name, replace its Sierra code. */
export interface ContractModel {
  readonly name: string;
  readonly classHash: bigint;
  /** Sierra version of the class. @default 1.7.0 */
  readonly sierraVersion?: readonly [major: number, minor: number, patch: number];
  readonly entrypoints: Readonly<Record<string, Entrypoint>>;
}
