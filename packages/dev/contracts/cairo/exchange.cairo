/// An exchange that pays from what it holds, at fixed rates whatever the amount. It stands for the exchanges that the
/// real router reaches through adapters, each in a way of its own.
#[starknet::contract]
mod Exchange {
    use sotto::amounts::mul_div;
    use sotto::exchange_interface::{IExchange, Rate};
    use sotto::token_interface::{ITokenDispatcher, ITokenDispatcherTrait};
    use starknet::{ContractAddress, get_caller_address, get_contract_address};
    use traits::Into;

    const BPS: u256 = 10000;

    #[storage]
    struct Storage {
        owner: ContractAddress,
        fee_bps: u16,
        rates: LegacyMap<(ContractAddress, ContractAddress), Rate>,
    }

    /// `fee_bps` is what the exchange keeps of every amount it pays, in 1/10,000.
    #[constructor]
    fn constructor(ref self: ContractState, owner: ContractAddress, fee_bps: u16) {
        assert(fee_bps <= 10000, 'Invalid fee');
        self.owner.write(owner);
        self.fee_bps.write(fee_bps);
    }

    #[external(v0)]
    impl ExchangeImpl of IExchange<ContractState> {
        /// What is paid for an amount, rounded down.
        fn quote(self: @ContractState, sell_token: ContractAddress, buy_token: ContractAddress, amount: u256) -> u256 {
            let rate = self.rates.read((sell_token, buy_token));
            assert(rate.sell_amount != 0 && rate.buy_amount != 0, 'No liquidity');
            let kept = BPS - self.fee_bps.read().into();
            mul_div(amount, rate.buy_amount * kept, rate.sell_amount * BPS)
        }

        /// Pulls the sell tokens from the caller and pays the caller.
        fn swap(ref self: ContractState, sell_token: ContractAddress, buy_token: ContractAddress, amount: u256) -> u256 {
            let bought = self.quote(sell_token, buy_token, amount);
            let caller = get_caller_address();
            let is_paid = ITokenDispatcher { contract_address: sell_token }.transfer_from(caller, get_contract_address(), amount);
            assert(is_paid, 'transfer failed');
            assert(ITokenDispatcher { contract_address: buy_token }.transfer(caller, bought), 'transfer failed');
            bought
        }

        fn rate(self: @ContractState, sell_token: ContractAddress, buy_token: ContractAddress) -> Rate {
            self.rates.read((sell_token, buy_token))
        }

        fn fee_bps(self: @ContractState) -> u16 {
            self.fee_bps.read()
        }

        /// Says nothing about the other direction. A buy amount of zero closes the market.
        fn set_rate(ref self: ContractState, sell_token: ContractAddress, buy_token: ContractAddress, rate: Rate) {
            assert(get_caller_address() == self.owner.read(), 'Not owner');
            assert(rate.sell_amount != 0, 'Invalid rate');
            self.rates.write((sell_token, buy_token), rate);
        }
    }
}
