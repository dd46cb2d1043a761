/** Bindings that several statements take. */

/** A window of a brand, both days inside. */
export interface BrandWindow extends Record<string, unknown> {
  brandKey: number;
  start: string;
  end: string;
}

/** The runs of a brand on some engines. */
export interface EngineBindings extends Record<string, unknown> {
  brandKey: number;
  engines: readonly string[];
}

/** The runs of a window on some engines. */
export interface WindowBindings extends BrandWindow, EngineBindings {}
