import { DomainError } from '@sotto/kernel';

/** Whatever stands behind a port can't answer. */
export class FakeUpstreamDown extends DomainError {
  readonly code = 'FAKE_UPSTREAM_DOWN';
  readonly kind = 'unavailable';
}
