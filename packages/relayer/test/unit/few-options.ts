import { OWN_KEY, OWN_VERIFICATION_KEY, profile } from '@sotto/process-kit/environment';
import type { RelayerOptions } from '../../src/index.js';

export const relay = [{ address: '0xacc1', privateKey: OWN_KEY }];
export const verificationKey: unknown = JSON.parse(OWN_VERIFICATION_KEY);

/** Minimum options that production requires. */
export const few: RelayerOptions = {
  node: { url: 'https://node.example' },
  accounts: { relay },
  feeAddress: '0xfee',
  prices: { apiUrl: 'https://prices.example' },
  staking: { rewardsUrl: 'https://lending.example' },
  profile,
  verificationKey,
};
