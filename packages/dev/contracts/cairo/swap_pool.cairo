use sotto::route::Route;
use starknet::ContractAddress;

#[starknet::interface]
trait ISwapPool<TContractState> {
    fn max_fee_bps(self: @TContractState) -> u32;
    fn active_deposits(self: @TContractState) -> u32;
    fn total_swaps(self: @TContractState) -> u32;
    fn get_next_index(self: @TContractState) -> u32;
    fn get_last_root(self: @TContractState) -> u256;
    fn is_known_root(self: @TContractState, root: u256) -> bool;
    fn is_spent(self: @TContractState, nullifier_hash: u256) -> bool;
    fn is_known_commitment(self: @TContractState, commitment: u256) -> bool;
    fn get_leaf_info(self: @TContractState, leaf_index: u32) -> (ContractAddress, u256);
    fn private_swap(
        ref self: TContractState,
        wbtc_pool: ContractAddress,
        proof_calldata: Span<felt252>,
        new_commitment: u256,
        output_token: ContractAddress,
        min_amount_out: u256,
        routes: Array<Route>
    );
    fn withdraw(ref self: TContractState, proof_with_hints: Span<felt252>);
    fn set_paused(ref self: TContractState, paused: bool);
}

/// What the swap pool asks of a pool whose notes it swaps.
#[starknet::interface]
trait IInputPool<TContractState> {
    fn withdraw(ref self: TContractState, proof_with_hints: Span<felt252>);
}

/// The shielded swap pool. Its owner brings a withdrawal proof that pays the pool, the pool swaps exactly what it received
/// and keeps the output as a new note's leaf; whoever proves the note later is paid that leaf's token and amount.
#[starknet::contract]
mod SwapPool {
    use array::{ArrayTrait, SpanTrait};
    use option::OptionTrait;
    use sotto::merkle_tree;
    use sotto::route::Route;
    use sotto::router_interface::{IRouterDispatcher, IRouterDispatcherTrait};
    use sotto::token_interface::{ITokenDispatcher, ITokenDispatcherTrait};
    use sotto::withdrawal::{
        MAX_FEE_BPS, address_of, is_commitment, max_fee_of, verified_withdrawal
    };
    use starknet::{ContractAddress, get_block_timestamp, get_caller_address, get_contract_address};
    use super::{IInputPoolDispatcher, IInputPoolDispatcherTrait};
    use traits::{Into, TryInto};
    use zeroable::Zeroable;

    #[storage]
    struct Storage {
        owner: ContractAddress,
        wbtc: ContractAddress,
        router: ContractAddress,
        max_fee_bps: u32,
        verifier: ContractAddress,
        development_allows_respending: bool,
        paused: bool,
        active_deposits: u32,
        total_swaps: u32,
        /// Token and amount by leaf index.
        leaves: LegacyMap<u32, (ContractAddress, u256)>,
        commitments: LegacyMap<u256, bool>,
        nullifiers: LegacyMap<u256, bool>,
    }

    #[event]
    #[derive(Drop, starknet::Event)]
    enum Event {
        SwapDeposit: SwapDeposit,
        SwapWithdraw: SwapWithdraw,
    }

    #[derive(Drop, starknet::Event)]
    struct SwapDeposit {
        #[key]
        commitment: u256,
        leaf_index: u32,
        output_token: ContractAddress,
        output_amount: u256,
        timestamp: u64,
    }

    #[derive(Drop, starknet::Event)]
    struct SwapWithdraw {
        #[key]
        nullifier_hash: u256,
        recipient: ContractAddress,
        output_token: ContractAddress,
        payout: u256,
        fee: u256,
    }

    #[constructor]
    fn constructor(
        ref self: ContractState,
        owner: ContractAddress,
        wbtc: ContractAddress,
        router: ContractAddress,
        max_fee_bps: u32,
        verifier: ContractAddress,
        development_allows_respending: bool
    ) {
        assert(max_fee_bps <= MAX_FEE_BPS, 'max fee too high');
        self.owner.write(owner);
        self.wbtc.write(wbtc);
        self.router.write(router);
        self.max_fee_bps.write(max_fee_bps);
        self.verifier.write(verifier);
        self.development_allows_respending.write(development_allows_respending);
    }

    #[external(v0)]
    impl SwapPoolImpl of super::ISwapPool<ContractState> {
        fn max_fee_bps(self: @ContractState) -> u32 {
            self.max_fee_bps.read()
        }

        fn active_deposits(self: @ContractState) -> u32 {
            self.active_deposits.read()
        }

        fn total_swaps(self: @ContractState) -> u32 {
            self.total_swaps.read()
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

        fn get_leaf_info(self: @ContractState, leaf_index: u32) -> (ContractAddress, u256) {
            self.leaves.read(leaf_index)
        }

        fn private_swap(
            ref self: ContractState,
            wbtc_pool: ContractAddress,
            proof_calldata: Span<felt252>,
            new_commitment: u256,
            output_token: ContractAddress,
            min_amount_out: u256,
            routes: Array<Route>
        ) {
            require_owner(@self);
            require_running(@self);
            assert(is_commitment(new_commitment), 'SwapPool: invalid commitment');
            assert(!self.commitments.read(new_commitment), 'SwapPool: commitment exists');
            assert(
                merkle_tree::next_leaf_index() < merkle_tree::TREE_CAPACITY, 'SwapPool: tree full'
            );

            let wbtc = self.wbtc.read();
            let before = held(wbtc);
            IInputPoolDispatcher { contract_address: wbtc_pool }.withdraw(proof_calldata);
            let received = gain(before, held(wbtc));
            assert(received != 0, 'SwapPool: no WBTC received');

            let before = held(output_token);
            swap_all(@self, received, output_token, min_amount_out, routes);
            let output = gain(before, held(output_token));
            assert(output != 0, 'SwapPool: no output received');
            keep(ref self, new_commitment, output_token, output);
        }

        fn withdraw(ref self: ContractState, proof_with_hints: Span<felt252>) {
            require_running(@self);
            let withdrawal = verified_withdrawal(self.verifier.read(), proof_with_hints)
                .expect('SwapPool: invalid proof');
            let nullifier_hash = withdrawal.nullifier_hash;
            assert(merkle_tree::is_known_root(withdrawal.root), 'SwapPool: unknown root');
            if !self.development_allows_respending.read() {
                assert(!self.nullifiers.read(nullifier_hash), 'SwapPool: already withdrawn');
            }
            // A batch of one names the leaf, and with it token and amount.
            assert(withdrawal.batch_size == 1, 'SwapPool: invalid batch size');
            let (output_token, amount) = require_leaf(@self, withdrawal.batch_start);
            let fee = withdrawal.fee;
            assert(fee <= max_fee_of(amount, self.max_fee_bps.read()), 'SwapPool: fee too high');
            let recipient = address_of(withdrawal.recipient);
            let relayer = address_of(withdrawal.relayer);

            let active = self.active_deposits.read();
            // Only a pool that lets notes be spent again can be asked for more than it holds.
            assert(active != 0, 'SwapPool: no active deposit');
            self.active_deposits.write(active - 1);
            self.nullifiers.write(nullifier_hash, true);
            let payout = amount - fee;
            pay(output_token, recipient, payout);
            if fee != 0 {
                pay(output_token, relayer, fee);
            }
            self.emit(SwapWithdraw { nullifier_hash, recipient, output_token, payout, fee });
        }

        fn set_paused(ref self: ContractState, paused: bool) {
            require_owner(@self);
            self.paused.write(paused);
        }
    }

    /// The router requires that the beneficiary is its caller, which is this pool.
    fn swap_all(
        self: @ContractState,
        amount: u256,
        output_token: ContractAddress,
        min_amount_out: u256,
        routes: Array<Route>
    ) {
        let wbtc = self.wbtc.read();
        let router = self.router.read();
        ITokenDispatcher { contract_address: wbtc }.approve(router, amount);
        IRouterDispatcher { contract_address: router }
            .multi_route_swap(
                wbtc,
                amount,
                output_token,
                min_amount_out,
                min_amount_out,
                get_contract_address(),
                0,
                Zeroable::zero(),
                routes
            );
    }

    /// Makes the output a leaf.
    fn keep(
        ref self: ContractState,
        commitment: u256,
        output_token: ContractAddress,
        output_amount: u256
    ) {
        let leaf_index = merkle_tree::insert_leaf(commitment);
        self.commitments.write(commitment, true);
        self.leaves.write(leaf_index, (output_token, output_amount));
        self.active_deposits.write(self.active_deposits.read() + 1);
        self.total_swaps.write(self.total_swaps.read() + 1);
        let timestamp = get_block_timestamp();
        self.emit(SwapDeposit { commitment, leaf_index, output_token, output_amount, timestamp });
    }

    fn require_running(self: @ContractState) {
        assert(!self.paused.read(), 'SwapPool: paused');
    }

    fn require_owner(self: @ContractState) {
        assert(get_caller_address() == self.owner.read(), 'Not owner');
    }

    /// Token and amount of a leaf that a swap filled.
    fn require_leaf(self: @ContractState, leaf_index: u256) -> (ContractAddress, u256) {
        let leaves: felt252 = merkle_tree::next_leaf_index().into();
        assert(leaf_index < leaves.into(), 'SwapPool: empty leaf');
        self.leaves.read(leaf_index.try_into().unwrap())
    }

    /// By how much a balance rose.
    fn gain(before: u256, after: u256) -> u256 {
        if after > before {
            after - before
        } else {
            0
        }
    }

    fn held(token: ContractAddress) -> u256 {
        ITokenDispatcher { contract_address: token }.balance_of(get_contract_address())
    }

    fn pay(token: ContractAddress, to: ContractAddress, amount: u256) {
        assert(
            ITokenDispatcher { contract_address: token }.transfer(to, amount), 'transfer failed'
        );
    }
}
