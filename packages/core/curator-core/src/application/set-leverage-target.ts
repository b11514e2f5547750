import { CODES_OF } from '@sotto/facts';
import type { Snapshots } from '@sotto/submission-core';
import { UNLEVERAGED_BPS, leverageLimitBps, type LeverageLimits } from '../domain/leverage/plan.js';
import type { LeveragedVault } from '../domain/leverage/leveraged-vault.js';
import { LeverageTargetInvalid, LeverageUnreachable } from '../errors.js';
import type { LeveragePositions } from '../ports/leverage-positions.port.js';
import type { LeverageTarget, LeverageTargets } from '../ports/leverage-targets.port.js';
import { inTimes, leveragedVault } from './leverage-task.js';

/** 5× in hundredths of a percent. */
const HIGHEST_BPS = 50_000;

export interface LeverageTargetInput {
  /** Name of the vault, as it came. */
  readonly vaultId: string;
  /** Collateral over equity in hundredths of a percent; null takes the target away. */
  readonly targetBps: number | null;
}

export interface SetLeverageTargetPolicy extends LeverageLimits {
  readonly vaults: readonly LeveragedVault[];
}

/** The operator's word on how far a vault is leveraged. */
export class SetLeverageTarget {
  /** Codes of the route that it stands behind. */
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
   * Keeps the target; null means that the vault is left as it is. Without leverage (10,000) it is
   * led back to no debt. Nothing is submitted by this itself. Null where the target was taken away.
   * @throws VaultNotFound for a vault that the profile gives no leverage.
   * @throws LeverageTargetInvalid outside of 1× to 5×.
   * @throws LeverageUnreachable beyond what the vault's limits reach now; `details.limit` is that.
   * @throws the error of a read or of the store; nothing was changed then.
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
