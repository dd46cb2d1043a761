/** The estimated search volumes of the prompts. */
import type { Demand } from '../market.js';

/** By prompt id. A prompt without an entry was never estimated. */
export const demand: Readonly<Record<string, Demand>> = {
  p01: {
    volume: 12100,
    band: [9000, 15000],
    confidence: 'high',
    query: 'best espresso machine',
    impressions: 48210,
  },
  p02: { volume: 2900, band: [2000, 4000], confidence: 'medium' },
  p03: {
    volume: 5400,
    band: [4000, 7000],
    confidence: 'high',
    query: 'espresso machine under 1000',
    impressions: 9120,
  },
  p04: { band: [600, 1400], confidence: 'low' },
  p05: {
    volume: 480,
    band: [300, 700],
    confidence: 'high',
    query: 'torvello arco vs lanzaro primo',
    impressions: 3904,
  },
  p06: {
    volume: 3600,
    band: [2500, 4500],
    confidence: 'high',
    query: 'compact espresso machine',
    impressions: 22840,
  },
  p08: { volume: 720, band: [500, 1000], confidence: 'medium' },
  p09: { volume: 390, confidence: 'high', query: 'torvello piccola review', impressions: 5110 },
  p10: { volume: 6600, band: [5000, 8000], confidence: 'medium' },
  p12: { volume: 2400, band: [1500, 3500], confidence: 'medium' },
  p13: { volume: 8100, band: [6000, 10000], confidence: 'low' },
  p15: {
    volume: 4400,
    band: [3000, 6000],
    confidence: 'high',
    query: 'best latte machine',
    impressions: 6075,
  },
  p18: { volume: 110, confidence: 'low' },
  p19: { volume: 3300, band: [2500, 4500], confidence: 'medium' },
  p20: { volume: 1900, band: [1200, 2600], confidence: 'medium' },
  p21: {
    volume: 2900,
    band: [2000, 4000],
    confidence: 'high',
    query: 'how to descale espresso machine',
    impressions: 15430,
  },
};
