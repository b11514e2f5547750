import { toFelt } from '@sotto/kernel';
import { Child, keyed, type Variables } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { NODE_OPTIONS } from './program.js';

const { accounts, vaults } = sandboxWorld;
const KEEPER = new URL('../../../../keeper/dist/main.js', import.meta.url).href;

/** Part of a network profile that lists the vault of {@link keeperProcess}. */
export const KEPT_VAULTS = [{ id: 'sentinel', address: toFelt(vaults.sentinel.address) }];

/**
 * Starts the built keeper with one task. @param env variables of a stack whose profile has the
 * vault
 */
export function keeperProcess(env: Variables, destination?: number): Child {
  return new Child({
    name: 'keeper',
    program: KEEPER,
    nodeOptions: NODE_OPTIONS,
    destination,
    env: {
      ...env,
      CURATOR_ACCOUNT: JSON.stringify(keyed(accounts.curator)),
      KEEPER_TASKS: 'curator',
      KEEPER_SUBJECTS: JSON.stringify({ curator: ['sentinel'] }),
    },
  });
}
