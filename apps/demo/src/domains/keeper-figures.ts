/** Results of the keeper's actions, for the JSON line. */
export interface KeeperFigures {
  readonly idleFunds: IdleFundsFigures;
  readonly purchase: PurchaseFigures;
  readonly turbo: TurboFigures;
  readonly lane: LaneFigures;
}

/** A transaction that the keeper sent. */
export interface Sent {
  readonly transactionHash: string;
  /** Gas fee that the keeper's account paid, in fri. */
  readonly gasFri: bigint;
}

interface IdleFundsFigures extends Sent {
  readonly vault: string;
  readonly deployedSats: bigint;
}

interface PurchaseFigures extends Sent {
  readonly order: string;
  /** Mayer Multiple, computed from daily closing prices, as decimal text. */
  readonly mayerMultiple: string;
  /**
   * Factor of the Mayer Multiple's band, by which the order's amount is multiplied, as decimal
   * text.
   */
  readonly band: string;
  /** Number of daily closing prices on which both price sources agree. */
  readonly closes: number;
  /** Sold amount in USDC's smallest unit. */
  readonly soldUsdcE6: bigint;
  readonly ownerSats: bigint;
  readonly feeSats: bigint;
}

/** Position of the leveraged vault after one transaction of the keeper. */
export interface Round {
  readonly collateralSats: bigint;
  /** Debt in USDC's smallest unit. */
  readonly debtUsdcE6: bigint;
  /** Leverage: the value of the collateral, divided by this value minus the debt. Decimal text. */
  readonly leverage: string;
  /**
   * Health factor as decimal text. The position is liquidated at 1. Null if the vault has no debt.
   */
  readonly healthFactor: string | null;
}

interface TurboFigures {
  readonly up: readonly Round[];
  readonly down: readonly Round[];
}

interface LaneFigures extends Sent {
  readonly lane: string;
  readonly paidFri: bigint;
  readonly balanceFri: bigint;
}
