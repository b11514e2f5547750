export { ExchangeMalformed, ExchangeTimedOut, ExchangeUnavailable } from './errors.js';
export { KrakenPriceSource } from './kraken-price-source.js';
