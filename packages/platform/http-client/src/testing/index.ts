export { HOSTILE_ANSWERS, HOSTILE_TEXT, type HostileAnswer } from './hostile-answers.js';
export { LoopbackUpstream, type Handler } from './loopback-upstream.js';
export { partnerRows, type PartnerRow } from './partner-table.js';
