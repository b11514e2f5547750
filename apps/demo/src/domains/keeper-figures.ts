/** What the keeper did, for programs. */
export interface KeeperFigures {
  readonly idleFunds: IdleFundsFigures;
  readonly purchase: PurchaseFigures;
  readonly turbo: TurboFigures;
  readonly lane: LaneFigures;
}

/** A transaction of the keeper. */
export interface Sent {
  readonly transactionHash: string;
  /** What its account was charged. */
  readonly gasFri: bigint;
}

interface IdleFundsFigures extends Sent {
  readonly vault: string;
  readonly deployedSats: bigint;
}

interface PurchaseFigures extends Sent {
  readonly order: string;
  /** What daily closes give, as decimal text. */
  readonly mayerMultiple: string;
  /** What the order's amount was multiplied by, as decimal text. */
  readonly band: string;
  /** Daily closes that both sources agree on. */
  readonly closes: number;
  /** In USDC's smallest unit. */
  readonly soldUsdcE6: bigint;
  readonly ownerSats: bigint;
  readonly feeSats: bigint;
}

/** A position of the leveraged vault, after a round. */
export interface Round {
  readonly collateralSats: bigint;
  /** In USDC's smallest unit. */
  readonly debtUsdcE6: bigint;
  /** Decimal text: worth of the collateral by what is left of it without the debt. */
  readonly leverage: string;
  /** Decimal text: at 1 it is liquidated. Null without debt. */
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
