/** A view to ask, or a call to make. */
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
 * What a deployment reads from a node. Reads are of the pre-confirmed state.
 * @throws Error, from every method, when the node fails
 */
export interface ChainNode {
  /** As a text, such as `SN_SEPOLIA`. */
  chainId(): Promise<string>;
  gasPrices(): Promise<GasPrices>;
  nonce(account: bigint): Promise<bigint>;
  isDeclared(classHash: bigint): Promise<boolean>;
  /** In the order of the addresses; undefined where no contract stands. */
  classHashesAt(addresses: readonly bigint[]): Promise<readonly (bigint | undefined)[]>;
  /**
   * What the views return, in their order; undefined for one that the chain does not answer, for
   * example because no contract stands there.
   */
  views(calls: readonly ContractCall[]): Promise<readonly (readonly bigint[] | undefined)[]>;
  /**
   * Resolves when the transaction has succeeded in a block, a pre-confirmed one at least: later
   * reads see what it did.
   * @throws Error when it reverted, or is in none after two minutes
   */
  included(transactionHash: string): Promise<void>;
}
