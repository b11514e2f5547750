import { z } from 'zod';

/** Self time of a function, which excludes the functions that it calls. */
export interface SelfTime {
  readonly name: string;
  /** Package, or part of Node, that contains the function. */
  readonly place: string;
  readonly micros: number;
}

const Profile = z.object({
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({ functionName: z.string(), url: z.string() }),
    }),
  ),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
});

/**
 * Names of idle frames. `atomicsWaitLoop` is the function in which a worker of piscina waits for
 * its next task.
 */
const IDLE: readonly string[] = ['(idle)', '(root)', '(program)', 'atomicsWaitLoop'];

/**
 * Sums the self times in a profile written by `node --cpu-prof`. The largest is first, and idle
 * time is excluded.
 * @throws ZodError if the text has another format
 */
export function selfTimes(text: string): readonly SelfTime[] {
  const { nodes, samples, timeDeltas } = Profile.parse(JSON.parse(text));
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const times = new Map<string, SelfTime>();
  for (const [index, id] of samples.entries()) {
    const frame = frames.get(id);
    if (frame === undefined || IDLE.includes(frame.functionName)) continue;
    const place = placeOf(frame.url, frame.functionName);
    const name = frame.functionName === '' ? '(anonymous)' : frame.functionName;
    const key = `${name} ${place}`;
    times.set(key, {
      name,
      place,
      micros: (times.get(key)?.micros ?? 0) + (timeDeltas[index] ?? 0),
    });
  }
  return [...times.values()].toSorted((one, other) => other.micros - one.micros);
}

function placeOf(url: string, functionName: string): string {
  const dependency = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];
  if (dependency !== undefined) return dependency;
  const own = /\/(?:packages|apps)\/([^/]+)\/(?:dist|src)\/(.+)$/.exec(url);
  if (own !== null) return `${own[1]}: ${own[2]}`;
  if (url.startsWith('wasm:')) return 'WebAssembly';
  return url === ''
    ? `V8 and natives ${functionName.startsWith('(') ? functionName : ''}`.trim()
    : url;
}
