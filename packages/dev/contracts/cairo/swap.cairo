use array::ArrayTrait;
use sotto::route::Route;
use sotto::router_interface::{IRouterDispatcher, IRouterDispatcherTrait};
use sotto::token_interface::{ITokenDispatcher, ITokenDispatcherTrait};
use starknet::{ContractAddress, get_contract_address};
use zeroable::Zeroable;

/// Sells what the calling contract holds, at the router; what was bought. The router requires that the beneficiary is its
/// caller, which is that contract.
fn swap(
    router: ContractAddress,
    sell_token: ContractAddress,
    amount: u256,
    buy_token: ContractAddress,
    min_out: u256,
    routes: Array<Route>
) -> u256 {
    let before = held(buy_token);
    ITokenDispatcher { contract_address: sell_token }.approve(router, amount);
    IRouterDispatcher { contract_address: router }
        .multi_route_swap(
            sell_token, amount, buy_token, min_out, min_out, get_contract_address(), 0, Zeroable::zero(), routes
        );
    held(buy_token) - before
}

/// What the calling contract holds.
fn held(token: ContractAddress) -> u256 {
    ITokenDispatcher { contract_address: token }.balance_of(get_contract_address())
}
