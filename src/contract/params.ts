/** Query parameters (tool arguments, flags): each is declared once here. */
import type { EngineId } from './engines.js';
import { PAGE_LIMIT, RANGE_DAYS_MAX, WINDOW_PRESETS } from './limits.js';

interface ParamBase {
  readonly description: string;
  /** The description in tools, whose schema says the rest; if omitted, the same; empty: the instructions for agents have it. */
  readonly brief?: string;
  /** The description of the flag, where the command takes other forms or has other words; if omitted, the same. */
  readonly flag?: string;
  readonly required?: boolean;
  /** Its name among the components of the OpenAPI document, if another parameter of the same name is one. */
  readonly component?: string;
}
export interface TextParam extends ParamBase {
  readonly kind: 'text';
  /** What a request must give, for the error where it is missing: `the id of an answer`. */
  readonly wanted?: string;
}
export interface IntegerParam extends ParamBase {
  readonly kind: 'integer';
  readonly minimum: number;
  readonly maximum: number;
}
/** One of a few values; `default` is what a reader takes when the parameter is absent. */
export interface ChoiceParam<V extends string | number = string | number> extends ParamBase {
  readonly kind: 'choice';
  readonly values: readonly V[];
  readonly default?: V;
}
/** A UTC day that exists, as YYYY-MM-DD. */
export interface DateParam extends ParamBase {
  readonly kind: 'date';
}
/** One engine id or several with commas between; parsed: each once, in table order. */
export interface EnginesParam extends ParamBase {
  readonly kind: 'engines';
}
/** One value or several with commas between; parsed: each once, in the order given. The reader checks that they exist. */
export interface ValuesParam extends ParamBase {
  readonly kind: 'values';
}
/** `true` or `false`. */
export interface BooleanParam extends ParamBase {
  readonly kind: 'boolean';
}
export type Param =
  | TextParam
  | IntegerParam
  | ChoiceParam
  | DateParam
  | EnginesParam
  | ValuesParam
  | BooleanParam;
export type Params = { readonly [name: string]: Param };

export const brand = {
  kind: 'text',
  description: 'Brand id; default: the first brand in scope',
  flag: 'Brand id or name; default: the first brand in scope',
  brief: '',
} as const satisfies Param;

/** The two parameters of every list; with either of them the response is a page. */
export const paging = {
  cursor: { kind: 'text', description: 'Continue after the page that gave this next_cursor' },
  limit: {
    kind: 'integer',
    minimum: PAGE_LIMIT.minimum,
    maximum: PAGE_LIMIT.maximum,
    description: `Rows of a page, ${PAGE_LIMIT.minimum} to ${PAGE_LIMIT.maximum} (${PAGE_LIMIT.default} when only a cursor is given)`,
  },
} as const satisfies Params;

/** A window of a preset number of days; the read defines where it ends. */
export const presetDays = <const D extends (typeof WINDOW_PRESETS)[number]>(days: D, anchor: string) =>
  ({
    kind: 'choice',
    values: WINDOW_PRESETS,
    default: days,
    description: `Days of the window, which ends on ${anchor}: ${WINDOW_PRESETS.join(', ')} (default ${days})`,
    brief: `End on ${anchor}; default ${days}`,
  }) as const satisfies Param;

/** How the command takes days. */
export const DAY_FORMS = 'YYYY-MM-DD, today, yesterday, or 7d: 7 days ago';
export const lastDayFlag = 'Last day, inclusive, in the same forms; default: today (UTC)';

/** A custom window, both days included, instead of `days`. */
export const customRange = {
  from: {
    kind: 'date',
    description: `First day, YYYY-MM-DD, together with to and instead of days; at most ${RANGE_DAYS_MAX} days`,
    flag: `First day: ${DAY_FORMS}, instead of --days; at most ${RANGE_DAYS_MAX} days`,
    brief: 'YYYY-MM-DD, not with days',
  },
  to: {
    kind: 'date',
    description: 'Last day, YYYY-MM-DD, inclusive',
    flag: lastDayFlag,
    brief: 'Last',
  },
} as const satisfies Params;

/**
 * The `engine` filter. @param absent The engines that the read covers without it.
 * @param brief What tools say besides what the instructions for agents do.
 */
export const engineFilter = (absent: string, brief = '') =>
  ({
    kind: 'engines',
    description: `Engine id, or several separated by commas; default: ${absent}`,
    brief,
  }) as const satisfies Param;

/** What a request must give for a required parameter. */
export const wantedValue = (param: Param): string =>
  'values' in param
    ? `one of ${param.values.join(', ')}`
    : ((param.kind === 'text' ? param.wanted : undefined) ?? param.description);

type ParamValue<P> = P extends { kind: 'integer' }
  ? number
  : P extends { kind: 'boolean' }
    ? boolean
    : P extends { kind: 'choice'; values: readonly (infer V)[] }
      ? V
      : string;
/** The type of a parameter as a caller passes it. */
type GivenValue<P> = P extends { kind: 'engines' }
  ? EngineId | (string & {}) | readonly (EngineId | (string & {}))[]
  : P extends { kind: 'values' }
    ? string | readonly string[]
    : ParamValue<P>;
/** The type of the parsed parameter, as readers get it. */
type ParsedValue<P> = P extends { kind: 'engines' }
  ? readonly EngineId[]
  : P extends { kind: 'values' }
    ? readonly string[]
    : ParamValue<P>;
type RequiredNames<P> = { [K in keyof P]: P[K] extends { required: true } ? K : never }[keyof P];

/** One object type: an intersection with `{}` would take any value where nothing is required. */
type Flat<T> = { [K in keyof T]: T[K] };

/** The parameters of a request as a caller passes them. */
export type InferParams<P> = Flat<
  { [K in RequiredNames<P>]: GivenValue<P[K]> } & {
    [K in Exclude<keyof P, RequiredNames<P>>]?: GivenValue<P[K]> | undefined;
  }
>;

/** The parsed parameters, as readers get them. */
export type ParsedParams<P> = { [K in RequiredNames<P>]: ParsedValue<P[K]> } & {
  [K in Exclude<keyof P, RequiredNames<P>>]?: ParsedValue<P[K]> | undefined;
};
