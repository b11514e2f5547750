use starknet::ContractAddress;

/// So many sell units for so many buy units, in both tokens' smallest units.
#[derive(Copy, Drop, Serde, starknet::Store)]
struct Rate {
    sell_amount: u256,
    buy_amount: u256,
}

#[starknet::interface]
trait IExchange<TContractState> {
    fn quote(self: @TContractState, sell_token: ContractAddress, buy_token: ContractAddress, amount: u256) -> u256;
    fn swap(ref self: TContractState, sell_token: ContractAddress, buy_token: ContractAddress, amount: u256) -> u256;
    fn rate(self: @TContractState, sell_token: ContractAddress, buy_token: ContractAddress) -> Rate;
    fn fee_bps(self: @TContractState) -> u16;
    fn set_rate(ref self: TContractState, sell_token: ContractAddress, buy_token: ContractAddress, rate: Rate);
}
