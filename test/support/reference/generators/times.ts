import { addDays } from '../days.js';
import type { Draw } from './draw.js';

const CLOCKS = ['00:00:00.000', '23:59:59.999', '12:00:00.000'] as const;
/** Minutes east of UTC; most of them move an instant near midnight to another local date. */
const OFFSETS = [330, -480, 840, -210] as const;

/** An instant of a UTC day: its first or last millisecond, noon or any second. */
export function randomInstant(draw: Draw, day: string): number {
  if (draw.chance(0.4)) return Date.parse(`${day}T${draw.pick(CLOCKS)}Z`);
  return Date.parse(`${day}T00:00:00Z`) + draw.int(0, 86_399) * 1000;
}

/** The instant as RFC 3339 text, in UTC or with an offset, with or without a fraction. */
export function spellInstant(draw: Draw, instant: number): string {
  if (draw.chance(0.6)) return inZone(instant, 'Z');
  const minutes = draw.pick(OFFSETS);
  const sign = minutes < 0 ? '-' : '+';
  const pad = (part: number) => String(part).padStart(2, '0');
  const size = Math.abs(minutes);
  return inZone(instant + minutes * 60_000, `${sign}${pad(Math.floor(size / 60))}:${pad(size % 60)}`);
}

function inZone(local: number, zone: string): string {
  const clock = new Date(local).toISOString().slice(0, -1);
  return `${clock.endsWith('.000') ? clock.slice(0, -4) : clock}${zone}`;
}

/** A creation time as records have it: absent, null, or one of a few days, so that equal ones occur. */
export function randomCreation(draw: Draw, today: string): { created_at?: string | null } {
  const kind = draw.int(0, 9);
  if (kind < 2) return {};
  if (kind === 2) return { created_at: null };
  const instant = Date.parse(`${addDays(today, -30 - draw.int(0, 3))}T00:00:00Z`);
  return { created_at: spellInstant(draw, instant) };
}
