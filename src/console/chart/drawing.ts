/**
 * A machine's chart as `npm run charts` lays it out and the console shows it: positions in pixels from the top left
 * corner. Nothing is laid out while the worker runs.
 */
export interface Drawing {
  /** The machine's id. */
  kind: string;
  title: string;
  /** The machine's file. */
  source: string;
  /** Where its state is kept. */
  row: string;
  width: number;
  height: number;
  states: DrawnState[];
  /** States that have states inside. */
  groups: (Box & { name: string })[];
  /** Where a life begins: the dot, and the line to the first state. */
  begin: { x: number; y: number; points: Point[] };
  edges: DrawnEdge[];
  moves: Move[];
}
export interface Point {
  x: number;
  y: number;
}
interface Box extends Point {
  width: number;
  height: number;
}
export interface DrawnState extends Box {
  name: string;
  /** What stands in the box: the name without that of its group. */
  label: string;
  sentence: string;
  activity: string | null;
  final: boolean;
}
/** All moves from one state to another, drawn as one line. */
export interface DrawnEdge {
  from: string;
  to: string;
  points: Point[];
  /** The events, one a line; `x` and `y` of the top left corner. */
  label: Box & { lines: string[] };
}
/** One row of the table of transitions. */
export interface Move {
  from: string;
  event: string;
  /** The name of the guard, `otherwise`, or empty where nothing is asked. */
  guard: string;
  /** The same as `from` when the event only changes what is remembered. */
  to: string;
  /** What is written with it in the same transaction. */
  effects: string[];
}
