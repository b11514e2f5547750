use starknet::ContractAddress;

/// What `asset_config` answers, in Vesu V2's order.
#[derive(Copy, Drop, Serde)]
struct AssetConfig {
    total_collateral_shares: u256,
    total_nominal_debt: u256,
    reserve: u256,
    max_utilization: u256,
    floor: u256,
    scale: u256,
    is_legacy: bool,
    last_updated: u64,
    last_rate_accumulator: u256,
    last_full_utilization_rate: u256,
    fee_rate: u256,
    fee_shares: u256,
}

/// What a pool keeps of an asset that it lends.
#[derive(Copy, Drop, Serde, starknet::Store)]
struct Market {
    /// Not lent out, in the asset's smallest unit.
    reserve: u256,
    /// Debt in units of the accumulator; 1e18 is one whole unit of the asset.
    nominal_debt: u256,
    /// What one unit of nominal debt has grown to, 1e18 being one.
    rate_accumulator: u256,
    /// Rate per second if everything were lent out, in 1e-18.
    full_utilization_rate: u256,
    /// Smallest units in one unit of the asset; zero is an asset that the pool does not have.
    scale: u256,
}

/// Interest on what is borrowed of an asset; a rate of zero is none.
#[derive(Copy, Drop, Serde, starknet::Store)]
struct Interest {
    /// Per second, in 1e-18.
    rate: u256,
    /// Up to when the market's accumulator holds it, in Unix seconds.
    since: u64,
}

/// How the rate follows the utilization. Utilizations are in 1/100,000, rates per second in 1e-18.
#[derive(Copy, Drop, Serde, starknet::Store)]
struct RateCurve {
    min_target_utilization: u256,
    target_utilization: u256,
    max_target_utilization: u256,
    zero_utilization_rate: u256,
    min_full_utilization_rate: u256,
    max_full_utilization_rate: u256,
    /// Seconds.
    half_life: u256,
    /// Rate at the target, as a share of the way from the rate at zero to that at full utilization; 1e18 is all of it.
    target_rate: u256,
}

#[starknet::interface]
trait ILendingPool<TContractState> {
    fn asset_config(self: @TContractState, asset: ContractAddress) -> AssetConfig;
    fn utilization(self: @TContractState, asset: ContractAddress) -> u256;
    fn interest_rate(
        self: @TContractState, asset: ContractAddress, utilization: u256, last_updated: u64, last_full_utilization_rate: u256
    ) -> u256;
    fn set_market(ref self: TContractState, asset: ContractAddress, market: Market);
    fn set_interest(ref self: TContractState, asset: ContractAddress, rate: u256);
}

/// The views of a Vesu V2 pool that tell its yields, and a lender of one asset against another. Debt grows by the second
/// at the rate that the owner sets for its asset, and not at all at first; what the views say is always as of the block
/// that asks. Collateral lies apart and is not lent out: supplying changes no market, borrowing changes that of the debt
/// asset alone.
#[starknet::contract]
mod LendingPool {
    use option::OptionTrait;
    use sotto::amounts::mul_div;
    use sotto::lending_interface::{ILending, LendingTerms, PairConfig};
    use sotto::price_oracle_interface::{DataType, IPriceOracleDispatcher, IPriceOracleDispatcherTrait};
    use sotto::token_interface::{ITokenDispatcher, ITokenDispatcherTrait};
    use starknet::{ContractAddress, get_block_timestamp, get_caller_address, get_contract_address};
    use super::{AssetConfig, ILendingPool, Interest, Market, RateCurve};
    use traits::{Into, TryInto};

    const E18: u256 = 1000000000000000000;
    const E36: u256 = 1000000000000000000000000000000000000;
    const WHOLE: u256 = 100000;
    /// E18 / WHOLE
    const UTILIZATION_STEP: u256 = 10000000000000;
    const MAX_UTILIZATION: u256 = 950000000000000000;
    const FEE_RATE: u256 = 200000000000000000;
    const COLLATERAL_PAIR: felt252 = 'WBTC/USD';
    const DEBT_PAIR: felt252 = 'USDC/USD';

    #[storage]
    struct Storage {
        owner: ContractAddress,
        curve: RateCurve,
        markets: LegacyMap<ContractAddress, Market>,
        interests: LegacyMap<ContractAddress, Interest>,
        terms: LendingTerms,
        collaterals: LegacyMap<ContractAddress, u256>,
        /// In units of the debt market's accumulator.
        nominal_debts: LegacyMap<ContractAddress, u256>,
    }

    #[constructor]
    fn constructor(ref self: ContractState, owner: ContractAddress, curve: RateCurve, terms: LendingTerms) {
        assert(terms.max_ltv < E18, 'Invalid LTV');
        self.owner.write(owner);
        self.curve.write(curve);
        self.terms.write(terms);
    }

    #[external(v0)]
    impl LendingPoolImpl of ILendingPool<ContractState> {
        fn asset_config(self: @ContractState, asset: ContractAddress) -> AssetConfig {
            let market = self.market(asset);
            if market.scale == 0 {
                return no_asset();
            }
            AssetConfig {
                total_collateral_shares: mul_div(market.reserve + debt_of(market), E18, market.scale),
                total_nominal_debt: market.nominal_debt,
                reserve: market.reserve,
                max_utilization: MAX_UTILIZATION,
                floor: 0,
                scale: market.scale,
                is_legacy: false,
                last_updated: get_block_timestamp(),
                last_rate_accumulator: market.rate_accumulator,
                last_full_utilization_rate: market.full_utilization_rate,
                fee_rate: FEE_RATE,
                fee_shares: 0,
            }
        }

        fn utilization(self: @ContractState, asset: ContractAddress) -> u256 {
            let market = self.market(asset);
            let debt = debt_of(market);
            if debt == 0 {
                return 0;
            }
            mul_div(debt, E18, market.reserve + debt)
        }

        /// Arguments as a caller has read them: from a time before the block it computes how the rate at full
        /// utilization has moved since, from a time after the block it reverts. The rate that the owner has set takes the
        /// curve's place.
        fn interest_rate(
            self: @ContractState, asset: ContractAddress, utilization: u256, last_updated: u64, last_full_utilization_rate: u256
        ) -> u256 {
            if self.markets.read(asset).scale == 0 {
                return 0;
            }
            let curve = self.curve.read();
            let used = utilization / UTILIZATION_STEP;
            let seconds = get_block_timestamp() - last_updated;
            let set_rate = self.interests.read(asset).rate;
            if set_rate != 0 {
                return set_rate;
            }
            rate_at(curve, used, full_utilization_rate(curve, used, seconds.into(), last_full_utilization_rate))
        }

        fn set_market(ref self: ContractState, asset: ContractAddress, market: Market) {
            assert(get_caller_address() == self.owner.read(), 'Not owner');
            self.keep(asset, market);
        }

        /// Interest per second on what is borrowed of the asset, from now on; in 1e-18.
        fn set_interest(ref self: ContractState, asset: ContractAddress, rate: u256) {
            assert(get_caller_address() == self.owner.read(), 'Not owner');
            let market = self.market(asset);
            self.interests.write(asset, Interest { rate, since: get_block_timestamp() });
            self.keep(asset, market);
        }
    }

    #[external(v0)]
    impl LendingImpl of ILending<ContractState> {
        fn pair_config(self: @ContractState, collateral_asset: ContractAddress, debt_asset: ContractAddress) -> PairConfig {
            let terms = self.terms.read();
            if collateral_asset != terms.collateral_asset || debt_asset != terms.debt_asset {
                return PairConfig { max_ltv: 0, liquidation_factor: 0, debt_cap: 0 };
            }
            // Below 1e18, as the constructor requires.
            PairConfig { max_ltv: terms.max_ltv.low.try_into().unwrap(), liquidation_factor: 0, debt_cap: 0 }
        }

        fn lending_terms(self: @ContractState) -> LendingTerms {
            self.terms.read()
        }

        fn position(self: @ContractState, user: ContractAddress) -> (u256, u256) {
            let market = self.market(self.terms.read().debt_asset);
            (self.collaterals.read(user), amount_of(self.nominal_debts.read(user), market))
        }

        fn nominal_debt(self: @ContractState, user: ContractAddress) -> u256 {
            self.nominal_debts.read(user)
        }

        /// The position's debt in units of the collateral at the oracle's prices, rounded up.
        fn debt_in_collateral(self: @ContractState, user: ContractAddress) -> u256 {
            let (_, debt) = self.position(user);
            if debt == 0 {
                return 0;
            }
            let unit = E18 * 1000000000;
            let terms = self.terms.read();
            let debt_value = self.value_of(debt, terms.debt_asset, DEBT_PAIR);
            let collateral_value = self.value_of(unit, terms.collateral_asset, COLLATERAL_PAIR);
            (debt_value * unit + collateral_value - 1) / collateral_value
        }

        fn supply(ref self: ContractState, amount: u256) {
            require_amount(amount);
            let user = get_caller_address();
            self.collaterals.write(user, self.collaterals.read(user) + amount);
            pull(self.terms.read().collateral_asset, user, amount);
        }

        fn withdraw(ref self: ContractState, amount: u256) {
            require_amount(amount);
            let user = get_caller_address();
            let collateral = self.collaterals.read(user);
            assert(amount <= collateral, 'Insufficient collateral');
            self.collaterals.write(user, collateral - amount);
            self.require_covered(user);
            pay(self.terms.read().collateral_asset, user, amount);
        }

        /// What is free to be borrowed is the reserve of the debt asset's market.
        fn borrow(ref self: ContractState, amount: u256) {
            require_amount(amount);
            let user = get_caller_address();
            let asset = self.terms.read().debt_asset;
            let mut market = self.market(asset);
            assert(amount <= market.reserve, 'Insufficient liquidity');
            let unit = market.rate_accumulator * market.scale;
            let nominal = (amount * E36 + unit - 1) / unit;
            market.reserve -= amount;
            market.nominal_debt += nominal;
            self.keep(asset, market);
            self.nominal_debts.write(user, self.nominal_debts.read(user) + nominal);
            self.require_covered(user);
            pay(asset, user, amount);
        }

        /// Takes no more than the debt.
        fn repay(ref self: ContractState, amount: u256) {
            require_amount(amount);
            let user = get_caller_address();
            let (_, debt) = self.position(user);
            assert(debt != 0, 'No debt');
            let paid = least(amount, debt);
            let asset = self.terms.read().debt_asset;
            let mut market = self.market(asset);
            let owed = self.nominal_debts.read(user);
            let nominal = if paid == debt {
                owed
            } else {
                least(owed, mul_div(paid, E36, market.rate_accumulator * market.scale))
            };
            self.nominal_debts.write(user, owed - nominal);
            market.reserve += paid;
            market.nominal_debt -= least(market.nominal_debt, nominal);
            self.keep(asset, market);
            pull(asset, user, paid);
        }
    }

    #[generate_trait]
    impl Internal of InternalTrait {
        /// As of the block.
        fn market(self: @ContractState, asset: ContractAddress) -> Market {
            let mut market = self.markets.read(asset);
            let interest = self.interests.read(asset);
            if interest.rate != 0 {
                let seconds: u256 = (get_block_timestamp() - interest.since).into();
                market.rate_accumulator += mul_div(market.rate_accumulator, interest.rate * seconds, E18);
            }
            market
        }

        /// @param market as of the block
        fn keep(ref self: ContractState, asset: ContractAddress, market: Market) {
            self.markets.write(asset, market);
            let interest = self.interests.read(asset);
            if interest.rate != 0 {
                self.interests.write(asset, Interest { rate: interest.rate, since: get_block_timestamp() });
            }
        }

        fn require_covered(self: @ContractState, user: ContractAddress) {
            let (collateral, debt) = self.position(user);
            if debt == 0 {
                return;
            }
            let terms = self.terms.read();
            let covered = mul_div(self.value_of(collateral, terms.collateral_asset, COLLATERAL_PAIR), terms.max_ltv, E18);
            assert(self.value_of(debt, terms.debt_asset, DEBT_PAIR) <= covered, 'LTV exceeded');
        }

        /// In USD; 1e18 is one.
        fn value_of(self: @ContractState, amount: u256, asset: ContractAddress, pair_id: felt252) -> u256 {
            let scale = self.markets.read(asset).scale;
            assert(scale != 0, 'Unknown asset');
            let oracle = IPriceOracleDispatcher { contract_address: self.terms.read().price_oracle };
            let quoted = oracle.get_data_median(DataType::SpotEntry(pair_id));
            assert(quoted.price != 0, 'No price');
            mul_div(amount, quoted.price.into() * E18, scale * power_of_ten(quoted.decimals))
        }
    }

    fn require_amount(amount: u256) {
        assert(amount != 0, 'Zero amount');
    }

    fn pull(token: ContractAddress, from: ContractAddress, amount: u256) {
        let is_paid = ITokenDispatcher { contract_address: token }.transfer_from(from, get_contract_address(), amount);
        assert(is_paid, 'transfer failed');
    }

    fn pay(token: ContractAddress, to: ContractAddress, amount: u256) {
        assert(ITokenDispatcher { contract_address: token }.transfer(to, amount), 'transfer failed');
    }

    fn least(a: u256, b: u256) -> u256 {
        if a < b {
            a
        } else {
            b
        }
    }

    fn power_of_ten(exponent: u32) -> u256 {
        let mut power = 1_u256;
        let mut left = exponent;
        loop {
            if left == 0 {
                break;
            }
            power *= 10;
            left -= 1;
        };
        power
    }

    /// In the asset's smallest unit.
    fn debt_of(market: Market) -> u256 {
        amount_of(market.nominal_debt, market)
    }

    fn amount_of(nominal_debt: u256, market: Market) -> u256 {
        mul_div(nominal_debt, market.rate_accumulator * market.scale, E36)
    }

    /// Two straight lines that meet at the target.
    fn rate_at(curve: RateCurve, used: u256, full_rate: u256) -> u256 {
        let zero_rate = curve.zero_utilization_rate;
        let target_rate = zero_rate + mul_div(full_rate - zero_rate, curve.target_rate, E18);
        if used < curve.target_utilization {
            return zero_rate + mul_div(used, target_rate - zero_rate, curve.target_utilization);
        }
        target_rate + mul_div(used - curve.target_utilization, full_rate - target_rate, WHOLE - curve.target_utilization)
    }

    /// Below the target range the rate at full utilization sinks with time, above it rises, within bounds.
    fn full_utilization_rate(curve: RateCurve, used: u256, seconds: u256, last_rate: u256) -> u256 {
        let low = curve.min_target_utilization;
        let high = curve.max_target_utilization;
        let half_life = curve.half_life * E18;
        let mut rate = last_rate;
        if used < low {
            rate = mul_div(last_rate, half_life, half_life + (low - used) * E18 / low * seconds);
        }
        if used > high {
            rate = mul_div(last_rate, half_life + (used - high) * E18 / (WHOLE - high) * seconds, half_life);
        }
        if rate > curve.max_full_utilization_rate {
            return curve.max_full_utilization_rate;
        }
        if rate < curve.min_full_utilization_rate {
            return curve.min_full_utilization_rate;
        }
        rate
    }

    /// What the real one says of an asset that it does not have.
    fn no_asset() -> AssetConfig {
        AssetConfig {
            total_collateral_shares: 0,
            total_nominal_debt: 0,
            reserve: 0,
            max_utilization: 0,
            floor: 0,
            scale: 0,
            is_legacy: false,
            last_updated: 0,
            last_rate_accumulator: 0,
            last_full_utilization_rate: 0,
            fee_rate: 0,
            fee_shares: 0,
        }
    }
}
