import { CODES_OF } from '@sotto/facts';
import type { Snapshots } from '@sotto/submission-core';
import { UNLEVERAGED_BPS, leverageLimitBps, type LeverageLimits } from '../domain/leverage/plan.js';
import type { LeveragedVault } from '../domain/leverage/leveraged-vault.js';
import { LeverageTargetInvalid, LeverageUnreachable } from '../errors.js';
import type { LeveragePositions } from '../ports/leverage-positions.port.js';
import type { LeverageTarget, LeverageTargets } from '../ports/leverage-targets.port.js';
import { inTimes, leveragedVault } from './leverage-task.js';

/** Highest target leverage: 5×, in hundredths of a percent. */
const HIGHEST_BPS = 50_000;

export interface LeverageTargetInput {
  /** Name of the vault as sent by the caller, not yet validated. */
  readonly vaultId: string;
  /**
   * Target leverage: collateral divided by equity, in hundredths of a percent. Null removes the
   * target.
   */
  readonly targetBps: number | null;
}

export interface SetLeverageTargetPolicy extends LeverageLimits {
  readonly vaults: readonly LeveragedVault[];
}

/** Sets the operator's target leverage of a vault. */
export class SetLeverageTarget {
  /** Error codes of the leverage route. */
  static readonly throws = CODES_OF.leverage;

  constructor(
    private readonly ports: {
      readonly targets: LeverageTargets;
      readonly positions: LeveragePositions;
      readonly snapshots: Snapshots;
    },
    private readonly policy: SetLeverageTargetPolicy,
  ) {}

  /**
   * Stores the target and returns it. Null removes the target: the task then no longer changes the
   * vault, and the result is null. A target of 10,000 (1×) unwinds the vault until it has no debt.
   * The call itself submits nothing.
   * @throws VaultNotFound if the profile has no leverage for the vault.
   * @throws LeverageTargetInvalid unless the target is from 1× to 5×.
   * @throws LeverageUnreachable if the target is beyond the vault's current limit, which is in
   *   `details.limit`.
   * @throws the error of a read or of the store; in this case nothing was changed.
   */
  async execute({ vaultId, targetBps }: LeverageTargetInput): Promise<LeverageTarget | null> {
    const { targets, positions, snapshots } = this.ports;
    const vault = leveragedVault(this.policy.vaults, vaultId);
    if (targetBps !== null) {
      if (!Number.isInteger(targetBps) || targetBps < UNLEVERAGED_BPS || targetBps > HIGHEST_BPS)
        throw new LeverageTargetInvalid();
      const { maxLtvE18 } = await positions.read(vault, await snapshots.latest(null));
      const limitBps = leverageLimitBps(maxLtvE18, vault.layout.form, this.policy);
      if (targetBps > limitBps)
        throw new LeverageUnreachable({ details: { limit: inTimes(limitBps) } });
    }
    await targets.set(vault.address, targetBps);
    return targets.of(vault.address);
  }
}
