import type { Genesis, GenesisContract } from '../engine/genesis.js';
import { PUBLIC_KEY } from '../engine/signature.js';
import { accountModel } from './account.js';
import { UNLIMITED_ALLOWANCE, allowanceKey, erc20, mintTokens } from './erc20.js';
import { priceOracle, setOraclePrice, type OraclePrice } from './price-oracle.js';
import { POOL_STORAGE, shieldedPool } from './shielded-pool.js';
import { recordStorage } from './storage.js';
import { groth16Verifier } from './verifier.js';
import { sandboxWorld, type SandboxAccount, type SandboxToken } from './world.js';

export interface GenesisOptions {
  /** Verification key of the withdrawal circuit in snarkjs' JSON shape, as parsed from its file. */
  readonly verificationKey: unknown;
  /**
   * Whether the pools refuse a spent nullifier.
   * @default true
   */
  readonly enforceNullifier?: boolean;
  /**
   * Whether the third waiting deposit deploys a batch by itself.
   * @default true
   */
  readonly autoDeploy?: boolean;
  /** Oracle prices by pair, in place of or besides the defaults. */
  readonly prices?: Readonly<Record<string, OraclePrice>>;
}

const STRK_EACH = 1_000n * 10n ** 18n;
const WBTC_EACH = 10n * 10n ** 8n;
const USDC_EACH = 1_000_000n * 10n ** 6n;

/** Round figures of the right size; the decimals are those the real oracle uses. */
const DEFAULT_PRICES: Readonly<Record<string, OraclePrice>> = {
  'BTC/USD': livePrice(100_000n * 10n ** 8n, 8),
  'WBTC/USD': livePrice(100_000n * 10n ** 8n, 8),
  'ETH/USD': livePrice(3_500n * 10n ** 8n, 8),
  'STRK/USD': livePrice(4_000_000n, 8),
  'USDC/USD': livePrice(1_000_000n, 6),
};

/**
 * The development world of {@link sandboxWorld} as the chain's first state. Lanes, the depositor and the crowd hold
 * 1,000 STRK each; depositor and crowd hold 10 WBTC and 1,000,000 USDC each.
 * @throws ZodError or Error when the verification key isn't one.
 */
export function buildGenesis(options: GenesisOptions): Genesis {
  const { accounts, tokens } = sandboxWorld;
  const crowd = [accounts.crowd1, accounts.crowd2];
  const users = [accounts.depositor, ...crowd];
  return {
    chainId: sandboxWorld.chainId,
    feeToken: tokens.STRK.address,
    contracts: [
      token(tokens.STRK, [...lanes(), ...users], STRK_EACH, []),
      token(tokens.WBTC, users, WBTC_EACH, crowd),
      token(tokens.USDC, users, USDC_EACH, crowd),
      oracle({ ...DEFAULT_PRICES, ...options.prices }),
      ...pools(options),
      ...Object.values(accounts).map(({ address, publicKey }) => ({ address, model: accountModel, storage: { [PUBLIC_KEY]: publicKey } })),
    ],
    accounts: Object.values(accounts),
  };
}

function lanes(): readonly SandboxAccount[] {
  const { lane1, lane2, lane3 } = sandboxWorld.accounts;
  return [lane1, lane2, lane3];
}

function token(
  info: SandboxToken,
  holders: readonly SandboxAccount[],
  amountEach: bigint,
  approvers: readonly SandboxAccount[],
): GenesisContract {
  const storage: Record<string, bigint> = {};
  for (const { address } of holders) mintTokens(recordStorage(storage), address, amountEach);
  for (const { address } of approvers) {
    for (const pool of Object.values(sandboxWorld.pools)) {
      if (pool.token === info.address) storage[allowanceKey(address, pool.address)] = UNLIMITED_ALLOWANCE;
    }
  }
  return { address: info.address, model: erc20(info), storage };
}

function oracle(prices: Readonly<Record<string, OraclePrice>>): GenesisContract {
  const storage: Record<string, bigint> = {};
  for (const [pair, price] of Object.entries(prices)) setOraclePrice(recordStorage(storage), pair, price);
  return { address: sandboxWorld.oracle, model: priceOracle, storage };
}

function pools({ verificationKey, enforceNullifier = true, autoDeploy = true }: GenesisOptions): GenesisContract[] {
  const verifyProof = groth16Verifier(verificationKey);
  const relayers = lanes().map(({ address }) => address);
  return Object.values(sandboxWorld.pools).map(({ address, ...terms }) => ({
    address,
    model: shieldedPool({ ...terms, relayers, verifyProof, enforceNullifier }),
    storage: { [POOL_STORAGE.autoDeployOff]: autoDeploy ? 0n : 1n },
  }));
}

function livePrice(price: bigint, decimals: number): OraclePrice {
  return { price, decimals, lastUpdatedTimestampSeconds: 'live', numSources: 10 };
}
