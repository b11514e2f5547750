import { Felts, u256FromHalves, u256ToHalves, type Felt } from '@sotto/kernel';
import { VaultNotFound } from '../errors.js';

/** Ids of the vaults in the specification. */
export const VAULT_IDS = [
  'sentinel',
  'citadel',
  'trident',
  'delta_neutral',
  'turbo',
  'apex',
] as const;
export type VaultId = (typeof VAULT_IDS)[number];

/**
 * Arguments of a vault's method, in the order of the contract's ABI. `amount` is the deployed
 * amount as a u256 (low, high); a number is a constant felt.
 */
export type CalldataRecipe = readonly ('amount' | number)[];

/** Method of a vault that deploys its idle funds. */
export interface VaultMethod {
  readonly entrypoint: string;
  readonly calldata: CalldataRecipe;
}

/** A vault of the network profile. The service reads and calls only these vaults. */
export interface CuratedVault extends Partial<VaultMethod> {
  readonly id: VaultId;
  readonly address: Felt;
}

/** Number of iterations of the loop of the vault Trident (specification, "Limits"). */
const LOOPS = 3;

/**
 * Method of each vault, with the name in the specification. The arguments are those of the
 * contracts, because the specification does not define them.
 */
export const SPECIFIED_METHODS: Readonly<Record<VaultId, VaultMethod>> = {
  sentinel: { entrypoint: 'deploy_to_lending', calldata: ['amount'] },
  citadel: { entrypoint: 'stake_to_staking', calldata: ['amount'] },
  trident: { entrypoint: 'execute_staking_loop', calldata: ['amount', LOOPS] },
  delta_neutral: { entrypoint: 'deploy_collateral', calldata: ['amount'] },
  turbo: { entrypoint: 'deploy_to_lending', calldata: ['amount'] },
  apex: { entrypoint: 'deploy_split', calldata: ['amount'] },
};

/** @throws VaultNotFound if no vault in `vaults` has the id. */
export function curatedVault(vaults: readonly CuratedVault[], id: string): CuratedVault {
  const vault = vaults.find((candidate) => candidate.id === id);
  if (vault === undefined) throw new VaultNotFound();
  return vault;
}

/**
 * Returns the vault's method from the profile; if the profile has none, the method from the
 * specification.
 */
export function methodOf({ id, entrypoint, calldata }: CuratedVault): VaultMethod {
  const specified = SPECIFIED_METHODS[id];
  return {
    entrypoint: entrypoint ?? specified.entrypoint,
    calldata: calldata ?? specified.calldata,
  };
}

/** @throws RangeError if the amount is not a u256; InvalidFelt if a number is not a felt. */
export function deploymentCalldata(recipe: CalldataRecipe, amountSats: bigint): Felts {
  return Felts.of(
    recipe.flatMap((part) => (part === 'amount' ? u256ToHalves(amountSats) : [BigInt(part)])),
  );
}

const HALF_BITS = 128n;

/**
 * Returns the amount from calldata with the arguments in `recipe`; null if the felts do not match
 * these arguments.
 */
export function deployedAmount(recipe: CalldataRecipe, calldata: Felts): bigint | null {
  const amountAt = recipe.indexOf('amount');
  if (amountAt < 0 || calldata.length < amountAt + 2) return null;
  const [low, high] = [calldata.at(amountAt), calldata.at(amountAt + 1)];
  if (low >> HALF_BITS !== 0n || high >> HALF_BITS !== 0n) return null;
  const amount = u256FromHalves(low, high);
  return deploymentCalldata(recipe, amount).equals(calldata) ? amount : null;
}
