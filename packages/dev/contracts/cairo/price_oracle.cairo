/// A price oracle in Pragma's shape for spot prices; futures and generic entries are unknown to it.
#[starknet::contract]
mod PriceOracle {
    use option::OptionTrait;
    use sotto::price_oracle_interface::{AggregationMode, DataType, IPriceOracle, PragmaPricesResponse, Price};
    use starknet::{ContractAddress, get_block_timestamp, get_caller_address};

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
