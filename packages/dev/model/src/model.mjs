// Step function of the model, which returns all next states of a state. The model contains the
// submission machine, the chain, and all faults that can happen between machine and chain. A poll
// has three parts: it reads rows, reads the chain and writes commands; other steps may happen
// between the parts. Sends do not wait for each other. A block at ACCEPTED_ON_L2 can be undone
// until it is ACCEPTED_ON_L1, and a ledger can be lost. check.mjs searches the states.
import { chain } from './chain.mjs';
import {
  accounts,
  instances,
  poll,
  losses,
  prepares,
  quarantine,
  renewals,
  requests,
  sends,
} from './ledger.mjs';
import { clone, tidy } from './state.mjs';

export { initial, options } from './state.mjs';
export { broken, goal } from './properties.mjs';
export { describe } from './describe.mjs';

/**
 * Returns every step from state `s` as data: the action, the resulting state, and whether the step
 * is fair. A fair step is done by a healthy service, node and chain. If the step itself breaks a
 * property, its `bad` contains the property. Precondition: `o` was created by `options`.
 */
export function next(s, o) {
  const steps = [];
  const f = {
    s,
    o,
    room: s.wire.length < o.maxWire,
    step(info, fair, change) {
      const t = clone(s);
      const more = change(t);
      if (more) Object.assign(info, more);
      info.fair = fair;
      info.state = tidy(t, o);
      steps.push(info);
    },
  };
  o.workers.forEach((i, w) => {
    if (o.workers.indexOf(i) === w) requests(f, w);
    if (o.renews && o.workers.indexOf(i) === w) renewals(f, w);
    for (const L of o.laneNumbers) if (s.lease[L] === i) quarantine(f, w, L);
    prepares(f, w);
    for (const L of o.laneNumbers) poll(f, w, L);
  });
  sends(f);
  instances(f);
  accounts(f);
  losses(f);
  chain(f);
  return steps;
}
