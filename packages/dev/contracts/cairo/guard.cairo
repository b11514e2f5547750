use starknet::ContractAddress;

/// One view and the exact answer that the caller expects of it.
#[derive(Drop, Serde)]
struct ExpectedView {
    to: ContractAddress,
    selector: felt252,
    calldata: Array<felt252>,
    expected: Array<felt252>,
}

/// One view whose answer begins with a u256, and the least value that the caller needs.
#[derive(Drop, Serde)]
struct ExpectedFloor {
    to: ContractAddress,
    selector: felt252,
    calldata: Array<felt252>,
    least: u256,
}

#[starknet::interface]
trait IGuard<TContractState> {
    /// Reverts with `guard: differs` and the index of the first view that gives another answer.
    fn assert_views(self: @TContractState, views: Array<ExpectedView>);
    /// Reverts with `guard: below` and the index of the first view that gives less.
    fn assert_floors(self: @TContractState, floors: Array<ExpectedFloor>);
}

/// A guard ends a transaction before its expensive call when the state has changed since the simulation.
///
/// It has no storage, owner, event, token or upgrade. It calls views with its own address as the caller, so no contract
/// gives it the rights of an account that uses it. Nobody may approve anything to it.
#[starknet::contract]
mod Guard {
    use array::{ArrayTrait, SpanTrait};
    use option::OptionTrait;
    use starknet::call_contract_syscall;
    use super::{ExpectedFloor, ExpectedView, IGuard};

    #[storage]
    struct Storage {}

    #[external(v0)]
    impl GuardImpl of IGuard<ContractState> {
        fn assert_views(self: @ContractState, views: Array<ExpectedView>) {
            let mut rest = views;
            let mut index: felt252 = 0;
            loop {
                match rest.pop_front() {
                    Option::Some(view) => {
                        let ExpectedView{to, selector, calldata, expected } = view;
                        let answer = call_contract_syscall(to, selector, calldata.span())
                            .unwrap_syscall();
                        if !is_equal(answer, expected.span()) {
                            refuse('guard: differs', index);
                        }
                        index += 1;
                    },
                    Option::None(()) => {
                        break;
                    },
                };
            };
        }

        fn assert_floors(self: @ContractState, floors: Array<ExpectedFloor>) {
            let mut rest = floors;
            let mut index: felt252 = 0;
            loop {
                match rest.pop_front() {
                    Option::Some(floor) => {
                        let ExpectedFloor{to, selector, calldata, least } = floor;
                        let mut answer = call_contract_syscall(to, selector, calldata.span())
                            .unwrap_syscall();
                        match Serde::<u256>::deserialize(ref answer) {
                            Option::Some(value) => {
                                if value < least {
                                    refuse('guard: below', index);
                                }
                            },
                            Option::None(()) => refuse('guard: below', index),
                        };
                        index += 1;
                    },
                    Option::None(()) => {
                        break;
                    },
                };
            };
        }
    }

    fn is_equal(answer: Span<felt252>, expected: Span<felt252>) -> bool {
        if answer.len() != expected.len() {
            return false;
        }
        let mut answer = answer;
        let mut expected = expected;
        loop {
            match answer.pop_front() {
                Option::Some(felt) => {
                    if *felt != *expected.pop_front().unwrap() {
                        break false;
                    }
                },
                Option::None(()) => {
                    break true;
                },
            };
        }
    }

    fn refuse(reason: felt252, index: felt252) {
        let mut data = ArrayTrait::new();
        data.append(reason);
        data.append(index);
        panic(data)
    }
}
