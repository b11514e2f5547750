use sotto::route::Route;
use starknet::ContractAddress;

#[starknet::interface]
trait ITurboVault<TContractState> {
    fn asset(self: @TContractState) -> ContractAddress;
    fn owner(self: @TContractState) -> ContractAddress;
    fn total_assets(self: @TContractState) -> u256;
    fn position(self: @TContractState) -> (u256, u256, u256);
    fn deploy_to_lending(ref self: TContractState, amount: u256);
    fn deploy_to_vesu(ref self: TContractState, amount: u256);
    fn leverage_round(
        ref self: TContractState, expected_nominal_debt: u256, borrow: u256, min_out: u256, routes: Array<Route>
    );
    fn deleverage_round(
        ref self: TContractState, expected_nominal_debt: u256, withdraw: u256, min_out: u256, routes: Array<Route>
    );
    fn set_paused(ref self: TContractState, paused: bool);
}

/// The vault of the leveraged strategy. What its own balance holds is idle, deploying supplies it to the lending pool, and
/// a round borrows against it and supplies what the loan buys. Its curator leads it one round at a time: a round names
/// the nominal debt that it was planned from, so that one which is sent twice, or planned from an old block, reverts;
/// interest that accrues meanwhile leaves it as it is.
#[starknet::contract]
mod TurboVault {
    use sotto::lending_interface::{ILendingDispatcher, ILendingDispatcherTrait};
    use sotto::route::Route;
    use sotto::swap::{held, swap};
    use sotto::token_interface::{ITokenDispatcher, ITokenDispatcherTrait};
    use starknet::{ContractAddress, get_caller_address, get_contract_address};
    use super::ITurboVault;

    #[storage]
    struct Storage {
        owner: ContractAddress,
        asset: ContractAddress,
        debt_asset: ContractAddress,
        lending_pool: ContractAddress,
        router: ContractAddress,
        paused: bool,
    }

    /// `owner` is the curator; the pool lends `debt_asset` against `asset`.
    #[constructor]
    fn constructor(
        ref self: ContractState,
        owner: ContractAddress,
        asset: ContractAddress,
        debt_asset: ContractAddress,
        lending_pool: ContractAddress,
        router: ContractAddress
    ) {
        self.owner.write(owner);
        self.asset.write(asset);
        self.debt_asset.write(debt_asset);
        self.lending_pool.write(lending_pool);
        self.router.write(router);
    }

    #[external(v0)]
    impl TurboVaultImpl of ITurboVault<ContractState> {
        fn asset(self: @ContractState) -> ContractAddress {
            self.asset.read()
        }

        fn owner(self: @ContractState) -> ContractAddress {
            self.owner.read()
        }

        /// Idle funds and collateral less the debt, at the oracle's prices; nothing when the debt is worth more. Debt
        /// asset that a round left over is not counted.
        fn total_assets(self: @ContractState) -> u256 {
            let (collateral, _, _) = self.position();
            let owned = held(self.asset.read()) + collateral;
            let owed = self.pool().debt_in_collateral(get_contract_address());
            if owed > owned {
                return 0;
            }
            owned - owed
        }

        /// Collateral and debt at the lending pool, in their smallest units, and the nominal debt.
        fn position(self: @ContractState) -> (u256, u256, u256) {
            let vault = get_contract_address();
            let (collateral, debt) = self.pool().position(vault);
            (collateral, debt, self.pool().nominal_debt(vault))
        }

        fn deploy_to_lending(ref self: ContractState, amount: u256) {
            self.deploy(amount);
        }

        fn deploy_to_vesu(ref self: ContractState, amount: u256) {
            self.deploy(amount);
        }

        /// Borrows, buys at least `min_out` of the asset with the loan, and supplies what it bought.
        fn leverage_round(
            ref self: ContractState, expected_nominal_debt: u256, borrow: u256, min_out: u256, routes: Array<Route>
        ) {
            self.require_allowed();
            self.require_nominal_debt(expected_nominal_debt);
            assert(borrow != 0, 'Zero amount');
            self.pool().borrow(borrow);
            let asset = self.asset.read();
            let bought = swap(self.router.read(), self.debt_asset.read(), borrow, asset, min_out, routes);
            self.supply(bought);
        }

        /// Withdraws, sells it for at least `min_out` of the debt asset, and repays with all of the debt asset that the
        /// vault holds, up to the debt with its interest. What the debt doesn't take stays for the next round. Nothing
        /// to withdraw: repays with what is there, and the routes are empty.
        fn deleverage_round(
            ref self: ContractState, expected_nominal_debt: u256, withdraw: u256, min_out: u256, routes: Array<Route>
        ) {
            self.require_allowed();
            self.require_nominal_debt(expected_nominal_debt);
            assert(expected_nominal_debt != 0, 'No debt');
            let debt_asset = self.debt_asset.read();
            if withdraw != 0 {
                self.pool().withdraw(withdraw);
                swap(self.router.read(), self.asset.read(), withdraw, debt_asset, min_out, routes);
            }
            let available = held(debt_asset);
            let (_, debt, _) = self.position();
            let paid = if available < debt {
                available
            } else {
                debt
            };
            assert(paid != 0, 'Nothing to repay');
            ITokenDispatcher { contract_address: debt_asset }.approve(self.lending_pool.read(), paid);
            self.pool().repay(paid);
        }

        fn set_paused(ref self: ContractState, paused: bool) {
            assert(get_caller_address() == self.owner.read(), 'Not owner');
            self.paused.write(paused);
        }
    }

    #[generate_trait]
    impl Internal of InternalTrait {
        fn pool(self: @ContractState) -> ILendingDispatcher {
            ILendingDispatcher { contract_address: self.lending_pool.read() }
        }

        fn require_allowed(self: @ContractState) {
            assert(get_caller_address() == self.owner.read(), 'Not owner');
            assert(!self.paused.read(), 'paused');
        }

        fn require_nominal_debt(self: @ContractState, expected_nominal_debt: u256) {
            let nominal_debt = self.pool().nominal_debt(get_contract_address());
            assert(nominal_debt == expected_nominal_debt, 'Position changed');
        }

        fn deploy(ref self: ContractState, amount: u256) {
            self.require_allowed();
            assert(amount != 0, 'Zero amount');
            assert(amount <= held(self.asset.read()), 'Insufficient idle');
            self.supply(amount);
        }

        fn supply(ref self: ContractState, amount: u256) {
            ITokenDispatcher { contract_address: self.asset.read() }.approve(self.lending_pool.read(), amount);
            self.pool().supply(amount);
        }
    }
}
