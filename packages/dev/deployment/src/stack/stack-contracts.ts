import {
  constructorCalldata,
  type ConstructorParameters,
  type ContractArtefact,
  type ContractName,
} from '@sotto/contracts';
import { hash, ec } from 'starknet';
import type { KeyedAccount, Artefact } from '../node/sender.js';
import type { SierraArtefact } from '../node/starknet-sender.js';
import { planContract } from '../plan/deploy-call.js';
import type { PlannedContract } from '../plan/plan.js';
import type { DeployedStack, StackToken } from './deployed-stack.js';
import {
  EXCHANGES,
  LANES,
  LENDING,
  LENDING_CURVE,
  LENDING_POOLS,
  MAX_FEE_BPS,
  NETWORK_TOKENS,
  POOLS,
  TOKENS,
  VAULTS,
  type AccountName,
  ACCOUNTS,
} from './description.js';
import { mapValues } from './map-values.js';
import { toFelt } from '@sotto/kernel';

/** Accounts of the stack, and the list of those accounts that must be deployed. */
interface StackAccounts<Class extends Artefact> {
  readonly accounts: Readonly<Record<AccountName, KeyedAccount>>;
  readonly contracts: readonly PlannedContract<Class>[];
}

/**
 * Plans accounts of one class whose constructor has the public key as its parameter. The private
 * keys are derived from the deployer's key by a one-way function, so only the deployer can compute
 * them.
 */
function planAccounts<Class extends Artefact>(
  deployerKey: bigint,
  classHash: string,
  salt: bigint,
): StackAccounts<Class> {
  const contracts: PlannedContract<Class>[] = [];
  const accounts = mapValues(ACCOUNTS, ({ signs }, name) => {
    const keys = keysOf(deployerKey, name);
    const contract = planContract<Class>({
      name: `account ${name}`,
      contractClass: { classHash },
      salt,
      constructorCalldata: [keys.publicKey],
    });
    if (signs) contracts.push(contract);
    return { ...keys, address: contract.address };
  });
  return { accounts, contracts };
}

function keysOf(
  deployerKey: bigint,
  name: AccountName,
): Pick<KeyedAccount, 'privateKey' | 'publicKey'> {
  // A Starknet Keccak has 250 bits, so it is below the curve's order.
  const privateKey = hash.starknetKeccak(
    `sotto deployment account ${name} of ${toFelt(deployerKey)}`,
  );
  return { privateKey, publicKey: BigInt(ec.starkCurve.getStarkKey(toFelt(privateKey))) };
}

/**
 * Verifier of the pools: an existing contract, or a class of which a contract is deployed. The
 * class may already be declared.
 */
export type VerifierChoice =
  | { readonly kind: 'address'; readonly address: bigint }
  | {
      readonly kind: 'class';
      readonly contractClass: SierraArtefact | { readonly classHash: string };
    };

/** Terms that determine all addresses of a stack. */
export interface StackTerms {
  readonly chainId: string;
  readonly deployer: KeyedAccount;
  /** Class of the accounts, whose constructor must have a public key as its only parameter. */
  readonly accountClassHash: string;
  readonly verifier: VerifierChoice;
  /** Salt of all addresses. Each salt yields a separate stack. */
  readonly salt: string;
  /** ERC-20 tokens of the network (STRK, ETH) of which the exchanges have reserves. */
  readonly reserved: readonly (keyof typeof NETWORK_TOKENS)[];
  /** Function that reads a compiled contract. */
  readonly load: (name: ContractName) => ContractArtefact;
}

/** Planned stack, and the contracts that must be deployed for it. */
export interface StackContracts {
  readonly stack: DeployedStack;
  readonly contracts: readonly PlannedContract<SierraArtefact>[];
}

/**
 * Plans addresses and contracts of the whole stack. Constructors call no other contract, so
 * contracts can be deployed in any order.
 */
export function planStackContracts(terms: StackTerms): StackContracts {
  const { deployer, load } = terms;
  const owner = deployer.address;
  const contracts: PlannedContract<SierraArtefact>[] = [];
  const add = (contract: PlannedContract<SierraArtefact>): bigint => {
    contracts.push(contract);
    return contract.address;
  };
  const saltOf = (name: string): bigint => hash.starknetKeccak(`${terms.salt}/${name}`);
  const artefacts = new Map<ContractName, ContractArtefact>();
  const deploy = <Name extends ContractName>(
    contract: Name,
    name: string,
    parameters: ConstructorParameters[Name],
  ): bigint => {
    const contractClass = artefacts.get(contract) ?? load(contract);
    artefacts.set(contract, contractClass);
    return add(
      planContract({
        name,
        contractClass,
        salt: saltOf(name),
        constructorCalldata: constructorCalldata(contract, parameters),
      }),
    );
  };

  const { accounts, contracts: accountContracts } = planAccounts<SierraArtefact>(
    deployer.privateKey,
    terms.accountClassHash,
    saltOf('account'),
  );
  contracts.push(...accountContracts);
  const own = ({
    name,
    symbol,
    decimals,
  }: typeof TOKENS.WBTC | typeof TOKENS.USDC): StackToken => ({
    address: deploy('Erc20', symbol, { name, symbol, decimals, minter: owner }),
    name,
    symbol,
    decimals,
  });
  const tokens = {
    STRK: { ...TOKENS.STRK, address: NETWORK_TOKENS.STRK },
    ETH: { ...TOKENS.ETH, address: NETWORK_TOKENS.ETH },
    WBTC: own(TOKENS.WBTC),
    USDC: own(TOKENS.USDC),
  };
  const wbtc = tokens.WBTC.address;
  const verifier =
    terms.verifier.kind === 'address'
      ? terms.verifier.address
      : add(
          planContract({
            name: 'verifier',
            contractClass: terms.verifier.contractClass,
            salt: saltOf('verifier'),
            constructorCalldata: [],
          }),
        );
  const router = deploy('Router', 'router', { owner });
  const oracle = deploy('PriceOracle', 'oracle', { owner });
  const lendingPools = mapValues(LENDING_POOLS, ({ name, vaultToken }, key) => ({
    name,
    vaultToken,
    asset: wbtc,
    address: deploy('LendingPool', `lending pool ${key}`, {
      owner,
      curve: LENDING_CURVE,
      terms: {
        priceOracle: oracle,
        collateralAsset: wbtc,
        debtAsset: tokens.USDC.address,
        maxLtvE18: LENDING.maxLtvE18,
      },
    }),
  }));
  const relayers = LANES.map((name: AccountName) => accounts[name].address);
  const shared = { maxFeeBps: MAX_FEE_BPS, verifier, developmentAllowsRespending: false };
  const stack: DeployedStack = {
    chainId: terms.chainId,
    owner: deployer,
    accounts,
    tokens,
    verifier,
    guard: { address: deploy('Guard', 'guard', {}), classHash: BigInt(load('Guard').classHash) },
    router,
    oracle,
    pools: mapValues(POOLS, ({ token, denomination }, key) => {
      const pool = { token: tokens[token].address, denomination };
      return {
        ...pool,
        maxFeeBps: MAX_FEE_BPS,
        address: deploy('ShieldedPool', `pool ${key}`, {
          ...shared,
          ...pool,
          owner,
          relayers,
          autoDeploy: true,
        }),
      };
    }),
    swapPool: {
      address: deploy('SwapPool', 'swap pool', {
        ...shared,
        owner: accounts.swapOwner.address,
        wbtc,
        router,
      }),
      maxFeeBps: MAX_FEE_BPS,
    },
    exchanges: mapValues(EXCHANGES, ({ name, feeBps }, key) => ({
      name,
      feeBps,
      address: deploy('Exchange', `exchange ${key}`, { owner, feeBps: Number(feeBps) }),
    })),
    vaults: mapValues(VAULTS, (methods, id) => {
      const vault = { owner: accounts.curator.address, asset: wbtc };
      if (id === 'turbo') {
        const strategy = lendingPools[LENDING.pool].address;
        const address = deploy('TurboVault', `vault ${id}`, {
          ...vault,
          debtAsset: tokens.USDC.address,
          lendingPool: strategy,
          router,
        });
        return { address, strategy };
      }
      // The vault sends deployed funds to an address that has no owner.
      const strategy = saltOf(`strategy of ${id}`);
      return { address: deploy('Vault', `vault ${id}`, { ...vault, strategy, methods }), strategy };
    }),
    purchases: { address: deploy('PurchaseKeeper', 'purchases', { owner, wbtc, router }) },
    lendingPools,
    outputTokens: [...terms.reserved, 'USDC'],
  };
  return { stack, contracts };
}
