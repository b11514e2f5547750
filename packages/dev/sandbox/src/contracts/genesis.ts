import type { Genesis, GenesisContract } from '../engine/genesis.js';
import { PUBLIC_KEY } from '../engine/signature.js';
import { accountModel } from './account.js';
import { UNLIMITED_ALLOWANCE, allowanceKey, erc20, mintTokens } from './erc20.js';
import { guardModel } from './guard.js';
import { lendingPools } from './lending-pools.js';
import { market } from './market.js';
import { priceOracle, setOraclePrice, type OraclePrice } from './price-oracle.js';
import { DEFAULT_PRICES } from './prices.js';
import { PURCHASE_STORAGE, purchaseKeeper } from './purchase-keeper.js';
import type { PrivacyPoolVersion } from './privacy-pool.js';
import { privacyContracts, privacyPoolClasses } from './privacy-world.js';
import { POOL_STORAGE, shieldedPool } from './shielded-pool.js';
import { recordStorage } from './storage.js';
import { SWAP_POOL_STORAGE, swapPool } from './swap-pool.js';
import { turboVault } from './turbo-vault.js';
import { vault } from './vault.js';
import { groth16Verifier, verifierModel, type ProofVerifier } from './verifier.js';
import { extraLane, sandboxWorld, type SandboxAccount, type SandboxToken } from './world.js';

export interface GenesisOptions {
  /** Verification key of the withdrawal circuit: the parsed JSON file of snarkjs. */
  readonly verificationKey: unknown;
  /**
   * True if the pools reject a spent nullifier. The privacy pool then rejects applied actions.
   * @default true
   */
  readonly enforceNullifier?: boolean;
  /**
   * True if the pool automatically deploys a batch when a third deposit waits.
   * @default true
   */
  readonly autoDeploy?: boolean;
  /**
   * True if the swap pool can read `branch` routes, as a contract does that was compiled against
   * the newer Route struct.
   * @default true
   */
  readonly branchRoutes?: boolean;
  /**
   * Number of lane accounts in addition to the three lanes of {@link sandboxWorld}. {@link
   * extraLane} numbers them from 4. Each additional lane has the same STRK balance.
   * @default 0
   */
  readonly extraLanes?: number;
  /**
   * True if every proof is accepted. Benchmarks set this option, so that the verification does not
   * distort the measurement.
   * @default false
   */
  readonly trustProofs?: boolean;
  /**
   * Oracle prices by pair, which are added to the default prices or replace them. The exchanges'
   * rates are computed from the prices.
   */
  readonly prices?: Readonly<Record<string, OraclePrice>>;
  /** Class of the privacy pool. @default '2.0' */
  readonly privacyPoolVersion?: PrivacyPoolVersion;
  /**
   * Number of empty blocks after block 0. A private action needs a base block that is 10 blocks
   * old.
   * @default 0
   */
  readonly emptyBlocks?: number;
}

const FIRST_EXTRA_LANE = 4;
const STRK_EACH = 1_000n * 10n ** 18n;
const WBTC_EACH = 10n * 10n ** 8n;
const USDC_EACH = 1_000_000n * 10n ** 6n;
/** Reserves of each exchange: far more than all users together could swap. */
const RESERVES = {
  STRK: 10n ** 9n * 10n ** 18n,
  WBTC: 3_000n * 10n ** 8n,
  USDC: 3n * 10n ** 8n * 10n ** 6n,
  ETH: 10n ** 5n * 10n ** 18n,
};
/** Tokens of the privacy pool's users: enough for many withdrawals. */
const PRIVATE_BALANCES = {
  STRK: 10n ** 6n * 10n ** 18n,
  WBTC: 10n * 10n ** 8n,
  USDC: 10n ** 6n * 10n ** 6n,
  ETH: 100n * 10n ** 18n,
};

/**
 * Builds the chain's initial state: the development world of {@link sandboxWorld}. Lanes, swap
 * owner, curator, keepers, treasury, depositor, buyer and crowd have 1,000 STRK each. Treasury,
 * depositor, buyer and crowd have 10 WBTC and 1,000,000 USDC each. The lending pool has USDC. Only
 * the exchanges and the privacy pool have ETH.
 * @throws ZodError if the verification key has another format, Error if its points are invalid.
 */
export function buildGenesis(options: GenesisOptions): Genesis {
  const { accounts, tokens } = sandboxWorld;
  const { depositor, buyer, crowd1, crowd2, treasury } = accounts;
  const users = [depositor, buyer, crowd1, crowd2, treasury];
  const prices = { ...DEFAULT_PRICES, ...options.prices };
  const verifyProof =
    options.trustProofs === true ? () => true : groth16Verifier(options.verificationKey);
  const extraLanes = Array.from({ length: options.extraLanes ?? 0 }, (_, index) =>
    extraLane(FIRST_EXTRA_LANE + index),
  );
  const everybody = [...Object.values(accounts), ...extraLanes];
  const surroundings = {
    feeToken: tokens.STRK.address,
    router: sandboxWorld.router,
    exchange: sandboxWorld.exchanges.first.address,
    enforceWriteOnce: options.enforceNullifier,
  };
  return {
    chainId: sandboxWorld.chainId,
    emptyBlocks: options.emptyBlocks ?? 0,
    classes: Object.values(privacyPoolClasses(surroundings)),
    feeToken: tokens.STRK.address,
    contracts: [
      token(tokens.STRK, [...lanes(), ...extraLanes, ...services(), ...users], STRK_EACH),
      token(tokens.WBTC, users, WBTC_EACH),
      token(tokens.USDC, users, USDC_EACH),
      token(tokens.ETH, [], 0n),
      oracle(prices),
      { address: sandboxWorld.verifier, model: verifierModel },
      { address: sandboxWorld.guard.address, model: guardModel },
      ...privacyContracts(surroundings, options.privacyPoolVersion ?? '2.0'),
      ...pools(options, verifyProof),
      privateSwaps(options, verifyProof),
      ...vaults(),
      purchases(),
      ...lendingPools(),
      ...market(prices),
      ...everybody.map(({ address, publicKey }) => ({
        address,
        model: accountModel,
        storage: { [PUBLIC_KEY]: publicKey },
      })),
    ],
    accounts: everybody,
  };
}

/** Returns the accounts that sign for one purpose only. */
function services(): readonly SandboxAccount[] {
  const { swapOwner, curator, keeper1, keeper2 } = sandboxWorld.accounts;
  return [swapOwner, curator, keeper1, keeper2];
}

function lanes(): readonly SandboxAccount[] {
  const { lane1, lane2, lane3 } = sandboxWorld.accounts;
  return [lane1, lane2, lane3];
}

/**
 * Builds an ERC-20 token. Each holder has the same balance, the exchanges have their reserves, and
 * the crowd has approved the pools of this token.
 */
function token(
  info: SandboxToken & { readonly symbol: keyof typeof RESERVES },
  holders: readonly SandboxAccount[],
  amountEach: bigint,
): GenesisContract {
  const { accounts, exchanges, pools: allPools, privacyPool } = sandboxWorld;
  const storage: Record<string, bigint> = {};
  for (const { address } of holders) mintTokens(recordStorage(storage), address, amountEach);
  for (const { address } of Object.values(exchanges))
    mintTokens(recordStorage(storage), address, RESERVES[info.symbol]);
  mintTokens(recordStorage(storage), privacyPool.address, PRIVATE_BALANCES[info.symbol]);
  const { lending } = sandboxWorld;
  if (info.symbol === 'USDC') mintTokens(recordStorage(storage), lending.pool, lending.reserve);
  for (const { address } of Object.values(allPools).filter((pool) => pool.token === info.address)) {
    for (const member of [accounts.crowd1, accounts.crowd2])
      storage[allowanceKey(member.address, address)] = UNLIMITED_ALLOWANCE;
  }
  return { address: info.address, model: erc20(info), storage };
}

function oracle(prices: Readonly<Record<string, OraclePrice>>): GenesisContract {
  const storage: Record<string, bigint> = {};
  for (const [pair, price] of Object.entries(prices))
    setOraclePrice(recordStorage(storage), pair, price);
  return { address: sandboxWorld.oracle, model: priceOracle, storage };
}

function pools(
  { enforceNullifier = true, autoDeploy = true }: GenesisOptions,
  verifyProof: ProofVerifier,
): GenesisContract[] {
  const relayers = lanes().map(({ address }) => address);
  return Object.values(sandboxWorld.pools).map(({ address, ...terms }) => ({
    address,
    model: shieldedPool({ ...terms, relayers, verifyProof, enforceNullifier }),
    storage: { [POOL_STORAGE.autoDeployOff]: autoDeploy ? 0n : 1n },
  }));
}

function privateSwaps(
  { enforceNullifier = true, branchRoutes = true }: GenesisOptions,
  verifyProof: ProofVerifier,
): GenesisContract {
  const { accounts, router, tokens } = sandboxWorld;
  const { address, maxFeeBps } = sandboxWorld.swapPool;
  return {
    address,
    model: swapPool({
      owner: accounts.swapOwner.address,
      wbtc: tokens.WBTC.address,
      router,
      maxFeeBps,
      verifyProof,
      enforceNullifier,
    }),
    storage: { [SWAP_POOL_STORAGE.olderRoutes]: branchRoutes ? 0n : 1n },
  };
}

function vaults(): GenesisContract[] {
  const { accounts, lending, router, tokens } = sandboxWorld;
  const { turbo, ...others } = sandboxWorld.vaults;
  const terms = { asset: tokens.WBTC.address, owner: accounts.curator.address };
  return [
    ...Object.values(others).map(({ address, ...own }) => ({
      address,
      model: vault({ ...own, ...terms }),
    })),
    {
      address: turbo.address,
      model: turboVault({
        ...terms,
        methods: turbo.methods,
        debtAsset: tokens.USDC.address,
        lendingPool: lending.pool,
        router,
      }),
    },
  ];
}

function purchases(): GenesisContract {
  const { accounts, router, tokens } = sandboxWorld;
  const { address, mayerMultipleE18 } = sandboxWorld.purchases;
  return {
    address,
    model: purchaseKeeper({
      owner: accounts.curator.address,
      wbtc: tokens.WBTC.address,
      router,
    }),
    storage: { [PURCHASE_STORAGE.mayerMultiple]: mayerMultipleE18 },
  };
}
