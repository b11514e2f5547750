import * as runner from '@jest/globals';
import { HttpRewardProgramme } from '@sotto/adapter-http/rewards';
import { describeRewardProgrammeContract } from '@sotto/staking-core/testing/contracts';
import { PARTNER, PRIME, startRewards } from '../support/sandbox.js';

describeRewardProgrammeContract(
  runner,
  'the lending protocol’s interface in the sandbox',
  async () => {
    const sandbox = await startRewards();
    const subject = new HttpRewardProgramme({
      url: sandbox.rewardsUrl,
      retry: { maxAttempts: 2, firstDelayMs: 1 },
    });
    return {
      subject,
      pools: [PRIME, PARTNER],
      stage: async ({ pool }, aprE18) =>
        sandbox.control.rewards.setBtcFiApr(
          BigInt(pool),
          aprE18 === null ? null : { value: aprE18, decimals: 18 },
        ),
      breakDown: async () => sandbox.stop(),
      stop: async () => {
        subject.close();
        await sandbox.stop();
      },
    };
  },
);
