/** Why a call has no answer. */
export type Cause =
  | 'key'
  | 'rights'
  | 'credit'
  | 'rate_limit'
  | 'network'
  /** The engine failed. */
  | 'engine'
  | 'request'
  /** It is refused, cut off or has another shape. */
  | 'answer'
  /** A signal or a limit ended the collection. */
  | 'stopped';
