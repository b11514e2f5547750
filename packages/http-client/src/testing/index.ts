export { LoopbackUpstream, type Handler } from './loopback-upstream.js';
