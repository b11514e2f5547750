import { parseAnswer, parseJson, type AnswerSchema } from '@sotto/http-client';
import type { LendingPool } from '@sotto/staking-core';
import { RewardsMalformed } from './errors.js';
import { Asset, AssetAddress, PoolAnswer } from './rewards.schemas.js';

/**
 * Returns the reward rate of an asset from the response for its pool. 1e18 is 100 % a year. The
 * rate is 0 if no reward programme pays for the asset.
 * @throws RewardsMalformed
 */
export function toSupplyAprE18(text: string, { pool, asset }: LendingPool): bigint {
  const { id, assets } = parseAs(PoolAnswer, parseJson(text)).data;
  if (id !== pool)
    throw new RewardsMalformed({
      message: 'the rewards interface returned another pool',
      details: { at: 'data.id' },
    });
  const [found, ...others] = assets.filter(
    (candidate) => AssetAddress.safeParse(candidate).data?.address === asset,
  );
  if (found === undefined || others.length > 0) {
    throw new RewardsMalformed({
      message: 'the rewards interface does not list the asset exactly once',
      details: { at: 'data.assets' },
    });
  }
  return parseAs(Asset, found).stats.btcFiSupplyApr ?? 0n;
}

function parseAs<T>(schema: AnswerSchema<T>, value: unknown): T {
  return parseAnswer(
    schema,
    value,
    (at) =>
      new RewardsMalformed({
        message: 'the answer violates the rewards interface',
        details: { at },
      }),
  );
}
