#[derive(Copy, Drop, Serde)]
enum DataType {
    SpotEntry: felt252,
    FutureEntry: (felt252, u64),
    GenericEntry: felt252,
}

#[derive(Copy, Drop, Serde)]
enum AggregationMode {
    Median: (),
    Mean: (),
    ConversionRate: (),
    Error: (),
}

#[derive(Copy, Drop, Serde)]
struct PragmaPricesResponse {
    price: u128,
    decimals: u32,
    last_updated_timestamp: u64,
    num_sources_aggregated: u32,
    expiration_timestamp: Option<u64>,
}

/// One median price of a pair.
#[derive(Copy, Drop, Serde, starknet::Store)]
struct Price {
    /// Integer with `decimals` decimals; zero is the answer for a pair that the oracle does not know.
    price: u128,
    decimals: u32,
    /// Unix seconds of the newest publication; unused when the price is live.
    last_updated_timestamp: u64,
    num_sources: u32,
    /// Always as of the block that asks.
    is_live: bool,
}

#[starknet::interface]
trait IPriceOracle<TContractState> {
    fn get_data_median(self: @TContractState, data_type: DataType) -> PragmaPricesResponse;
    fn get_data(self: @TContractState, data_type: DataType, aggregation_mode: AggregationMode) -> PragmaPricesResponse;
    fn set_price(ref self: TContractState, pair_id: felt252, price: Price);
}
