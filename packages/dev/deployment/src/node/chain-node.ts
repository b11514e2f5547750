/** Call of a view or of an external function. */
export interface ContractCall {
  readonly contract: bigint;
  readonly entrypoint: string;
  readonly calldata: readonly bigint[];
}

/** Prices of one unit of gas, in fri. */
export interface GasPrices {
  readonly l1GasFri: bigint;
  readonly l1DataGasFri: bigint;
  readonly l2GasFri: bigint;
}

/**
 * Access to a node during a deployment. Reads use the pre-confirmed state.
 * @throws Error in every method, if the node fails
 */
export interface ChainNode {
  /** Returns the chain id as text, such as `SN_SEPOLIA`. */
  chainId(): Promise<string>;
  gasPrices(): Promise<GasPrices>;
  nonce(account: bigint): Promise<bigint>;
  isDeclared(classHash: bigint): Promise<boolean>;
  /**
   * Returns class hashes in the order of the addresses. The entry is undefined for an address
   * without a contract.
   */
  classHashesAt(addresses: readonly bigint[]): Promise<readonly (bigint | undefined)[]>;
  /**
   * Returns the results of the views, in order. The entry is undefined for a view that fails, for
   * example because the contract does not exist.
   */
  views(calls: readonly ContractCall[]): Promise<readonly (readonly bigint[] | undefined)[]>;
  /**
   * Resolves when the transaction has succeeded in a block that is at least pre-confirmed, so that
   * later reads include its effects.
   * @throws Error if the transaction reverted, or is in no block after two minutes
   */
  included(transactionHash: string): Promise<void>;
}
