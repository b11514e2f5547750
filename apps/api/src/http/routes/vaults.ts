import type { ListedVault } from '@sotto/curator-core';
import { implementCached, type BodyOf, type Route } from '@sotto/http-server';
import type { SubjectStatus } from '@sotto/keeper-core';
import type { UseCases } from '@sotto/relayer';
import * as routes from '@sotto/routes';
import { toPublicSubjectDto } from './keeper.js';

type VaultDto = BodyOf<typeof routes.vaults>['vaults'][number];

const E18 = 1e18;

export const vaultsRoute = ({ listVaults }: UseCases): Route =>
  implementCached(routes.vaults, {
    cacheKey: () => null,
    answer: async () => {
      const { block, vaults } = await listVaults.execute();
      return {
        block: block?.number ?? null,
        at: block?.timestamp ?? null,
        vaults: vaults.map(toVaultDto),
      };
    },
  });

function toVaultDto(vault: ListedVault): VaultDto {
  const { id, address, method, idleSats, curated, leveraged, canBorrow } = vault;
  return {
    id,
    address,
    method,
    idle: idleSats === null ? null : String(idleSats),
    lastRun: curated === null ? null : toRunDto(curated),
    leverage: canBorrow ? toLeverageDto(leveraged) : null,
  };
}

function toRunDto(status: SubjectStatus): VaultDto['lastRun'] {
  const { subject: _, details: __, ...run } = toPublicSubjectDto('curator', status);
  return run;
}

/**
 * Converts the state of a vault's leverage, as read from the chain. The target is returned only if
 * the curator no longer changes the leverage.
 */
function toLeverageDto(status: SubjectStatus | null): VaultDto['leverage'] {
  const seen = status === null ? null : toPublicSubjectDto('leverage', status);
  const { leverage, collateral, debt, healthE18 } = seen?.details ?? {};
  const target = status?.lastPoll?.report.details['target'];
  return {
    lastLookAt: seen?.lastLookAt ?? null,
    target: seen?.reason === 'AT_TARGET' ? numberOrNull(target) : null,
    leverage: numberOrNull(leverage),
    collateral: textOrNull(collateral),
    debt: textOrNull(debt),
    health: healthE18 === undefined ? null : Number(healthE18) / E18,
    reason: seen?.reason ?? null,
    meaning: seen?.meaning ?? null,
  };
}

type Detail = string | number | boolean | undefined;

const numberOrNull = (detail: Detail): number | null =>
  detail === undefined ? null : Number(detail);
const textOrNull = (detail: Detail): string | null =>
  detail === undefined ? null : String(detail);
