// Breadth-first search over every reachable state, so each trace is a shortest trace. It checks
// property L (AG EF goal) backwards over the fair steps. Then it checks starvation (V). Starvation
// means: polls that know the transaction which consumed n0 end again and again, but fair steps
// never settle n0.
import { broken, describe, goal, initial, next, options } from './model.mjs';
import { isOpen, pack, unpack } from './state.mjs';

class Uints {
  a = new Uint32Array(1 << 16);
  n = 0;
  push(v) {
    if (this.n === this.a.length) {
      const b = new Uint32Array(this.n * 2);
      b.set(this.a);
      this.a = b;
    }
    this.a[this.n++] = v;
  }
}

const PROPERTIES = {
  L: 'L: nothing that a healthy service, node and chain do leads from here to "all settled, no gap"',
  V: 'V: fair steps lead round in a circle in which the settle of n0 is refused each time',
};

/**
 * Removes waiting submissions if every lane has used all nonces of the model. This is the only
 * situation in which a submission may remain unfinished.
 */
const exceptOutOfNonces = (s, o) => ({
  ...s,
  subs: s.subs.filter(
    (r) => !(r.st === 'acc' && s.slot.every((lane) => lane.length >= o.maxN && !lane.some(isOpen))),
  ),
});
const givesUp = (step) => step.to === 'end' || step.do === 'end_waiting';

/**
 * Searches every state that `given` (`defaults` in state.mjs) allows, up to `limit` states. With
 * `stopAt`, the search ends once these properties are broken. With `stopAtWitness`, it ends once
 * all witnesses are found. `witness` maps names of required situations to tests of (state, step,
 * state before).
 */
export function check(
  given,
  {
    limit = 3e6,
    stopAt = '',
    witness = {},
    noGivingUp = false,
    starve = false,
    liveness = true,
    stopAtWitness = false,
  } = {},
) {
  const o = options(given);
  const began = Date.now();
  const fields = Object.keys(initial(o));
  const index = new Map();
  const keys = [];
  const [parent, via, depth, from, to, marked] = Array.from({ length: 6 }, () => new Uints());
  const good = [];
  const first = {};
  const seen = {};
  const waits = [];
  const wanted = stopAt ? stopAt.split(' ') : null;
  let edges = 0;
  const note = (text, at) => (first[text.split(':')[0]] ??= { ...at, text });
  const add = (s, p, v) => {
    const key = pack(s);
    const known = index.get(key);
    if (known !== undefined) return known;
    const id = keys.length;
    index.set(key, id);
    keys.push(key);
    parent.push(p);
    via.push(v);
    depth.push(id ? depth.a[p] + 1 : 0);
    if (goal(noGivingUp ? exceptOutOfNonces(s, o) : s)) good.push(id);
    if (starve && s.fin[0] > 0 && isOpen(s.slot[0][0])) waits[id] = 1;
    for (const text of broken(s, o)) note(text, { id });
    return id;
  };
  add(initial(o), 0, 0);
  const names = Object.keys(witness);
  const stop = () =>
    (wanted !== null && wanted.every((p) => p in first)) ||
    (stopAtWitness && names.every((w) => w in seen));
  let i = 0;
  for (; i < keys.length && keys.length < limit && !stop(); i++) {
    const s = unpack(keys[i], fields);
    const steps = next(s, o);
    edges += steps.length;
    for (let x = 0; x < steps.length; x++) {
      const step = steps[x];
      const j = add(step.state, i, x);
      if (step.bad) note(step.bad, { id: i, step: x });
      for (const w of names)
        if (!(w in seen) && witness[w](step.state, step, s)) seen[w] = { id: i, step: x };
      if (!liveness || !step.fair || j === i || (noGivingUp && givesUp(step))) continue;
      from.push(i);
      to.push(j);
      if (starve && step.do === 'look_end' && step.L === 0 && step.refused === 0)
        marked.push(to.n - 1);
    }
  }
  const N = keys.length;
  const complete = i >= N;
  if (complete && liveness) {
    const stuck = unreaching(N, good, from, to);
    if (stuck >= 0) first.L = { id: stuck, text: PROPERTIES.L };
    const round = starve ? starving(N, from, to, marked, waits) : -1;
    if (round >= 0) first.V = { id: round, text: PROPERTIES.V };
  }
  const stepsTo = ({ id, step }) => {
    const path = step === undefined ? [] : [next(unpack(keys[id], fields), o)[step]];
    for (; id; id = parent.a[id])
      path.unshift(next(unpack(keys[parent.a[id]], fields), o)[via.a[id]]);
    return path;
  };
  const found = (at) => {
    const steps = stepsTo(at);
    return { trace: steps.map((step) => describe(step, o)), steps };
  };
  const bad = Object.entries(first).sort(([p], [q]) => (p < q ? -1 : 1));
  return {
    states: N,
    edges,
    depth: depth.a[N - 1],
    complete,
    seconds: (Date.now() - began) / 1000,
    bad: Object.fromEntries(bad.map(([p, at]) => [p, { text: at.text, ...found(at) }])),
    seen: Object.fromEntries(names.map((w) => [w, w in seen ? found(seen[w]) : null])),
  };
}

/** Groups edges by `heads`: the edges of state x are at positions start[x] to start[x + 1]. */
function startsOf(N, heads) {
  const start = new Uint32Array(N + 1);
  for (let e = 0; e < heads.n; e++) start[heads.a[e] + 1]++;
  for (let x = 0; x < N; x++) start[x + 1] += start[x];
  return start;
}

/**
 * Returns the first state from which no state of `good` is reachable. Because states are ordered by
 * distance, this is also a nearest such state. Returns -1 if a state of `good` is reachable from
 * every state.
 */
function unreaching(N, good, from, to) {
  const start = startsOf(N, to);
  const at = start.slice();
  const back = new Uint32Array(to.n);
  for (let e = 0; e < to.n; e++) back[at[to.a[e]]++] = from.a[e];
  const can = new Uint8Array(N);
  const todo = [...good];
  for (const g of good) can[g] = 1;
  while (todo.length) {
    const g = todo.pop();
    for (let e = start[g]; e < start[g + 1]; e++)
      if (!can[back[e]]) {
        can[back[e]] = 1;
        todo.push(back[e]);
      }
  }
  return can.indexOf(0);
}

/**
 * Returns a state after a refused poll from which the poll is reachable again without a settle of
 * n0. Returns -1 if there is no such state.
 */
function starving(N, from, to, marked, waits) {
  const component = components(N, startsOf(N, from), to.a, waits);
  for (let m = 0; m < marked.n; m++) {
    const [a, b] = [from.a[marked.a[m]], to.a[marked.a[m]]];
    if (waits[a] && waits[b] && component[a] === component[b]) return b;
  }
  return -1;
}

/**
 * Computes the strongly connected components of the states in `within` (Tarjan, without recursion).
 * Precondition: edges are sorted by `from`.
 */
function components(N, start, to, within) {
  const num = new Int32Array(N).fill(-1);
  const low = new Int32Array(N);
  const component = new Int32Array(N).fill(-1);
  const at = start.slice();
  const path = [];
  let visited = 0;
  let count = 0;
  const enter = (v, call) => {
    num[v] = low[v] = visited++;
    path.push(v);
    call.push(v);
  };
  const leave = (v, call) => {
    call.pop();
    if (call.length) low[call.at(-1)] = Math.min(low[call.at(-1)], low[v]);
    if (low[v] !== num[v]) return;
    let u;
    do component[(u = path.pop())] = count;
    while (u !== v);
    count++;
  };
  for (let root = 0; root < N; root++) {
    if (!within[root] || num[root] >= 0) continue;
    const call = [];
    enter(root, call);
    while (call.length) {
      const v = call.at(-1);
      if (at[v] === start[v + 1]) leave(v, call);
      else {
        const u = to[at[v]++];
        if (!within[u]) continue;
        if (num[u] < 0) enter(u, call);
        else if (component[u] < 0) low[v] = Math.min(low[v], num[u]);
      }
    }
  }
  return component;
}
