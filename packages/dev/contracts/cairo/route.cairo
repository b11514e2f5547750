use array::{ArrayTrait, SpanTrait};
use box::BoxTrait;
use option::OptionTrait;
use serde::Serde;
use starknet::ContractAddress;

/// 100 % as the router counts: 10 decimals.
const WHOLE: u128 = 1000000000000;

/// Stands where a direct swap has its exchange, and says that a branch follows.
const BRANCH: felt252 = 'branch';

/// A swap at one exchange.
#[derive(Drop, Serde)]
struct DirectSwap {
    exchange_address: ContractAddress,
    /// Part of what the router holds of the sell token, WHOLE being all of it.
    percent: u128,
    /// What the exchange's adapter needs to know.
    additional_swap_params: Array<felt252>,
}

/// A swap at the principal exchange, unless an alternative turns out to be better when it runs.
#[derive(Drop, Serde)]
struct BranchSwap {
    principal: DirectSwap,
    alternatives: Array<DirectSwap>,
}

#[derive(Drop)]
enum Swap {
    Direct: DirectSwap,
    Branch: BranchSwap,
}

/// One step of a swap.
#[derive(Drop, Serde)]
struct Route {
    sell_token: ContractAddress,
    buy_token: ContractAddress,
    swap: Swap,
}

/// Not an enum on the wire: the older struct had the direct swap in this place, and a direct swap is still written as it was.
impl SwapSerde of Serde<Swap> {
    fn serialize(self: @Swap, ref output: Array<felt252>) {
        match self {
            Swap::Direct(direct) => direct.serialize(ref output),
            Swap::Branch(branch) => {
                output.append(BRANCH);
                branch.serialize(ref output);
            },
        }
    }

    fn deserialize(ref serialized: Span<felt252>) -> Option<Swap> {
        if *serialized.get(0)?.unbox() == BRANCH {
            serialized.pop_front()?;
            return Option::Some(Swap::Branch(Serde::<BranchSwap>::deserialize(ref serialized)?));
        }
        Option::Some(Swap::Direct(Serde::<DirectSwap>::deserialize(ref serialized)?))
    }
}
