import type { SearchState } from '../pages/search/search-state.ts';

export default function SearchMap({
  state,
}: {
  readonly state: SearchState;
  readonly filters: object;
  readonly place: object | null;
}) {
  return <p>{state.q}</p>;
}
