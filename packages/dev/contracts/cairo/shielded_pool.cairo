use starknet::ContractAddress;

#[starknet::interface]
trait IShieldedPool<TContractState> {
    fn denomination(self: @TContractState) -> u256;
    fn max_fee_bps(self: @TContractState) -> u32;
    fn max_fee(self: @TContractState) -> u256;
    fn undeployed_count(self: @TContractState) -> u32;
    fn active_deposits(self: @TContractState) -> u32;
    fn total_deposits(self: @TContractState) -> u32;
    fn total_assets(self: @TContractState) -> u256;
    fn get_next_index(self: @TContractState) -> u32;
    fn get_last_root(self: @TContractState) -> u256;
    fn is_known_root(self: @TContractState, root: u256) -> bool;
    fn is_spent(self: @TContractState, nullifier_hash: u256) -> bool;
    fn is_known_commitment(self: @TContractState, commitment: u256) -> bool;
    fn deposit(ref self: TContractState, commitment: u256, depositor: ContractAddress);
    fn deploy_batch(ref self: TContractState, count: u32);
    fn deploy_partial_batch(ref self: TContractState, count: u32);
    fn withdraw(ref self: TContractState, proof_with_hints: Span<felt252>);
    fn set_paused(ref self: TContractState, paused: bool);
    fn set_auto_deploy(ref self: TContractState, auto_deploy: bool);
    fn add_yield(ref self: TContractState, amount: u256);
}

/// A shielded pool, V4: a deposit of the denomination becomes a leaf of the Merkle tree, a batch of deposits becomes active,
/// and whoever brings a proof that the verifier accepts has one note paid out. There is no vault behind it: the pool keeps
/// the tokens itself, and a batch only changes what counts as active.
#[starknet::contract]
mod ShieldedPool {
    use array::{ArrayTrait, SpanTrait};
    use option::OptionTrait;
    use sotto::merkle_tree;
    use sotto::token_interface::{ITokenDispatcher, ITokenDispatcherTrait};
    use sotto::withdrawal::{
        MAX_FEE_BPS, ProvenWithdrawal, address_of, is_commitment, max_fee_of, verified_withdrawal
    };
    use starknet::{ContractAddress, get_block_timestamp, get_caller_address, get_contract_address};
    use traits::{Into, TryInto};

    const AUTO_BATCH_SIZE: u32 = 3;

    #[storage]
    struct Storage {
        owner: ContractAddress,
        token: ContractAddress,
        denomination: u256,
        max_fee_bps: u32,
        verifier: ContractAddress,
        relayers: LegacyMap<ContractAddress, bool>,
        auto_deploy: bool,
        development_allows_respending: bool,
        paused: bool,
        undeployed_count: u32,
        active_deposits: u32,
        /// Yield of the active deposits; withdrawals take their equal part.
        accrued: u256,
        batch_count: u32,
        /// Size of a deployed batch by its first leaf's index.
        batch_sizes: LegacyMap<u32, u32>,
        commitments: LegacyMap<u256, bool>,
        nullifiers: LegacyMap<u256, bool>,
    }

    #[event]
    #[derive(Drop, starknet::Event)]
    enum Event {
        Deposit: Deposit,
        BatchDeployed: BatchDeployed,
        Withdrawal: Withdrawal,
    }

    #[derive(Drop, starknet::Event)]
    struct Deposit {
        #[key]
        commitment: u256,
        leaf_index: u32,
        timestamp: u64,
    }

    #[derive(Drop, starknet::Event)]
    struct BatchDeployed {
        #[key]
        batch_id: u32,
        start_index: u32,
        size: u32,
        amount: u256,
        /// Equal to the amount: without a vault there is no share price.
        shares: u256,
    }

    #[derive(Drop, starknet::Event)]
    struct Withdrawal {
        #[key]
        nullifier_hash: u256,
        recipient: ContractAddress,
        relayer: ContractAddress,
        payout: u256,
        fee: u256,
    }

    #[constructor]
    fn constructor(
        ref self: ContractState,
        owner: ContractAddress,
        token: ContractAddress,
        denomination: u256,
        max_fee_bps: u32,
        verifier: ContractAddress,
        mut relayers: Array<ContractAddress>,
        auto_deploy: bool,
        development_allows_respending: bool
    ) {
        assert(max_fee_bps <= MAX_FEE_BPS, 'max fee too high');
        self.owner.write(owner);
        self.token.write(token);
        self.denomination.write(denomination);
        self.max_fee_bps.write(max_fee_bps);
        self.verifier.write(verifier);
        self.auto_deploy.write(auto_deploy);
        self.development_allows_respending.write(development_allows_respending);
        loop {
            match relayers.pop_front() {
                Option::Some(relayer) => self.relayers.write(relayer, true),
                Option::None(()) => {
                    break;
                },
            };
        };
    }

    #[external(v0)]
    impl ShieldedPoolImpl of super::IShieldedPool<ContractState> {
        fn denomination(self: @ContractState) -> u256 {
            self.denomination.read()
        }

        fn max_fee_bps(self: @ContractState) -> u32 {
            self.max_fee_bps.read()
        }

        fn max_fee(self: @ContractState) -> u256 {
            max_fee_of(self.denomination.read(), self.max_fee_bps.read())
        }

        fn undeployed_count(self: @ContractState) -> u32 {
            self.undeployed_count.read()
        }

        fn active_deposits(self: @ContractState) -> u32 {
            self.active_deposits.read()
        }

        fn total_deposits(self: @ContractState) -> u32 {
            merkle_tree::next_leaf_index()
        }

        fn total_assets(self: @ContractState) -> u256 {
            let notes = self.undeployed_count.read() + self.active_deposits.read();
            worth_of(self, notes) + self.accrued.read()
        }

        fn get_next_index(self: @ContractState) -> u32 {
            merkle_tree::next_leaf_index()
        }

        fn get_last_root(self: @ContractState) -> u256 {
            merkle_tree::last_root()
        }

        fn is_known_root(self: @ContractState, root: u256) -> bool {
            merkle_tree::is_known_root(root)
        }

        fn is_spent(self: @ContractState, nullifier_hash: u256) -> bool {
            self.nullifiers.read(nullifier_hash)
        }

        fn is_known_commitment(self: @ContractState, commitment: u256) -> bool {
            self.commitments.read(commitment)
        }

        fn deposit(ref self: ContractState, commitment: u256, depositor: ContractAddress) {
            require_running(@self);
            require_relayer(@self);
            assert(is_commitment(commitment), 'invalid commitment');
            assert(!self.commitments.read(commitment), 'commitment exists');
            assert(merkle_tree::next_leaf_index() < merkle_tree::TREE_CAPACITY, 'tree full');

            let leaf_index = merkle_tree::insert_leaf(commitment);
            self.commitments.write(commitment, true);
            let undeployed = self.undeployed_count.read() + 1;
            self.undeployed_count.write(undeployed);
            let is_paid = asset(@self)
                .transfer_from(depositor, get_contract_address(), self.denomination.read());
            assert(is_paid, 'transfer failed');
            self.emit(Deposit { commitment, leaf_index, timestamp: get_block_timestamp() });

            if self.auto_deploy.read() && undeployed >= AUTO_BATCH_SIZE {
                make_batch(ref self, AUTO_BATCH_SIZE);
            }
        }

        fn deploy_batch(ref self: ContractState, count: u32) {
            require_running(@self);
            require_relayer(@self);
            assert(count == 3 || count == 5 || count == 7, 'invalid batch size');
            make_batch(ref self, count);
        }

        fn deploy_partial_batch(ref self: ContractState, count: u32) {
            require_running(@self);
            require_relayer(@self);
            assert(count != 0, 'invalid batch size');
            make_batch(ref self, count);
        }

        fn withdraw(ref self: ContractState, proof_with_hints: Span<felt252>) {
            require_running(@self);
            let withdrawal = verified_withdrawal(self.verifier.read(), proof_with_hints)
                .expect('invalid proof');
            let nullifier_hash = withdrawal.nullifier_hash;
            assert(merkle_tree::is_known_root(withdrawal.root), 'unknown root');
            if !self.development_allows_respending.read() {
                assert(!self.nullifiers.read(nullifier_hash), 'already withdrawn');
            }
            let yield_share = yield_share(@self);
            let amount = self.denomination.read() + yield_share;
            let fee = withdrawal.fee;
            assert(fee <= max_fee_of(amount, self.max_fee_bps.read()), 'fee too high');
            require_deployed_batch(@self, withdrawal);
            let recipient = address_of(withdrawal.recipient);
            let relayer = address_of(withdrawal.relayer);

            let active = self.active_deposits.read();
            // Only a pool that lets notes be spent again can be asked for more than it holds.
            assert(active != 0, 'no active deposit');
            self.active_deposits.write(active - 1);
            self.accrued.write(self.accrued.read() - yield_share);
            self.nullifiers.write(nullifier_hash, true);
            let payout = amount - fee;
            pay(@self, recipient, payout);
            if fee != 0 {
                pay(@self, relayer, fee);
            }
            self.emit(Withdrawal { nullifier_hash, recipient, relayer, payout, fee });
        }

        fn set_paused(ref self: ContractState, paused: bool) {
            require_owner(@self);
            self.paused.write(paused);
        }

        fn set_auto_deploy(ref self: ContractState, auto_deploy: bool) {
            require_owner(@self);
            self.auto_deploy.write(auto_deploy);
        }

        /// Takes the tokens from the owner, who approved the pool before.
        fn add_yield(ref self: ContractState, amount: u256) {
            require_owner(@self);
            self.accrued.write(self.accrued.read() + amount);
            let is_paid = asset(@self)
                .transfer_from(get_caller_address(), get_contract_address(), amount);
            assert(is_paid, 'transfer failed');
        }
    }

    fn require_running(self: @ContractState) {
        assert(!self.paused.read(), 'paused');
    }

    fn require_relayer(self: @ContractState) {
        assert(self.relayers.read(get_caller_address()), 'Not owner');
    }

    fn require_owner(self: @ContractState) {
        assert(get_caller_address() == self.owner.read(), 'Not owner');
    }

    /// The named batch must be one that was deployed; leaves that no deposit filled can't be part of any.
    fn require_deployed_batch(self: @ContractState, withdrawal: ProvenWithdrawal) {
        let ProvenWithdrawal{batch_start: start, batch_size: size, .. } = withdrawal;
        let leaves: felt252 = merkle_tree::next_leaf_index().into();
        assert(size != 0 && start + size <= leaves.into(), 'empty leaf');
        let deployed: felt252 = self.batch_sizes.read(start.try_into().unwrap()).into();
        assert(size == deployed.into(), 'unknown batch');
    }

    /// Makes the oldest `count` waiting deposits an active batch and records where it starts.
    fn make_batch(ref self: ContractState, count: u32) {
        let undeployed = self.undeployed_count.read();
        assert(count <= undeployed, 'not enough deposits');
        let start_index = merkle_tree::next_leaf_index() - undeployed;
        let batch_id = self.batch_count.read();
        self.batch_count.write(batch_id + 1);
        self.batch_sizes.write(start_index, count);
        self.undeployed_count.write(undeployed - count);
        self.active_deposits.write(self.active_deposits.read() + count);
        let amount = worth_of(@self, count);
        self.emit(BatchDeployed { batch_id, start_index, size: count, amount, shares: amount });
    }

    /// What so many notes are worth without yield.
    fn worth_of(self: @ContractState, notes: u32) -> u256 {
        let notes: felt252 = notes.into();
        self.denomination.read() * notes.into()
    }

    /// Yield that belongs to one active deposit.
    fn yield_share(self: @ContractState) -> u256 {
        let active: felt252 = self.active_deposits.read().into();
        if active == 0 {
            return 0;
        }
        self.accrued.read() / active.into()
    }

    fn pay(self: @ContractState, to: ContractAddress, amount: u256) {
        assert(asset(self).transfer(to, amount), 'transfer failed');
    }

    fn asset(self: @ContractState) -> ITokenDispatcher {
        ITokenDispatcher { contract_address: self.token.read() }
    }
}
