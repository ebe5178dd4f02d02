/**
 * The layout of a machine's chart, computed by `npm run charts` and shown by the console. Positions are in pixels
 * from the top left corner. The worker never computes a layout.
 */
export interface Drawing {
  /** The machine's id. */
  kind: string;
  title: string;
  /** The machine's file. */
  source: string;
  /** Where the machine's state is stored. */
  row: string;
  width: number;
  height: number;
  states: DrawnState[];
  /** States that have states inside. */
  groups: (Box & { name: string })[];
  /** The initial state: the dot, and the line to the first state. */
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
  /** The text in the box: the state's name without that of its group. */
  label: string;
  sentence: string;
  activity: string | null;
  final: boolean;
}
/** All transitions from one state to another, drawn as one line. */
export interface DrawnEdge {
  from: string;
  to: string;
  points: Point[];
  /** The events, one per line; `x` and `y` of the top left corner. */
  label: Box & { lines: string[] };
}
/** One row of the table of transitions. */
export interface Move {
  from: string;
  event: string;
  /** The name of the guard, `otherwise`, or empty when there is no guard. */
  guard: string;
  /** Equal to `from` when the event only changes the context. */
  to: string;
  /** The effects written in the same transaction. */
  effects: string[];
}
