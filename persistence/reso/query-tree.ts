/** A query of the feed as it was read from an address (docs/feeds.md#queries). Nothing of it is SQL. */

export type Literal =
  | { readonly kind: 'string'; readonly value: string }
  /** As it was written: decimals do not fit into a double. */
  | { readonly kind: 'number'; readonly value: string }
  | { readonly kind: 'date'; readonly value: string }
  | { readonly kind: 'instant'; readonly value: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null' }
  /** The database's present time. */
  | { readonly kind: 'now' };

export const COMPARISONS = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const;
export type Comparison = (typeof COMPARISONS)[number];
export const TEXT_FUNCTIONS = ['contains', 'startswith', 'endswith'] as const;
export type TextFunction = (typeof TEXT_FUNCTIONS)[number];

/** `field` is the name of a field, or the variable of the lambda around it. */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] }
  | { readonly kind: 'not'; readonly inner: Condition }
  | {
      readonly kind: 'compare';
      readonly field: string;
      readonly operator: Comparison;
      readonly literal: Literal;
    }
  | { readonly kind: 'has'; readonly field: string; readonly literal: Literal }
  | { readonly kind: 'in'; readonly field: string; readonly literals: readonly Literal[] }
  | { readonly kind: 'text'; readonly call: TextFunction; readonly field: string; readonly value: string }
  /** `any` without a condition: the list is not empty. */
  | {
      readonly kind: 'any' | 'all';
      readonly field: string;
      readonly variable: string;
      readonly inner: Condition | null;
    };

export interface OrderPart {
  readonly field: string;
  readonly isDescending: boolean;
}

/** The query does not fit the resource; the sentence is for its sender. */
export class QueryFault extends Error {
  /** The option of the address, such as `$filter`. */
  readonly target: string;

  constructor(message: string, target: string) {
    super(message);
    this.name = 'QueryFault';
    this.target = target;
  }
}

const MOST_SHOWN = 64;

/** A name of the sender for a sentence: no more of it than names have. */
export const cut = (name: string): string => name.slice(0, MOST_SHOWN);
