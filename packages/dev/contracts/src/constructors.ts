import { bool, felts, shortString, u256 } from './encode.js';

/**
 * Parameters of the token. In all parameters, addresses and hashes are felts and amounts are in the
 * token's smallest unit.
 */
interface Erc20Parameters {
  /** Name of at most 31 ASCII characters. The same limit applies to the symbol. */
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  /** Account that may call `mint(recipient, amount)`. */
  readonly minter: bigint;
}

interface ShieldedPoolParameters {
  /** Account that may pause the pool, switch automatic batches and add yield. */
  readonly owner: bigint;
  readonly token: bigint;
  readonly denomination: bigint;
  /** Maximum fee, at most 1,000. */
  readonly maxFeeBps: number;
  /**
   * Address of a contract with `verify_groth16_proof_bn254`: the development verifier or a real
   * one.
   */
  readonly verifier: bigint;
  /** Accounts that may deposit for users and deploy batches. */
  readonly relayers: readonly bigint[];
  /** True if the third waiting deposit automatically deploys a batch. */
  readonly autoDeploy: boolean;
  /**
   * True if a spent nullifier is paid again. Tests then see a second inclusion that the real pool
   * would hide.
   */
  readonly developmentAllowsRespending: boolean;
}

interface SwapPoolParameters {
  /** Only account that may swap and pause the pool. */
  readonly owner: bigint;
  /** Token that input pools pay. */
  readonly wbtc: bigint;
  readonly router: bigint;
  /** Maximum fee, at most 1,000. */
  readonly maxFeeBps: number;
  /** Verifier, as in a shielded pool. */
  readonly verifier: bigint;
  /** True if spent nullifiers are paid again, as in a shielded pool. */
  readonly developmentAllowsRespending: boolean;
}

/** Contract with an owner, who may set values that other accounts can't. */
interface OwnedParameters {
  readonly owner: bigint;
}

interface ExchangeParameters extends OwnedParameters {
  /** Share of every paid amount that the exchange keeps, in 1/10,000. */
  readonly feeBps: number;
}

interface VaultParameters {
  /** Curator: the only account that may deploy and pause the vault. */
  readonly owner: bigint;
  readonly asset: bigint;
  /** Receiver of deployed funds. */
  readonly strategy: bigint;
  /** Names of the deploying method. All names call one method. */
  readonly methods: readonly string[];
}

/** Curve of interest rates. Utilizations are in 1/100,000, rates per second in 1e-18. */
export interface RateCurve {
  readonly minTargetUtilization: bigint;
  readonly targetUtilization: bigint;
  readonly maxTargetUtilization: bigint;
  readonly zeroUtilizationRate: bigint;
  readonly minFullUtilizationRate: bigint;
  readonly maxFullUtilizationRate: bigint;
  readonly halfLifeSeconds: bigint;
  /**
   * Position of the rate at the target between the rates at zero and at full utilization, where
   * 1e18 is the latter.
   */
  readonly targetRateE18: bigint;
}

interface LendingPoolParameters extends OwnedParameters {
  readonly curve: RateCurve;
  /** Lent asset, collateral and limits. */
  readonly terms: LendingTerms;
}

interface LendingTerms {
  readonly priceOracle: bigint;
  readonly collateralAsset: bigint;
  readonly debtAsset: bigint;
  /** Maximum debt as a share of the collateral's worth, below 1e18 (100 %). */
  readonly maxLtvE18: bigint;
}

interface PurchaseKeeperParameters {
  /** Account that sets the Mayer Multiple. */
  readonly owner: bigint;
  /** Token that orders buy. */
  readonly wbtc: bigint;
  readonly router: bigint;
}

interface TurboVaultParameters {
  /** Curator: the only account that may deploy and change the leverage. */
  readonly owner: bigint;
  readonly asset: bigint;
  readonly debtAsset: bigint;
  /** Pool that lends the debt asset against the asset. */
  readonly lendingPool: bigint;
  readonly router: bigint;
}

type NoParameters = Readonly<Record<string, never>>;

/** Constructor parameters of each contract. */
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

/** Encoders in the order of the Cairo constructors. */
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

/** Names of all contracts of this package. */
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
 * Returns the constructor calldata of a contract.
 * @throws RangeError if a text or a u256 does not fit
 */
export function constructorCalldata<Name extends ContractName>(
  name: Name,
  parameters: ConstructorParameters[Name],
): readonly bigint[] {
  const encode: Encode<Name> = encoders[name];
  return encode(parameters);
}

/** Felts in the order of the Cairo struct. */
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
