import { Fault } from '@sotto/kernel';

/** Whatever stands behind a port can't answer. */
export class FakeUpstreamDown extends Fault {
  readonly code = 'FAKE_UPSTREAM_DOWN';
  readonly kind = 'unavailable';
}
