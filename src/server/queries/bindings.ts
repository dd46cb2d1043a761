/** Bindings that several statements take. */

/** The runs of a brand on some engines. */
export interface EngineBindings extends Record<string, unknown> {
  brandKey: number;
  engines: readonly string[];
}

/** The same in a window, both days inside. */
export interface WindowBindings extends EngineBindings {
  start: string;
  end: string;
}
