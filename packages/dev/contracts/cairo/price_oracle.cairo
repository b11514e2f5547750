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

/// A price oracle in Pragma's shape for spot prices; futures and generic entries are unknown to it.
#[starknet::contract]
mod PriceOracle {
    use option::OptionTrait;
    use starknet::{ContractAddress, get_block_timestamp, get_caller_address};
    use super::{AggregationMode, DataType, IPriceOracle, PragmaPricesResponse, Price};

    #[storage]
    struct Storage {
        owner: ContractAddress,
        prices: LegacyMap<felt252, Price>,
    }

    #[constructor]
    fn constructor(ref self: ContractState, owner: ContractAddress) {
        self.owner.write(owner);
    }

    #[external(v0)]
    impl PriceOracleImpl of IPriceOracle<ContractState> {
        fn get_data_median(self: @ContractState, data_type: DataType) -> PragmaPricesResponse {
            match data_type {
                DataType::SpotEntry(pair_id) => response(self.prices.read(pair_id)),
                DataType::FutureEntry(_) => unknown(),
                DataType::GenericEntry(_) => unknown(),
            }
        }

        /// One price per pair is all there is, so every aggregation of it is the same.
        fn get_data(self: @ContractState, data_type: DataType, aggregation_mode: AggregationMode) -> PragmaPricesResponse {
            self.get_data_median(data_type)
        }

        fn set_price(ref self: ContractState, pair_id: felt252, price: Price) {
            assert(get_caller_address() == self.owner.read(), 'Not owner');
            self.prices.write(pair_id, price);
        }
    }

    /// Spot prices do not expire, which the real contract says as `Some(0)`.
    fn response(price: Price) -> PragmaPricesResponse {
        PragmaPricesResponse {
            price: price.price,
            decimals: price.decimals,
            last_updated_timestamp: if price.is_live {
                get_block_timestamp()
            } else {
                price.last_updated_timestamp
            },
            num_sources_aggregated: price.num_sources,
            expiration_timestamp: Option::Some(0),
        }
    }

    /// What the real contract answers where it has no data; it does not revert.
    fn unknown() -> PragmaPricesResponse {
        PragmaPricesResponse {
            price: 0, decimals: 0, last_updated_timestamp: 0, num_sources_aggregated: 0, expiration_timestamp: Option::Some(0)
        }
    }
}
