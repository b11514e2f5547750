use starknet::ContractAddress;

#[starknet::interface]
trait IVault<TContractState> {
    fn asset(self: @TContractState) -> ContractAddress;
    fn owner(self: @TContractState) -> ContractAddress;
    fn total_assets(self: @TContractState) -> u256;
    fn deploy_to_lending(ref self: TContractState, amount: u256);
    fn deploy_to_vesu(ref self: TContractState, amount: u256);
    fn stake_to_staking(ref self: TContractState, amount: u256);
    fn stake_to_endur(ref self: TContractState, amount: u256);
    fn execute_staking_loop(ref self: TContractState, amount: u256, loops: u32);
    fn deploy_collateral(ref self: TContractState, amount: u256);
    fn deploy_split(ref self: TContractState, amount: u256);
    fn set_paused(ref self: TContractState, paused: bool);
}

/// A vault as its curator sees it: what its own token balance holds is idle, deploying moves it to the strategy, and all
/// of both is its assets. One class serves the vaults of all strategies: an instance has the methods that its
/// constructor names, and answers the others as a contract answers an entry point that it does not have.
#[starknet::contract]
mod Vault {
    use array::{ArrayTrait, SpanTrait};
    use option::OptionTrait;
    use sotto::token_interface::{ITokenDispatcher, ITokenDispatcherTrait};
    use starknet::{ContractAddress, get_caller_address, get_contract_address};
    use super::IVault;

    const MAX_LOOPS: u32 = 10;

    #[storage]
    struct Storage {
        owner: ContractAddress,
        asset: ContractAddress,
        strategy: ContractAddress,
        methods: LegacyMap<felt252, bool>,
        paused: bool,
    }

    /// `methods` are names of deploying methods as short strings; several names are one method. `owner` is the curator.
    #[constructor]
    fn constructor(
        ref self: ContractState, owner: ContractAddress, asset: ContractAddress, strategy: ContractAddress, methods: Span<felt252>
    ) {
        self.owner.write(owner);
        self.asset.write(asset);
        self.strategy.write(strategy);
        let mut names = methods;
        loop {
            match names.pop_front() {
                Option::Some(name) => self.methods.write(*name, true),
                Option::None => {
                    break;
                },
            };
        };
    }

    #[external(v0)]
    impl VaultImpl of IVault<ContractState> {
        fn asset(self: @ContractState) -> ContractAddress {
            self.asset.read()
        }

        fn owner(self: @ContractState) -> ContractAddress {
            self.owner.read()
        }

        fn total_assets(self: @ContractState) -> u256 {
            let asset = ITokenDispatcher { contract_address: self.asset.read() };
            asset.balance_of(get_contract_address()) + asset.balance_of(self.strategy.read())
        }

        fn deploy_to_lending(ref self: ContractState, amount: u256) {
            self.deploy('deploy_to_lending', amount);
        }

        fn deploy_to_vesu(ref self: ContractState, amount: u256) {
            self.deploy('deploy_to_vesu', amount);
        }

        fn stake_to_staking(ref self: ContractState, amount: u256) {
            self.deploy('stake_to_staking', amount);
        }

        fn stake_to_endur(ref self: ContractState, amount: u256) {
            self.deploy('stake_to_endur', amount);
        }

        fn execute_staking_loop(ref self: ContractState, amount: u256, loops: u32) {
            self.require_allowed('execute_staking_loop');
            self.require_amount(amount);
            assert(loops != 0 && loops <= MAX_LOOPS, 'Invalid loops');
            self.move_to_strategy(amount);
        }

        fn deploy_collateral(ref self: ContractState, amount: u256) {
            self.deploy('deploy_collateral', amount);
        }

        fn deploy_split(ref self: ContractState, amount: u256) {
            self.deploy('deploy_split', amount);
        }

        fn set_paused(ref self: ContractState, paused: bool) {
            assert(get_caller_address() == self.owner.read(), 'Not owner');
            self.paused.write(paused);
        }
    }

    #[generate_trait]
    impl Internal of InternalTrait {
        fn deploy(ref self: ContractState, method: felt252, amount: u256) {
            self.require_allowed(method);
            self.require_amount(amount);
            self.move_to_strategy(amount);
        }

        fn require_allowed(self: @ContractState, method: felt252) {
            assert(self.methods.read(method), 'ENTRYPOINT_NOT_FOUND');
            assert(get_caller_address() == self.owner.read(), 'Not owner');
            assert(!self.paused.read(), 'paused');
        }

        fn require_amount(self: @ContractState, amount: u256) {
            assert(amount != 0, 'Zero amount');
        }

        fn move_to_strategy(ref self: ContractState, amount: u256) {
            let asset = ITokenDispatcher { contract_address: self.asset.read() };
            assert(amount <= asset.balance_of(get_contract_address()), 'Insufficient idle');
            assert(asset.transfer(self.strategy.read(), amount), 'transfer failed');
        }
    }
}
