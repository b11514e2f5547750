use starknet::ContractAddress;

#[starknet::interface]
trait IErc20<TContractState> {
    fn name(self: @TContractState) -> felt252;
    fn symbol(self: @TContractState) -> felt252;
    fn decimals(self: @TContractState) -> u8;
    fn total_supply(self: @TContractState) -> u256;
    fn totalSupply(self: @TContractState) -> u256;
    fn balance_of(self: @TContractState, account: ContractAddress) -> u256;
    fn balanceOf(self: @TContractState, account: ContractAddress) -> u256;
    fn allowance(self: @TContractState, owner: ContractAddress, spender: ContractAddress) -> u256;
    fn approve(ref self: TContractState, spender: ContractAddress, amount: u256) -> bool;
    fn transfer(ref self: TContractState, recipient: ContractAddress, amount: u256) -> bool;
    fn transfer_from(
        ref self: TContractState, sender: ContractAddress, recipient: ContractAddress, amount: u256
    ) -> bool;
    fn transferFrom(
        ref self: TContractState, sender: ContractAddress, recipient: ContractAddress, amount: u256
    ) -> bool;
    fn mint(ref self: TContractState, recipient: ContractAddress, amount: u256);
}

/// An ERC20 token with OpenZeppelin's rules, revert texts and event layout, under snake_case and camelCase names, whose
/// minter makes tokens out of nothing: for development.
#[starknet::contract]
mod Erc20 {
    use integer::BoundedInt;
    use starknet::{ContractAddress, get_caller_address};
    use zeroable::Zeroable;

    #[storage]
    struct Storage {
        name: felt252,
        symbol: felt252,
        decimals: u8,
        minter: ContractAddress,
        total_supply: u256,
        balances: LegacyMap<ContractAddress, u256>,
        allowances: LegacyMap<(ContractAddress, ContractAddress), u256>,
    }

    #[event]
    #[derive(Drop, starknet::Event)]
    enum Event {
        Transfer: Transfer,
        Approval: Approval,
    }

    #[derive(Drop, starknet::Event)]
    struct Transfer {
        #[key]
        from: ContractAddress,
        #[key]
        to: ContractAddress,
        value: u256,
    }

    #[derive(Drop, starknet::Event)]
    struct Approval {
        #[key]
        owner: ContractAddress,
        #[key]
        spender: ContractAddress,
        value: u256,
    }

    #[constructor]
    fn constructor(
        ref self: ContractState, name: felt252, symbol: felt252, decimals: u8, minter: ContractAddress
    ) {
        self.name.write(name);
        self.symbol.write(symbol);
        self.decimals.write(decimals);
        self.minter.write(minter);
    }

    #[external(v0)]
    impl Erc20Impl of super::IErc20<ContractState> {
        fn name(self: @ContractState) -> felt252 {
            self.name.read()
        }

        fn symbol(self: @ContractState) -> felt252 {
            self.symbol.read()
        }

        fn decimals(self: @ContractState) -> u8 {
            self.decimals.read()
        }

        fn total_supply(self: @ContractState) -> u256 {
            self.total_supply.read()
        }

        fn totalSupply(self: @ContractState) -> u256 {
            self.total_supply.read()
        }

        fn balance_of(self: @ContractState, account: ContractAddress) -> u256 {
            self.balances.read(account)
        }

        fn balanceOf(self: @ContractState, account: ContractAddress) -> u256 {
            self.balances.read(account)
        }

        fn allowance(
            self: @ContractState, owner: ContractAddress, spender: ContractAddress
        ) -> u256 {
            self.allowances.read((owner, spender))
        }

        fn approve(ref self: ContractState, spender: ContractAddress, amount: u256) -> bool {
            let owner = get_caller_address();
            assert(owner.is_non_zero(), 'ERC20: approve from 0');
            assert(spender.is_non_zero(), 'ERC20: approve to 0');
            self.allowances.write((owner, spender), amount);
            self.emit(Approval { owner, spender, value: amount });
            true
        }

        fn transfer(ref self: ContractState, recipient: ContractAddress, amount: u256) -> bool {
            move_tokens(ref self, get_caller_address(), recipient, amount);
            true
        }

        fn transfer_from(
            ref self: ContractState,
            sender: ContractAddress,
            recipient: ContractAddress,
            amount: u256
        ) -> bool {
            spend_allowance(ref self, sender, amount);
            move_tokens(ref self, sender, recipient, amount);
            true
        }

        fn transferFrom(
            ref self: ContractState,
            sender: ContractAddress,
            recipient: ContractAddress,
            amount: u256
        ) -> bool {
            Erc20Impl::transfer_from(ref self, sender, recipient, amount)
        }

        fn mint(ref self: ContractState, recipient: ContractAddress, amount: u256) {
            assert(get_caller_address() == self.minter.read(), 'ERC20: not the minter');
            assert(recipient.is_non_zero(), 'ERC20: mint to 0');
            self.total_supply.write(self.total_supply.read() + amount);
            self.balances.write(recipient, self.balances.read(recipient) + amount);
            self.emit(Transfer { from: Zeroable::zero(), to: recipient, value: amount });
        }
    }

    /// An allowance of 2^256 - 1 is not used up, as in OpenZeppelin's token.
    fn spend_allowance(ref self: ContractState, owner: ContractAddress, amount: u256) {
        let spender = get_caller_address();
        let allowed = self.allowances.read((owner, spender));
        if allowed == BoundedInt::max() {
            return;
        }
        assert(allowed >= amount, 'ERC20: insufficient allowance');
        self.allowances.write((owner, spender), allowed - amount);
    }

    fn move_tokens(
        ref self: ContractState, from: ContractAddress, to: ContractAddress, amount: u256
    ) {
        assert(from.is_non_zero(), 'ERC20: transfer from 0');
        assert(to.is_non_zero(), 'ERC20: transfer to 0');
        let balance = self.balances.read(from);
        assert(balance >= amount, 'ERC20: insufficient balance');
        self.balances.write(from, balance - amount);
        self.balances.write(to, self.balances.read(to) + amount);
        self.emit(Transfer { from, to, value: amount });
    }
}
