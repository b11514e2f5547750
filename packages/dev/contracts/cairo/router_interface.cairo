use sotto::route::Route;
use starknet::ContractAddress;

#[starknet::interface]
trait IRouter<TContractState> {
    fn multi_route_swap(
        ref self: TContractState,
        sell_token_address: ContractAddress,
        sell_token_amount: u256,
        buy_token_address: ContractAddress,
        buy_token_amount: u256,
        buy_token_min_amount: u256,
        beneficiary: ContractAddress,
        integrator_fee_amount_bps: u128,
        integrator_fee_recipient: ContractAddress,
        routes: Array<Route>
    ) -> bool;
    fn is_exchange(self: @TContractState, exchange: ContractAddress) -> bool;
    fn set_exchange(ref self: TContractState, exchange: ContractAddress, is_known: bool);
}
