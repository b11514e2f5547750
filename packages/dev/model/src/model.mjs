// The submission machine, the chain, and all faults between them: a state in, every next step out.
// A poll has three parts (rows are read, the chain is read, commands are written); other steps may
// happen in between. Sends do not wait for each other, ACCEPTED_ON_L2 can be undone until
// ACCEPTED_ON_L1, and a ledger can be lost. check.mjs searches the states.
import { chain } from './chain.mjs';
import {
  accounts,
  instances,
  look,
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
 * Returns every step from s as data: its action, whether it is fair (done by a healthy service,
 * node and chain), and the resulting state. `o` must be created by `options`. `bad` on a step names
 * a property that the step itself breaks.
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
    for (const L of o.laneNumbers) look(f, w, L);
  });
  sends(f);
  instances(f);
  accounts(f);
  losses(f);
  chain(f);
  return steps;
}
