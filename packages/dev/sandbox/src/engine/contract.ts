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

/** Properties of the transaction that a contract can read. A view call has no transaction. */
export interface TransactionContext {
  /** Transaction version, which is the query version in some simulations; 0 in a view call. */
  readonly version: bigint;
  /** Signature, which is often empty in simulations. */
  readonly signature: readonly bigint[];
  /** Proof facts, as in `get_execution_info_v3`; empty for a transaction without a proof. */
  readonly proofFacts: readonly bigint[];
}

/** Transaction that a contract reads in a view call. */
export const NO_TRANSACTION: TransactionContext = { version: 0n, signature: [], proofFacts: [] };

/** Operations that a contract model can use while one of its entry points runs. */
export interface CallContext {
  readonly self: bigint;
  readonly caller: bigint;
  readonly chainId: bigint;
  readonly block: BlockContext;
  readonly transaction: TransactionContext;
  /** Reads a value of this contract's storage; 0n if the key is missing. A key is any string. */
  get(key: string): bigint;
  set(key: string, value: bigint): void;
  /** Makes a nested call with `self` as the caller. */
  call(to: bigint, entrypoint: string, calldata: readonly bigint[]): bigint[];
  /** Makes a nested call of an entry point whose name is not known. */
  callBySelector(to: bigint, selector: bigint, calldata: readonly bigint[]): bigint[];
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
