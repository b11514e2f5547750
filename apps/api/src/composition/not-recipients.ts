import type { Felt } from '@sotto/kernel';
import type { NetworkProfile } from '../config/network-profile.js';

/** The profile's contracts that can't give back what a withdrawal pays them. */
export function notRecipients({ pools, swapPool, tokens }: NetworkProfile): readonly Felt[] {
  const contracts = [...pools, ...Object.values(tokens), ...(swapPool === undefined ? [] : [swapPool])];
  return contracts.map(({ address }) => address);
}
