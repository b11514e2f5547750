use starknet::ContractAddress;

/// What a pool lends, against what, and how much of it.
#[derive(Copy, Drop, Serde, starknet::Store)]
struct LendingTerms {
    price_oracle: ContractAddress,
    collateral_asset: ContractAddress,
    debt_asset: ContractAddress,
    /// Largest debt as a share of the collateral's worth; 1e18 is all of it.
    max_ltv: u256,
}

/// What `pair_config` answers, in Vesu V2's order; zeros for a pair that the pool does not lend.
#[derive(Copy, Drop, Serde)]
struct PairConfig {
    /// Largest debt as a share of the collateral's worth; 1e18 is all of it.
    max_ltv: u64,
    liquidation_factor: u64,
    /// In the debt asset's smallest unit; zero is no limit.
    debt_cap: u128,
}

#[starknet::interface]
trait ILending<TContractState> {
    fn pair_config(self: @TContractState, collateral_asset: ContractAddress, debt_asset: ContractAddress) -> PairConfig;
    fn lending_terms(self: @TContractState) -> LendingTerms;
    /// Collateral and debt in their smallest units.
    fn position(self: @TContractState, user: ContractAddress) -> (u256, u256);
    /// The debt in units of the accumulator: interest leaves it as it is.
    fn nominal_debt(self: @TContractState, user: ContractAddress) -> u256;
    fn debt_in_collateral(self: @TContractState, user: ContractAddress) -> u256;
    fn supply(ref self: TContractState, amount: u256);
    fn withdraw(ref self: TContractState, amount: u256);
    fn borrow(ref self: TContractState, amount: u256);
    fn repay(ref self: TContractState, amount: u256);
}
