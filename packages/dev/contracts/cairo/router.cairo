/// The aggregator's router with its one swap: layout, checks in their order, revert texts and event of AVNU's Exchange
/// contract. Percentages are of what the router holds when a step begins, so the last step of a token takes all of it or
/// leaves `Residual tokens`. The router's own fee is zero, an integrator's is taken from what was bought.
#[starknet::contract]
mod Router {
    use array::{ArrayTrait, SpanTrait};
    use option::OptionTrait;
    use sotto::amounts::mul_div;
    use sotto::exchange_interface::{IExchangeDispatcher, IExchangeDispatcherTrait};
    use sotto::route::{BranchSwap, DirectSwap, Route, Swap as RouteSwap, WHOLE};
    use sotto::router_interface::IRouter;
    use sotto::token_interface::{ITokenDispatcher, ITokenDispatcherTrait};
    use starknet::{ContractAddress, get_caller_address, get_contract_address};
    use traits::Into;
    use zeroable::Zeroable;

    const BPS: u256 = 10000;
    const MAX_INTEGRATOR_FEE_BPS: u128 = 500;
    /// An alternative must be 0.01 % better than the principal to be taken.
    const BETTER_NUMERATOR: u256 = 10001;
    const BETTER_DENOMINATOR: u256 = 10000;

    #[storage]
    struct Storage {
        owner: ContractAddress,
        exchanges: LegacyMap<ContractAddress, bool>,
    }

    #[event]
    #[derive(Drop, starknet::Event)]
    enum Event {
        Swap: Swap,
    }

    #[derive(Drop, starknet::Event)]
    struct Swap {
        taker_address: ContractAddress,
        sell_address: ContractAddress,
        sell_amount: u256,
        buy_address: ContractAddress,
        buy_amount: u256,
        beneficiary: ContractAddress,
    }

    #[constructor]
    fn constructor(ref self: ContractState, owner: ContractAddress) {
        self.owner.write(owner);
    }

    #[external(v0)]
    impl RouterImpl of IRouter<ContractState> {
        /// `buy_token_amount` is what was quoted; nothing is done with it.
        fn multi_route_swap(
            ref self: ContractState,
            sell_token_address: ContractAddress,
            sell_token_amount: u256,
            buy_token_address: ContractAddress,
            buy_token_amount: u256,
            buy_token_min_amount: u256,
            beneficiary: ContractAddress,
            integrator_fee_amount_bps: u128,
            integrator_fee_recipient: ContractAddress,
            routes: Array<Route>
        ) -> bool {
            let caller = get_caller_address();
            assert(beneficiary == caller, 'Beneficiary is not the caller');
            assert(sell_token_amount != 0, 'Token from amount is 0');
            let sell_token = ITokenDispatcher { contract_address: sell_token_address };
            assert(sell_token.balance_of(caller) >= sell_token_amount, 'Token from balance is too low');
            let is_paid = sell_token.transfer_from(caller, get_contract_address(), sell_token_amount);
            assert(is_paid, 'transfer failed');

            let routes = routes.span();
            require_ends(routes, sell_token_address, buy_token_address);
            self.run(routes);

            let buy_token = ITokenDispatcher { contract_address: buy_token_address };
            let bought = pay_integrator(buy_token, integrator_fee_amount_bps, integrator_fee_recipient);
            assert(bought >= buy_token_min_amount, 'Insufficient tokens received');
            assert(buy_token.transfer(beneficiary, bought), 'transfer failed');
            require_nothing_left(routes);
            self
                .emit(
                    Swap {
                        taker_address: caller,
                        sell_address: sell_token_address,
                        sell_amount: sell_token_amount,
                        buy_address: buy_token_address,
                        buy_amount: bought,
                        beneficiary,
                    }
                );
            true
        }

        fn is_exchange(self: @ContractState, exchange: ContractAddress) -> bool {
            self.exchanges.read(exchange)
        }

        fn set_exchange(ref self: ContractState, exchange: ContractAddress, is_known: bool) {
            assert(get_caller_address() == self.owner.read(), 'Not owner');
            self.exchanges.write(exchange, is_known);
        }
    }

    #[generate_trait]
    impl Internal of InternalTrait {
        fn run(self: @ContractState, routes: Span<Route>) {
            let mut steps = routes;
            loop {
                match steps.pop_front() {
                    Option::Some(route) => {
                        match route.swap {
                            RouteSwap::Direct(direct) => {
                                self.swap_at(route, *direct.exchange_address, part_of(held(*route.sell_token), *direct.percent));
                            },
                            RouteSwap::Branch(branch) => self.run_branch(route, branch),
                        }
                    },
                    Option::None => {
                        break;
                    },
                };
            };
        }

        /// Alternatives take their part when they pay better than the principal would, which gets the rest.
        fn run_branch(self: @ContractState, route: @Route, branch: @BranchSwap) {
            let principal = *branch.principal.exchange_address;
            let whole = part_of(held(*route.sell_token), *branch.principal.percent);
            let principal_out = self.quote_at(route, principal, whole);
            let mut alternatives = branch.alternatives.span();
            let mut left = whole;
            loop {
                if left == 0 {
                    break;
                }
                match alternatives.pop_front() {
                    Option::Some(alternative) => {
                        let part = part_of(left, *alternative.percent);
                        let out = self.quote_at(route, *alternative.exchange_address, part);
                        if is_better(out, part, principal_out, whole) {
                            self.swap_at(route, *alternative.exchange_address, part);
                            left -= part;
                        }
                    },
                    Option::None => {
                        break;
                    },
                };
            };
            if left > 0 {
                self.swap_at(route, principal, left);
            }
        }

        fn quote_at(self: @ContractState, route: @Route, exchange: ContractAddress, amount: u256) -> u256 {
            assert(self.exchanges.read(exchange), 'Unknown exchange');
            IExchangeDispatcher { contract_address: exchange }.quote(*route.sell_token, *route.buy_token, amount)
        }

        fn swap_at(self: @ContractState, route: @Route, exchange: ContractAddress, amount: u256) {
            assert(self.exchanges.read(exchange), 'Unknown exchange');
            ITokenDispatcher { contract_address: *route.sell_token }.approve(exchange, amount);
            IExchangeDispatcher { contract_address: exchange }.swap(*route.sell_token, *route.buy_token, amount);
        }
    }

    fn require_ends(routes: Span<Route>, sell_token: ContractAddress, buy_token: ContractAddress) {
        assert(routes.len() != 0, 'Routes is empty');
        assert(*routes.at(0).sell_token == sell_token, 'Invalid token from');
        assert(*routes.at(routes.len() - 1).buy_token == buy_token, 'Invalid token to');
    }

    fn part_of(amount: u256, percent: u128) -> u256 {
        assert(percent != 0 && percent <= WHOLE, 'Invalid route percent');
        mul_div(amount, percent.into(), WHOLE.into())
    }

    /// Prices as cross products: out / part against principal_out / whole.
    fn is_better(out: u256, part: u256, principal_out: u256, whole: u256) -> bool {
        out * whole * BETTER_DENOMINATOR >= principal_out * part * BETTER_NUMERATOR
    }

    /// What is left for the beneficiary of all that the router holds of the bought token.
    fn pay_integrator(buy_token: ITokenDispatcher, fee_bps: u128, recipient: ContractAddress) -> u256 {
        assert(fee_bps <= MAX_INTEGRATOR_FEE_BPS, 'Integrator fees are too high');
        let bought = buy_token.balance_of(get_contract_address());
        if fee_bps == 0 || recipient.is_zero() {
            return bought;
        }
        let fee = mul_div(bought, fee_bps.into(), BPS);
        assert(buy_token.transfer(recipient, fee), 'transfer failed');
        bought - fee
    }

    fn require_nothing_left(routes: Span<Route>) {
        let mut steps = routes;
        loop {
            match steps.pop_front() {
                Option::Some(route) => {
                    assert(held(*route.sell_token) == 0, 'Residual tokens');
                    assert(held(*route.buy_token) == 0, 'Residual tokens');
                },
                Option::None => {
                    break;
                },
            };
        };
    }

    fn held(token: ContractAddress) -> u256 {
        ITokenDispatcher { contract_address: token }.balance_of(get_contract_address())
    }
}
