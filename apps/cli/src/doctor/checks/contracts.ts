import { silentLogger, type Logger } from '@sotto/kernel';
import { profilePools, verifiersOf, type NetworkProfile } from '@sotto/network-profile';
import { InspectContracts, guardProblem } from '@sotto/relayer-core';
import { causeOf } from '../../cause.js';
import { fine, found, skipped, type CheckFinding } from '../finding.js';
import type { ConnectedSite } from '../site.js';

/** Checks contracts and views of every served pool. */
export async function checkPools({
  node,
  settings,
}: ConnectedSite): Promise<readonly CheckFinding[]> {
  const { network, guards } = settings;
  const pools = profilePools(network);
  const reader = node.pools();
  const hashes = await node.classes().hashesAt(pools.map(({ address }) => address));
  const swapPool = network.swapPool?.address;
  const findings = await Promise.all(
    pools.map(async ({ key: pool, address }, index): Promise<readonly CheckFinding[]> => {
      if ((hashes[index] ?? null) === null) return [found('POOL_WITHOUT_CONTRACT', { pool })];
      const paused = guards.paused.has(address) ? [found('POOL_PAUSED', { pool })] : [];
      // The swap pool does not have the views that are checked for other pools.
      if (address === swapPool) return paused;
      try {
        await reader.poolStatus(address);
        return paused;
      } catch (error) {
        return [found('POOL_NOT_READABLE', { pool, cause: causeOf(error) })];
      }
    }),
  );
  const wrong = findings.flat();
  return wrong.length > 0 ? wrong : [fine(`${pools.length} pools are deployed and can be read`)];
}

/**
 * Compares the pools' verifiers with the verification key. Warns of verifier classes that make
 * withdrawals expensive.
 */
export async function checkVerifiers({
  node,
  settings,
}: ConnectedSite): Promise<readonly CheckFinding[]> {
  const { network, lanes, verification, mode } = settings;
  const pools = profilePools(network);
  const dear: CheckFinding[] = [];
  const logger: Logger = {
    ...silentLogger,
    warn: ({ role, address }) =>
      void dear.push(
        found('CLASS_CHARGED_BY_STEPS', { role: String(role), address: String(address) }),
      ),
  };
  const inspection = new InspectContracts(
    node.classes(),
    {
      contracts: [
        ...lanes.map(({ address, role }) => ({ role: `account (${role})`, address })),
        ...pools.map(({ address }) => ({ role: 'pool', address })),
      ],
      verifiers: verifiersOf(network),
      classesOfKey: verification.classHashes,
    },
    logger,
  );
  await inspection.execute();
  const problem = inspection.problem();
  const wrong = problem === null || problem === 'VERIFIERS_NOT_LOOKED_AT' ? [] : [found(problem)];
  const unnamed =
    mode === 'production'
      ? pools.flatMap(({ key: pool, verifier }) =>
          verifier === undefined ? [found('VERIFIER_NOT_NAMED', { pool })] : [],
        )
      : [];
  const all = [...wrong, ...unnamed, ...dear, ...(await guardFindings(node, network.guard))];
  return all.length > 0 ? all : [fine('the verifiers fit the verification key')];
}

/** Compares the class of the guard contract with the class in the settings. */
async function guardFindings(
  node: ConnectedSite['node'],
  guard: NetworkProfile['guard'],
): Promise<readonly CheckFinding[]> {
  if (guard === undefined) return [];
  const [hash = null] = await node.classes().hashesAt([guard.address]);
  const problem = guardProblem(guard.classHash, hash);
  return problem === null ? [] : [found(problem)];
}

/** Checks that the swap owner's account is the owner of the swap pool. */
export async function checkSwapOwner({
  node,
  settings,
}: ConnectedSite): Promise<readonly CheckFinding[]> {
  const { swap, network } = settings;
  if (swap === null || network.swapPool === undefined) return [skipped('no private swaps')];
  const owner = await node.owners().ownerOf(network.swapPool.address);
  if (owner === null) return [found('SWAP_OWNER_UNKNOWN')];
  const account = swap.owner.address;
  return owner === account
    ? [fine('the swap pool’s owner is the account that swaps')]
    : [found('SWAP_OWNER_DIFFERS', { found: owner, account })];
}

/** Checks that the curator's account may deploy the vaults' funds. */
export async function checkCurator({
  node,
  settings,
}: ConnectedSite): Promise<readonly CheckFinding[]> {
  const { curator, network } = settings;
  const account = curator.account?.address;
  if (account === undefined || network.vaults.length === 0) return [skipped('no vaults')];
  const owners = node.owners();
  const findings = await Promise.all(
    network.vaults.map(async ({ id: vault, address }) => {
      try {
        const owner = await owners.ownerOf(address);
        if (owner === null) return found('CURATOR_RIGHTS_UNKNOWN', { vault });
        return owner === account
          ? null
          : found('CURATOR_WITHOUT_RIGHTS', { vault, found: owner, account });
      } catch (error) {
        return found('VAULT_NOT_READABLE', { vault, cause: causeOf(error) });
      }
    }),
  );
  const wrong = findings.filter((finding) => finding !== null);
  return wrong.length > 0
    ? wrong
    : [fine(`the curator’s account owns ${network.vaults.length} vaults`)];
}
