import { bool, felts, shortString, u256 } from './encode.js';

/** Addresses and hashes are felts; amounts are in the token's smallest unit. */
interface Erc20Parameters {
  /** At most 31 ASCII characters, as is the symbol. */
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  /** May call `mint(recipient, amount)`. */
  readonly minter: bigint;
}

interface ShieldedPoolParameters {
  /** May pause the pool, switch the automatic batches and add yield. */
  readonly owner: bigint;
  readonly token: bigint;
  readonly denomination: bigint;
  /** At most 1,000. */
  readonly maxFeeBps: number;
  /**
   * Address of a contract with `verify_groth16_proof_bn254`: the development verifier, or a real
   * one.
   */
  readonly verifier: bigint;
  /** Accounts that may deposit for users and deploy batches. */
  readonly relayers: readonly bigint[];
  /** Whether the third waiting deposit deploys a batch by itself. */
  readonly autoDeploy: boolean;
  /**
   * Whether a spent nullifier is paid again, so that a test sees a second inclusion which the real
   * pool would hide.
   */
  readonly developmentAllowsRespending: boolean;
}

interface SwapPoolParameters {
  /** The only account that may swap, and may pause the pool. */
  readonly owner: bigint;
  /** What input pools pay. */
  readonly wbtc: bigint;
  readonly router: bigint;
  /** At most 1,000. */
  readonly maxFeeBps: number;
  /** As a shielded pool's. */
  readonly verifier: bigint;
  /** As a shielded pool's. */
  readonly developmentAllowsRespending: boolean;
}

/** Whose owner may set what a transaction otherwise can't. */
interface OwnedParameters {
  readonly owner: bigint;
}

interface ExchangeParameters extends OwnedParameters {
  /** What the exchange keeps of every amount it pays, in 1/10,000. */
  readonly feeBps: number;
}

interface VaultParameters {
  /** The curator: the only account that may deploy, and may pause the vault. */
  readonly owner: bigint;
  readonly asset: bigint;
  /** Takes what is deployed. */
  readonly strategy: bigint;
  /** Names of the deploying method; several names are one method. */
  readonly methods: readonly string[];
}

/** Utilizations are in 1/100,000, rates per second in 1e-18. */
export interface RateCurve {
  readonly minTargetUtilization: bigint;
  readonly targetUtilization: bigint;
  readonly maxTargetUtilization: bigint;
  readonly zeroUtilizationRate: bigint;
  readonly minFullUtilizationRate: bigint;
  readonly maxFullUtilizationRate: bigint;
  readonly halfLifeSeconds: bigint;
  /**
   * Rate at the target, as a share of the way from the rate at zero to that at full utilization;
   * 1e18 is all of it.
   */
  readonly targetRateE18: bigint;
}

interface LendingPoolParameters extends OwnedParameters {
  readonly curve: RateCurve;
  /** What the pool lends, against what. */
  readonly terms: LendingTerms;
}

interface LendingTerms {
  readonly priceOracle: bigint;
  readonly collateralAsset: bigint;
  readonly debtAsset: bigint;
  /** Largest debt as a share of the collateral's worth; below 1e18, which is all of it. */
  readonly maxLtvE18: bigint;
}

interface PurchaseKeeperParameters {
  /** Sets the Mayer Multiple. */
  readonly owner: bigint;
  /** What orders buy. */
  readonly wbtc: bigint;
  readonly router: bigint;
}

interface TurboVaultParameters {
  /** The curator: the only account that may deploy and change the leverage. */
  readonly owner: bigint;
  readonly asset: bigint;
  readonly debtAsset: bigint;
  /** Lends the debt asset against the asset. */
  readonly lendingPool: bigint;
  readonly router: bigint;
}

type NoParameters = Readonly<Record<string, never>>;

/** What each contract's constructor takes. */
export interface ConstructorParameters {
  readonly Erc20: Erc20Parameters;
  readonly Exchange: ExchangeParameters;
  readonly Guard: NoParameters;
  readonly LendingPool: LendingPoolParameters;
  readonly PriceOracle: OwnedParameters;
  readonly PurchaseKeeper: PurchaseKeeperParameters;
  readonly Router: OwnedParameters;
  readonly ShieldedPool: ShieldedPoolParameters;
  readonly SwapPool: SwapPoolParameters;
  readonly TurboVault: TurboVaultParameters;
  readonly UncheckedGroth16Verifier: NoParameters;
  readonly Vault: VaultParameters;
}

export type ContractName = keyof ConstructorParameters;

type Encode<Name extends ContractName> = (
  parameters: ConstructorParameters[Name],
) => readonly bigint[];

/** Calldata in the order of the Cairo constructor. */
const encoders: { readonly [Name in ContractName]: Encode<Name> } = {
  Erc20: ({ name, symbol, decimals, minter }) => [
    shortString(name),
    shortString(symbol),
    BigInt(decimals),
    minter,
  ],
  Exchange: ({ owner, feeBps }) => [owner, BigInt(feeBps)],
  Guard: () => [],
  LendingPool: ({ owner, curve, terms }) => [
    owner,
    ...curveFelts(curve),
    terms.priceOracle,
    terms.collateralAsset,
    terms.debtAsset,
    ...u256(terms.maxLtvE18),
  ],
  PriceOracle: ({ owner }) => [owner],
  PurchaseKeeper: ({ owner, wbtc, router }) => [owner, wbtc, router],
  Router: ({ owner }) => [owner],
  ShieldedPool: (parameters) => [
    parameters.owner,
    parameters.token,
    ...u256(parameters.denomination),
    BigInt(parameters.maxFeeBps),
    parameters.verifier,
    ...felts(parameters.relayers),
    bool(parameters.autoDeploy),
    bool(parameters.developmentAllowsRespending),
  ],
  SwapPool: (parameters) => [
    parameters.owner,
    parameters.wbtc,
    parameters.router,
    BigInt(parameters.maxFeeBps),
    parameters.verifier,
    bool(parameters.developmentAllowsRespending),
  ],
  TurboVault: ({ owner, asset, debtAsset, lendingPool, router }) => [
    owner,
    asset,
    debtAsset,
    lendingPool,
    router,
  ],
  UncheckedGroth16Verifier: () => [],
  Vault: ({ owner, asset, strategy, methods }) => [
    owner,
    asset,
    strategy,
    ...felts(methods.map(shortString)),
  ],
};

/** Every contract that this package holds. */
export const contractNames: readonly ContractName[] = [
  'Erc20',
  'Exchange',
  'Guard',
  'LendingPool',
  'PriceOracle',
  'PurchaseKeeper',
  'Router',
  'ShieldedPool',
  'SwapPool',
  'TurboVault',
  'UncheckedGroth16Verifier',
  'Vault',
];

/**
 * The calldata that a deployment of a contract carries.
 * @throws RangeError when a text or a u256 does not fit
 */
export function constructorCalldata<Name extends ContractName>(
  name: Name,
  parameters: ConstructorParameters[Name],
): readonly bigint[] {
  const encode: Encode<Name> = encoders[name];
  return encode(parameters);
}

/** In the order of the Cairo struct. */
function curveFelts(curve: RateCurve): readonly bigint[] {
  return [
    curve.minTargetUtilization,
    curve.targetUtilization,
    curve.maxTargetUtilization,
    curve.zeroUtilizationRate,
    curve.minFullUtilizationRate,
    curve.maxFullUtilizationRate,
    curve.halfLifeSeconds,
    curve.targetRateE18,
  ].flatMap(u256);
}
