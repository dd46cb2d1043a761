/** Parses a plan file, and reports all of its faults at once. */

import { parse, TomlError } from 'smol-toml';
import type { z } from 'zod';
import { ExpectedError } from '../../contract/failure.js';
import { escapeControls } from '../../contract/printable.js';
import { EXPECTED } from '../../server/intake/dataset/lines.js';
import { surfaceOf } from '../protocols/capabilities.js';
import { catalogFaults, catalogFields, type Path, type StatedCatalog } from './catalog-shape.js';
import { accessFaults } from './engine-access.js';
import type { CollectPlan, Target } from './plan.js';
import { endpointOf, planShape, TARGETS_EXPECTED, targetOf } from './plan-shape.js';
import { providerFaults } from './provider-faults.js';

/** A place in the parsed document, such as `['target', 0, 'engine']`. */
export type KeyPath = Path;

const NAME = String.raw`(?:[\w-]+|"[^"]*"|'[^']*')`;
const HEADER = new RegExp(String.raw`^\s*(\[\[?)\s*(${NAME}(?:\s*\.\s*${NAME})*)\s*\]\]?\s*(?:#.*)?$`);
const KEY = new RegExp(String.raw`^\s*(${NAME}(?:\s*\.\s*${NAME})*)\s*=(.*)$`);
const LONG_STRING = /^("""|''')/;

const namesOf = (dotted: string): string[] =>
  [...dotted.matchAll(new RegExp(NAME, 'g'))].map(([name]) => name.replace(/^["']|["']$/g, ''));

/** The lines of every table and key of a TOML text, by their path: the parser returns values without their places. */
export class KeyLines {
  readonly #lines = new Map<string, number>();

  constructor(toml: string) {
    const counts = new Map<string, number>();
    let table: KeyPath = [];
    let longString: string | null = null;
    for (const [at, line] of toml.split('\n').entries()) {
      const text = line.trimEnd();
      if (longString !== null) {
        if (text.includes(longString)) longString = null;
        continue;
      }
      const [, bracket, header] = HEADER.exec(text) ?? [];
      if (header !== undefined) {
        table = pathOf(namesOf(header), bracket === '[[', counts);
        this.#note(table, at + 1);
        continue;
      }
      const [, key, value = ''] = KEY.exec(text) ?? [];
      if (key === undefined) continue;
      this.#note([...table, ...namesOf(key)], at + 1);
      const [, mark] = LONG_STRING.exec(value.trimStart()) ?? [];
      if (mark !== undefined && value.split(mark).length === 2) longString = mark;
    }
  }

  /** Whether the text has this key or table. */
  has(path: KeyPath): boolean {
    return this.#lines.has(idOf(path));
  }

  /** The line of the key, else of the nearest table around it, else the first line. */
  of(path: KeyPath): number {
    for (let length = path.length; length > 0; length--) {
      const line = this.#lines.get(idOf(path.slice(0, length)));
      if (line !== undefined) return line;
    }
    return 1;
  }

  /** Notes the path and those above it, each at its first line. */
  #note(path: KeyPath, line: number): void {
    for (let length = 1; length <= path.length; length++) {
      const id = idOf(path.slice(0, length));
      if (!this.#lines.has(id)) this.#lines.set(id, line);
    }
  }
}

const idOf = (path: KeyPath): string => JSON.stringify(path);

/**
 * The path of a header: in a list of tables, the names below it are those of its newest table.
 * @param counts The number of tables of each list, by its path.
 */
function pathOf(names: readonly string[], isList: boolean, counts: Map<string, number>): KeyPath {
  const path: (string | number)[] = [];
  for (const [at, name] of names.entries()) {
    path.push(name);
    const id = idOf(path);
    const count = counts.get(id) ?? 0;
    const isNew = isList && at === names.length - 1;
    if (isNew) counts.set(id, count + 1);
    if (isNew || count > 0) path.push(isNew ? count : count - 1);
  }
  return path;
}

export interface PlanFault {
  /** 1-based. */
  readonly line: number;
  /** As `target[0].engine`; null: the fault is of the line itself. */
  readonly field: string | null;
  readonly message: string;
}

const MAX_NAMED_FAULTS = 50;

/** The plan cannot be used. The message lists the faults, by line. */
export class PlanError extends ExpectedError {
  readonly faults: readonly PlanFault[];

  constructor(file: string, faults: readonly PlanFault[]) {
    const sorted = [...faults].sort((a, b) => a.line - b.line);
    const named = sorted
      .slice(0, MAX_NAMED_FAULTS)
      .map(({ line, field, message }) =>
        field === null ? `line ${line}: ${message}` : `line ${line}: ${field}: ${message}`,
      );
    const left = sorted.length - named.length;
    const lines = left === 0 ? named : [...named, `and ${left} more faults`];
    super('usage', [`${file} cannot be used:`, ...lines].join('\n'));
    this.faults = sorted;
  }
}

/** After this many invalid lines the rest of the file is not checked. */
const MAX_BROKEN_LINES = 20;

/** What no plan of a person has, and what would take long to read. */
const MAX_LINES = 50_000;
const MAX_NAMES = 10;
const NESTED = new RegExp(String.raw`^(?:\[{1,2}\s*)?${NAME}(?:\s*\.\s*${NAME}){${MAX_NAMES}}`);

/** Why the text is not parsed at all. */
function unreadable(toml: string): PlanFault[] {
  const lines = toml.split('\n');
  if (lines.length > MAX_LINES) {
    const message = `expected at most ${MAX_LINES} lines, got ${lines.length}`;
    return [{ line: MAX_LINES + 1, field: null, message }];
  }
  const nested = lines.findIndex((line) => NESTED.test(line.trimStart()));
  const message = `expected at most ${MAX_NAMES} names in a key`;
  return nested === -1 ? [] : [{ line: nested + 1, field: null, message }];
}

/** A svc.toml: a plan, and a catalog. */
const fileShape = planShape.extend(catalogFields);
/** With a brand the file may have no targets: it then only says what is tracked. */
const brandShape = fileShape.extend({ target: planShape.shape.target.default([]) });

export interface PlanFile extends CollectPlan {
  readonly catalog: StatedCatalog;
}

/**
 * Parses a plan: a svc.toml, which may have no brand.
 * @param file The name of the file, for the message.
 * @throws PlanError with every fault: invalid TOML, fields that are missing, unknown or have a wrong value.
 */
export function parsePlan(toml: string, file: string): PlanFile {
  const plan = parsePlanFile(toml, file);
  if (plan.targets.length > 0) return plan;
  throw new PlanError(file, [{ line: 1, field: 'target', message: `${TARGETS_EXPECTED}, got nothing` }]);
}

/**
 * Parses a svc.toml, which needs no target if it has a brand.
 * @throws PlanError
 */
export function parsePlanFile(toml: string, file: string): PlanFile {
  const bounds = unreadable(toml);
  if (bounds.length > 0) throw new PlanError(file, bounds);
  const lines = new KeyLines(toml);
  const { document, broken } = parseToml(toml);
  const faults: PlanFault[] = [...broken];
  if (document === undefined) throw new PlanError(file, faults);
  const shape = lines.has(['brand']) ? brandShape : fileShape;
  const { data, error } = shape.safeParse(document, EXPECTED);
  // An invalid line is one fault; that its value is missing is not reported too.
  const isBroken = (path: KeyPath) => lines.has(path) && broken.some(({ line }) => line === lines.of(path));
  for (const issue of error?.issues ?? []) {
    for (const path of pathsOf(issue)) {
      if (!isBroken(path)) faults.push(faultOf(issue, path, document, lines));
    }
  }
  faults.push(...unreachable(document, lines), ...unlikeProvider(document, lines));
  if (data) {
    faults.push(...twins(data.target.map(targetOf), lines));
    for (const { path, message } of catalogFaults(data))
      faults.push({ line: lines.of(path), field: fieldOf(path), message });
  }
  if (!data || faults.length > 0) throw new PlanError(file, faults);
  const { samples, target, extraction, ...catalog } = data;
  return {
    samples,
    targets: target.filter(({ enabled }) => enabled).map(targetOf),
    extraction: extraction && endpointOf(extraction),
    catalog,
  };
}

/** Parses the text again without each invalid line, so that one such line does not hide other faults. */
function parseToml(toml: string): { document?: unknown; broken: PlanFault[] } {
  const broken: PlanFault[] = [];
  const lines = toml.split('\n');
  while (broken.length < MAX_BROKEN_LINES) {
    try {
      return { document: parse(lines.join('\n')), broken };
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      const { line } = error;
      if (broken.some((fault) => fault.line === line)) break;
      broken.push({ line, field: null, message: `invalid TOML: ${reasonOf(error)}` });
      lines[line - 1] = '';
    }
  }
  return { broken };
}

/** The first line of the message. The others show the text of the file, which may hold a key. */
const reasonOf = ({ message }: TomlError): string =>
  escapeControls(message.split('\n')[0]!.replace(/^Invalid TOML document: /, ''));

const pathsOf = (issue: z.core.$ZodIssue): KeyPath[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => [...(issue.path as KeyPath), key])
    : [issue.path as KeyPath];

function faultOf(issue: z.core.$ZodIssue, path: KeyPath, document: unknown, lines: KeyLines): PlanFault {
  const line = lines.of(path);
  const field = path.length === 0 ? null : fieldOf(path);
  if (issue.code === 'unrecognized_keys') return { line, field, message: unknownField(path) };
  const got = path.reduce<unknown>(
    (at, step) => (at as Record<string, unknown> | undefined)?.[step],
    document,
  );
  const shown = shownValue(String(path.at(-1)), got);
  return { line, field, message: issue.message + (shown === null ? '' : `, got ${shown}`) };
}

/** Null: the value may be a key. */
function shownValue(name: string, got: unknown): string | null {
  if (typeof got !== 'string') return sample(got);
  if (name === 'key_env') return null;
  return name === 'base_url' ? shownAddress(got) : sample(got);
}

/** A scheme, the beginning of what may be a user with a password, a host with its port, and the rest. */
const ADDRESS =
  /^(?<scheme>[a-z][a-z\d+.-]*:\/\/)?(?:(?<user>[^@]*@.*)|(?<host>[\w.-]+(?::\d+)?)(?<more>[/?#].*)?)$/is;

/** The scheme and the host of an address, because the rest may have a key; null: not an address, so it may be a key. */
function shownAddress(text: string): string | null {
  if (text.trim() === '') return sample(text);
  const { scheme = '', user, host = '', more = '' } = ADDRESS.exec(text)?.groups ?? {};
  if (scheme === '' && !/^localhost\b|\w\.\w/.test(host)) return null;
  return sample(scheme + (user === undefined ? host : '…@…') + (more.length > 1 ? `${more[0]}…` : more));
}

function unknownField(path: KeyPath): string {
  if (/key|token|secret/i.test(String(path.at(-1))))
    return 'no such field; key_env names the environment variable with the key';
  const known = Object.keys(fileShape.shape).join(', ');
  return path.length === 1 ? `no such field; a file has ${known}` : 'no such field';
}

const fieldOf = (path: KeyPath): string =>
  escapeControls(
    path
      .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
      .join('')
      .slice(1, 100),
  );

/** A number or a choice in quotation marks. */
const LOOKS_LIKE_A_VALUE = /^(?:[+-]?[\d.,_]{1,60}|true|false)$/;

function sample(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string' && value.trim() === '') return 'an empty text';
  // Else it looks like the value that it should be.
  if (typeof value === 'string' && LOOKS_LIKE_A_VALUE.test(value)) return `the text ${JSON.stringify(value)}`;
  const text = typeof value === 'string' ? value : typeof value === 'number' ? String(value) : asJson(value);
  const escaped = escapeControls(text.slice(0, 60));
  return text.length > 60 ? `${escaped}…` : escaped;
}

const asJson = (value: unknown): string => (Array.isArray(value) ? 'a list' : (JSON.stringify(value) ?? ''));

/** Targets whose engine cannot be asked as they state it, also in a plan with other faults. */
function unreachable(document: unknown, lines: KeyLines): PlanFault[] {
  const { target } = document as { target?: unknown };
  return (Array.isArray(target) ? target : []).flatMap((stated: object | null, at) =>
    accessFaults(stated ?? {}).map(({ field, message }) => ({
      line: lines.of(['target', at, field]),
      field: `target[${at}].${field}`,
      message,
    })),
  );
}

/** What the provider of a target cannot do, also in a plan with other faults. */
function unlikeProvider(document: unknown, lines: KeyLines): PlanFault[] {
  const { target: targets, samples } = document as { target?: unknown; samples?: unknown };
  return (Array.isArray(targets) ? targets : []).flatMap(
    (stated: Readonly<Record<string, unknown>> | null, at) =>
      providerFaults(stated ?? {}, samples).map(({ field, message }) => ({
        line: field === 'samples' ? lines.of(['samples']) : lines.of(['target', at, field]),
        field: field === 'samples' ? field : `target[${at}].${field}`,
        message,
      })),
  );
}

const isTwin = (a: Target, b: Target): boolean =>
  a.engine === b.engine && surfaceOf(a) === surfaceOf(b) && a.region.toLowerCase() === b.region.toLowerCase();

/** Targets whose runs would have the same ids. */
function twins(targets: readonly Target[], lines: KeyLines): PlanFault[] {
  return targets.flatMap((target, at) => {
    const first = targets.findIndex((other) => isTwin(other, target));
    if (first === at) return [];
    const { engine, region } = target;
    const message = `expected another engine, surface or region: target[${first}] on line ${lines.of(['target', first])} has ${engine} (${surfaceOf(target)}) in ${region} too`;
    return [{ line: lines.of(['target', at]), field: `target[${at}]`, message }];
  });
}
