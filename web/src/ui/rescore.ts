// The daemon's word on other weights, asked when the sliders rest.
import { useEffect, useState } from 'react';
import type { Results, Weights } from '../lib/types.ts';
import { useApp } from './context.ts';

export function useRescore(race: string, weights: Weights, on: boolean): Results | undefined {
  const { source } = useApp();
  const [got, set] = useState<{ for: string; results: Results }>();
  const key = JSON.stringify(weights);
  useEffect(() => {
    if (!on) return;
    let over = false;
    const timer = setTimeout(() => {
      source.rescore(race, weights).then((results) => over || set({ for: key, results }), () => undefined);
    }, 300);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [race, key, on]);
  return on && got?.for === key ? got.results : undefined;
}
