use sotto::route::Route;
use starknet::ContractAddress;

/// A recurring purchase of WBTC.
#[derive(Copy, Drop, Serde, starknet::Store)]
struct Order {
    owner: ContractAddress,
    sell_token: ContractAddress,
    /// What one purchase sells at 1x, in the token's smallest unit.
    sell_amount_per: u256,
    /// Seconds from one purchase to the next.
    frequency: u64,
    total_orders: u32,
    executed: u32,
    /// Unix seconds; zero before the first purchase.
    last_execution: u64,
    /// What is left of the deposit, in the token's smallest unit.
    remaining: u256,
    /// Whether the Mayer Multiple sets what a purchase sells.
    smart: bool,
    active: bool,
}

#[starknet::interface]
trait IPurchaseKeeper<TContractState> {
    fn create_order(
        ref self: TContractState,
        sell_token: ContractAddress,
        sell_amount_per: u256,
        frequency: u64,
        total_orders: u32,
        smart: bool
    ) -> u64;
    fn cancel_order(ref self: TContractState, order_id: u64);
    fn execute_order(ref self: TContractState, order_id: u64, min_btc_out: u256, routes: Array<Route>);
    fn get_order(self: @TContractState, order_id: u64) -> Order;
    fn order_count(self: @TContractState) -> u64;
    fn get_mayer_multiple(self: @TContractState) -> u256;
    fn set_mayer_multiple(ref self: TContractState, multiple: u256);
}

/// Recurring purchases of WBTC. An order's whole deposit lies here from the start; anyone may execute an order that is
/// due, and earns a thousandth of what it buys.
#[starknet::contract]
mod PurchaseKeeper {
    use sotto::route::Route;
    use sotto::swap::swap;
    use sotto::token_interface::{ITokenDispatcher, ITokenDispatcherTrait};
    use starknet::{ContractAddress, get_block_timestamp, get_caller_address, get_contract_address};
    use super::{IPurchaseKeeper, Order};
    use traits::Into;

    /// Seconds.
    const MIN_FREQUENCY: u64 = 3600;
    const MAX_ORDERS: u32 = 365;
    /// The keeper's share of what is bought is one in so many.
    const FEE_DIVISOR: u256 = 1000;

    #[storage]
    struct Storage {
        owner: ContractAddress,
        wbtc: ContractAddress,
        router: ContractAddress,
        /// 1e18 is one; zero until it is set.
        mayer_multiple: u256,
        /// Orders are numbered from 1.
        order_count: u64,
        orders: LegacyMap<u64, Order>,
    }

    #[event]
    #[derive(Drop, starknet::Event)]
    enum Event {
        OrderCreated: OrderCreated,
        OrderExecuted: OrderExecuted,
        OrderCancelled: OrderCancelled,
    }

    #[derive(Drop, starknet::Event)]
    struct OrderCreated {
        #[key]
        order_id: u64,
        owner: ContractAddress,
        sell_token: ContractAddress,
        sell_amount_per: u256,
        frequency: u64,
        total_orders: u32,
        smart: bool,
    }

    #[derive(Drop, starknet::Event)]
    struct OrderExecuted {
        #[key]
        order_id: u64,
        executor: ContractAddress,
        /// How many of the order's purchases are done with this one.
        executed: u32,
        sell_amount: u256,
        /// What the order's owner got.
        btc_amount: u256,
        keeper_fee: u256,
    }

    #[derive(Drop, starknet::Event)]
    struct OrderCancelled {
        #[key]
        order_id: u64,
        refund: u256,
    }

    /// `owner` sets the Mayer Multiple.
    #[constructor]
    fn constructor(ref self: ContractState, owner: ContractAddress, wbtc: ContractAddress, router: ContractAddress) {
        self.owner.write(owner);
        self.wbtc.write(wbtc);
        self.router.write(router);
    }

    #[external(v0)]
    impl PurchaseKeeperImpl of IPurchaseKeeper<ContractState> {
        /// Pulls what all purchases sell, half as much again for a smart order; the first purchase is due at once.
        fn create_order(
            ref self: ContractState,
            sell_token: ContractAddress,
            sell_amount_per: u256,
            frequency: u64,
            total_orders: u32,
            smart: bool
        ) -> u64 {
            assert(sell_token != self.wbtc.read(), 'Invalid sell token');
            assert(sell_amount_per != 0, 'Zero amount');
            assert(frequency >= MIN_FREQUENCY, 'Frequency too short');
            assert(total_orders != 0 && total_orders <= MAX_ORDERS, 'Invalid number of orders');
            let deposit = deposit_of(sell_amount_per, total_orders, smart);
            let owner = get_caller_address();
            let order_id = self.order_count.read() + 1;
            self.order_count.write(order_id);
            self
                .orders
                .write(
                    order_id,
                    Order {
                        owner,
                        sell_token,
                        sell_amount_per,
                        frequency,
                        total_orders,
                        executed: 0,
                        last_execution: 0,
                        remaining: deposit,
                        smart,
                        active: true,
                    }
                );
            let is_paid = ITokenDispatcher { contract_address: sell_token }
                .transfer_from(owner, get_contract_address(), deposit);
            assert(is_paid, 'transfer failed');
            self.emit(OrderCreated { order_id, owner, sell_token, sell_amount_per, frequency, total_orders, smart });
            order_id
        }

        fn cancel_order(ref self: ContractState, order_id: u64) {
            let mut order = self.orders.read(order_id);
            assert(order.active, 'Order not active');
            assert(get_caller_address() == order.owner, 'Not owner');
            let refund = order.remaining;
            order.remaining = 0;
            order.active = false;
            self.orders.write(order_id, order);
            pay(order.sell_token, order.owner, refund);
            self.emit(OrderCancelled { order_id, refund });
        }

        /// `min_btc_out` is what the swap must buy at least, the keeper's fee included. The last purchase returns what is
        /// left of the deposit.
        fn execute_order(ref self: ContractState, order_id: u64, min_btc_out: u256, routes: Array<Route>) {
            let (order, amount, refund) = self.begin(order_id);
            let bought = swap(self.router.read(), order.sell_token, amount, self.wbtc.read(), min_btc_out, routes);
            self.share_out(order_id, order, amount, bought, min_btc_out);
            pay(order.sell_token, order.owner, refund);
        }

        /// All zeros for an order that does not exist.
        fn get_order(self: @ContractState, order_id: u64) -> Order {
            self.orders.read(order_id)
        }

        fn order_count(self: @ContractState) -> u64 {
            self.order_count.read()
        }

        fn get_mayer_multiple(self: @ContractState) -> u256 {
            self.mayer_multiple.read()
        }

        fn set_mayer_multiple(ref self: ContractState, multiple: u256) {
            assert(get_caller_address() == self.owner.read(), 'Not owner');
            self.mayer_multiple.write(multiple);
        }
    }

    #[generate_trait]
    impl Internal of InternalTrait {
        /// What the next purchase sells: never more than is left.
        fn amount_of(self: @ContractState, order: Order) -> u256 {
            let quarters = if order.smart {
                quarters_at(self.mayer_multiple.read())
            } else {
                4
            };
            least(order.sell_amount_per * quarters / 4, order.remaining)
        }

        /// Takes the next purchase out of its order: what the order is then, what to sell, and what its owner gets back.
        fn begin(ref self: ContractState, order_id: u64) -> (Order, u256, u256) {
            let mut order = self.orders.read(order_id);
            assert(order.active, 'Order not active');
            let now = get_block_timestamp();
            assert(now >= order.last_execution + order.frequency, 'Order not due');
            let amount = self.amount_of(order);
            order.executed += 1;
            order.last_execution = now;
            order.remaining -= amount;
            order.active = is_open(order);
            let refund = refund_of(order);
            order.remaining -= refund;
            self.orders.write(order_id, order);
            (order, amount, refund)
        }

        /// Pays the keeper and the order's owner.
        fn share_out(
            ref self: ContractState, order_id: u64, order: Order, sell_amount: u256, bought: u256, min_btc_out: u256
        ) {
            assert(bought != 0, 'No WBTC received');
            assert(bought >= min_btc_out, 'Insufficient WBTC received');
            let keeper_fee = bought / FEE_DIVISOR;
            let btc_amount = bought - keeper_fee;
            let executor = get_caller_address();
            let wbtc = self.wbtc.read();
            pay(wbtc, executor, keeper_fee);
            pay(wbtc, order.owner, btc_amount);
            let executed = order.executed;
            self.emit(OrderExecuted { order_id, executor, executed, sell_amount, btc_amount, keeper_fee });
        }
    }

    fn deposit_of(sell_amount_per: u256, total_orders: u32, smart: bool) -> u256 {
        let count: felt252 = total_orders.into();
        let plain = sell_amount_per * count.into();
        if smart {
            plain + plain / 2
        } else {
            plain
        }
    }

    fn is_open(order: Order) -> bool {
        order.executed < order.total_orders && order.remaining != 0
    }

    /// What an order that ends gives back.
    fn refund_of(order: Order) -> u256 {
        if order.active {
            0
        } else {
            order.remaining
        }
    }

    /// What a smart order sells at a Mayer Multiple, in quarters of its amount.
    fn quarters_at(multiple: u256) -> u256 {
        assert(multiple != 0, 'No Mayer Multiple');
        if multiple < 800000000000000000 {
            return 6;
        }
        if multiple < 1000000000000000000 {
            return 5;
        }
        if multiple < 1500000000000000000 {
            return 4;
        }
        if multiple <= 2000000000000000000 {
            return 3;
        }
        2
    }

    fn least(a: u256, b: u256) -> u256 {
        if a < b {
            a
        } else {
            b
        }
    }

    fn pay(token: ContractAddress, to: ContractAddress, amount: u256) {
        if amount == 0 {
            return;
        }
        assert(ITokenDispatcher { contract_address: token }.transfer(to, amount), 'transfer failed');
    }
}
