/** Actions of the keeper, for programs. */
export interface KeeperFigures {
  readonly idleFunds: IdleFundsFigures;
  readonly purchase: PurchaseFigures;
  readonly turbo: TurboFigures;
  readonly lane: LaneFigures;
}

/** Transaction of the keeper. */
export interface Sent {
  readonly transactionHash: string;
  /** Gas paid by its account. */
  readonly gasFri: bigint;
}

interface IdleFundsFigures extends Sent {
  readonly vault: string;
  readonly deployedSats: bigint;
}

interface PurchaseFigures extends Sent {
  readonly order: string;
  /** Mayer Multiple of the daily closes, as decimal text. */
  readonly mayerMultiple: string;
  /** Factor of the order's amount, as decimal text. */
  readonly band: string;
  /** Number of daily closes on which both sources agree. */
  readonly closes: number;
  /** Sold amount in USDC's smallest unit. */
  readonly soldUsdcE6: bigint;
  readonly ownerSats: bigint;
  readonly feeSats: bigint;
}

/** Position of the leveraged vault after a round. */
export interface Round {
  readonly collateralSats: bigint;
  /** Debt in USDC's smallest unit. */
  readonly debtUsdcE6: bigint;
  /** Value of the collateral divided by the value minus the debt, as decimal text. */
  readonly leverage: string;
  /** Health factor as decimal text: the position is liquidated at 1. Null without debt. */
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
