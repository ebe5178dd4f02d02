import { useState } from 'react';

export interface Selection {
  readonly has: (id: string) => boolean;
  /** The chosen ones, in the order of the list. */
  readonly ids: readonly string[];
  /**
   * @param isRange chooses all between the last one and this one
   * @param shown those of the list that a range may hold, where not all are shown
   */
  readonly toggle: (id: string, isRange: boolean, shown?: readonly string[]) => void;
  readonly choose: (ids: readonly string[]) => void;
  /** These are not chosen any more; others stay as they are by then. */
  readonly leaveOut: (ids: readonly string[]) => void;
}

/** Which items of a list are chosen. Those that leave the list are not chosen any more. */
export function useSelection(all: readonly string[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [last, setLast] = useState<string | null>(null);
  return {
    has: (id) => chosen.has(id),
    ids: all.filter((id) => chosen.has(id)),
    choose: (ids) => {
      setChosen(new Set(ids));
      setLast(null);
    },
    leaveOut: (ids) => setChosen((now) => new Set([...now].filter((id) => !ids.includes(id)))),
    toggle: (id, isRange, shown = all) => {
      const [from, to] = [last === null ? -1 : shown.indexOf(last), shown.indexOf(id)];
      const isChosen = !chosen.has(id);
      const touched = isRange && from >= 0 ? shown.slice(Math.min(from, to), Math.max(from, to) + 1) : [id];
      const next = new Set(chosen);
      for (const one of touched) {
        if (isChosen) next.add(one);
        else next.delete(one);
      }
      setChosen(next);
      setLast(id);
    },
  };
}
