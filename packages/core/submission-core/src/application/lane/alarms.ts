/** Things that should never happen, counted for the operator. */
export interface Alarms {
  /** Transactions of our accounts that no ledger of ours can have sent. */
  foreign: number;
  /** Settled nonces that a rollback opened again. */
  reopened: number;
  /** Settled nonces that were final, and that a rollback opened again all the same. */
  reopenedFinal: number;
  /** Refusals recorded as conclusive whose transaction landed. */
  disprovedRefusals: number;
  /** Leases that were lost to another process of the same name, before they had run out. */
  sharedInstanceIds: number;
}
